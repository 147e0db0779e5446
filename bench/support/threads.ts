/** A server whose requests wait, one of each thread, as the rows about the full-screen face use it. */
import type { Home } from "../../src/broker/index.js";
import type { FromThreadsServer, ToThreadsServer } from "../workers/threads-server.js";
import { newPlace } from "./places.js";
import { startWorker, type Worker } from "./worker.js";

/** One that was filed. */
export interface FiledOne {
  readonly id: string;
  /** What it runs ends in this. */
  readonly text: string;
  /** Before it was filed, as `nowUs`. */
  readonly at: number;
}

export interface ThreadsServer {
  readonly home: Home;
  /** Files `count` requests. */
  file(count: number): Promise<void>;
  fileOne(): Promise<FiledOne>;
  withdraw(id: string): Promise<void>;
  close(): Promise<void>;
}

const batch = 100;

/** Starts one in a home of its own, with `count` requests waiting. */
export async function startThreadsServer(count: number): Promise<ThreadsServer> {
  const place = newPlace();
  const worker: Worker<ToThreadsServer, FromThreadsServer> = startWorker("workers/threads-server", {
    home: place.home.path,
  });
  async function send(message: ToThreadsServer): Promise<FromThreadsServer> {
    worker.send(message);
    return await worker.next();
  }
  const server: ThreadsServer = {
    home: place.home,
    async file(wanted) {
      for (let left = wanted; left > 0; left -= batch) await send({ file: Math.min(left, batch) });
    },
    async fileOne() {
      const message = await send({ file: 1 });
      const [request] = message.type === "filed" ? message.requests : [];
      if (message.type !== "filed" || request === undefined) throw new Error("Nothing was filed.");
      return { id: request.id, text: `feature-${request.number}`, at: message.at };
    },
    async withdraw(id) {
      await send({ withdraw: id });
    },
    async close() {
      await worker.stop();
      place.remove();
    },
  };
  await server.file(count);
  return server;
}
