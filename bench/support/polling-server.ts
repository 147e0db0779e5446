/** The floor that a person would feel: a server that looks every 200 ms. */
import { linkSync, rmSync, writeFileSync } from "node:fs";
import { yesTo } from "./asking.js";
import { newPlace } from "./places.js";
import { nowUs, sleep, startWorker, type Worker } from "./worker.js";

export interface PollingServer {
  /** Microseconds from before `link()` until the poll has read the answer. */
  answerOne(): Promise<number>;
  close(): Promise<void>;
}

export async function startPollingServer(): Promise<PollingServer> {
  const place = newPlace();
  const slot = place.path("answer.json");
  const temporary = place.path("temporary");
  writeFileSync(temporary, JSON.stringify(yesTo({ id: "abcdefgh", binding: "0".repeat(64) })));
  const worker: Worker<{ readonly wait: true }, { readonly at?: number }> = startWorker(
    "workers/polling-server",
    { path: slot },
  );
  return {
    async answerOne() {
      worker.send({ wait: true });
      await worker.next();
      // A person answers at any instant of the poll's period.
      await sleep(Math.random() * 200);
      const startedAt = nowUs();
      linkSync(temporary, slot);
      const { at = Number.NaN } = await worker.next();
      rmSync(slot);
      return at - startedAt;
    },
    async close() {
      await worker.stop();
      place.remove();
    },
  };
}
