/** The floor of a whole call: the least server, asked and answered like ours. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Asked, prepareYes } from "./asking.js";
import { approvedResult } from "./asking-server.js";
import { newPlace } from "./places.js";
import { nowUs, rest, startWorker, type Worker } from "./worker.js";

export interface LeastServer {
  /** Microseconds from before `link()` until the client has the call's result. */
  answerOne(): Promise<number>;
  close(): Promise<void>;
}

export async function startLeastServer(): Promise<LeastServer> {
  const place = newPlace();
  const worker: Worker<Asked, { readonly type: string }> = startWorker("workers/least-server", {
    home: place.home.path,
  });
  await worker.next();
  let count = 0;
  return {
    async answerOne() {
      count += 1;
      const asked: Asked = { id: `least${String(count).padStart(6, "0")}`, binding: "0".repeat(64) };
      worker.send(asked);
      await worker.next();
      const prepared = prepareYes(place.home, asked);
      await rest();
      const startedAt = nowUs();
      prepared.link();
      prepared.clear();
      const { text, at } = await worker.line();
      if (text !== approvedResult(asked)) throw new Error(`The call ended with ${text}.`);
      rmSync(join(place.home.pending, `${asked.id}.answer.json`));
      return at - startedAt;
    },
    async close() {
      await worker.stop();
      place.remove();
    },
  };
}
