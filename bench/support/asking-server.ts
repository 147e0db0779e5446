/** A server of approver, channel and audit log, and its client, as the rows about whole calls use them. */
import type { Home } from "../../src/broker/index.js";
import type { ApproverFault, FromApproverServer, ToApproverServer } from "../workers/approver-server.js";
import { type Asked, prepareYes } from "./asking.js";
import { newPlace } from "./places.js";
import { nowUs, rest, startWorker, type Worker } from "./worker.js";

export interface AskingServer {
  readonly pid: number;
  readonly home: Home;
  /** Asks `count` times; resolves when all of them wait. */
  ask(count: number): Promise<readonly Asked[]>;
  /** The result of the next call to end, and when the client had it, as `nowUs`. */
  result(): Promise<{ readonly text: string; readonly at: number }>;
  /** Asks once and answers: microseconds from before `link()` until the client has the call's result. */
  answerOne(): Promise<number>;
  /** Bytes in use after collecting garbage. */
  memory(): Promise<{ readonly heap: number; readonly resident: number }>;
  close(): Promise<void>;
}

export async function startAskingServer(fault: ApproverFault): Promise<AskingServer> {
  const place = newPlace();
  const worker: Worker<ToApproverServer, FromApproverServer> = startWorker(
    "workers/approver-server",
    { home: place.home.path, fault },
    ["--expose-gc"],
  );
  await worker.next();

  async function askSome(count: number): Promise<readonly Asked[]> {
    worker.send({ ask: count });
    const message = await worker.next();
    if (message.type !== "asked") throw new Error(`The server said ${message.type}.`);
    return message.requests;
  }

  return {
    pid: worker.pid,
    home: place.home,
    async ask(count) {
      const requests: Asked[] = [];
      // A few at a time: a server's calls come over a pipe, and never thousands before it looks up.
      while (requests.length < count) {
        requests.push(...(await askSome(Math.min(batch, count - requests.length))));
      }
      return requests;
    },
    result: worker.line,
    async answerOne() {
      const [asked] = await askSome(1);
      if (asked === undefined) throw new Error("Nothing was asked.");
      const prepared = prepareYes(place.home, asked);
      await rest();
      const startedAt = nowUs();
      prepared.link();
      prepared.clear();
      const { text, at } = await worker.line();
      if (text !== approvedResult(asked)) throw new Error(`The call ended with ${text}.`);
      return at - startedAt;
    },
    async memory() {
      worker.send({ memory: true });
      const message = await worker.next();
      if (message.type !== "memory") throw new Error(`The server said ${message.type}.`);
      return message;
    },
    async close() {
      await worker.stop();
      place.remove();
    },
  };
}

/** The line that a server writes for a call that a person has approved. */
export function approvedResult({ id }: Asked): string {
  return JSON.stringify({ id, name: "approved" });
}

const batch = 100;
