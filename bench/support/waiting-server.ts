/** A channel server and its answering process, as the rows about answers use them. */
import type { FromChannelServer, ToChannelServer } from "../workers/channel-server.js";
import { type Asked, prepareYes } from "./asking.js";
import { newPlace, type Place } from "./places.js";
import type { WatchFault } from "./server.js";
import { nowUs, rest, startWorker, type Worker } from "./worker.js";

export interface WaitingServer {
  readonly pid: number;
  /** Files `count` requests that wait until they are answered. */
  file(count: number): Promise<readonly Asked[]>;
  /** Files one request and answers it: microseconds from before `link()` until it was validated. */
  answerOne(): Promise<number>;
  /** Links the answer to `asked` and waits until it was taken: the same time. */
  answer(asked: Asked): Promise<number>;
  close(): Promise<void>;
}

/** Starts one in `place`, or in a new one of its own. */
export async function startWaitingServer(fault: WatchFault, place?: Place): Promise<WaitingServer> {
  const own = place ?? newPlace();
  const worker: Worker<ToChannelServer, FromChannelServer> = startWorker("workers/channel-server", {
    home: own.home.path,
    fault,
  });
  await expectMessage(worker, "ready");

  async function file(count: number): Promise<readonly Asked[]> {
    worker.send({ file: count });
    return (await expectMessage(worker, "filed")).requests;
  }

  async function answer(asked: Asked): Promise<number> {
    const prepared = prepareYes(own.home, asked);
    // Writing the answer has woken the watching server. A person answers a server that sleeps.
    await rest();
    const startedAt = nowUs();
    prepared.link();
    prepared.clear();
    const taken = await expectMessage(worker, "taken");
    if (taken.id !== asked.id) throw new Error(`Answered ${asked.id}, and ${taken.id} was taken.`);
    return taken.at - startedAt;
  }

  return {
    pid: worker.pid,
    file,
    answer,
    async answerOne() {
      const [asked] = await file(1);
      if (asked === undefined) throw new Error("Nothing was filed.");
      return answer(asked);
    },
    async close() {
      await worker.stop();
      if (place === undefined) own.remove();
    },
  };
}

async function expectMessage<Type extends FromChannelServer["type"]>(
  worker: Worker<ToChannelServer, FromChannelServer>,
  type: Type,
): Promise<Extract<FromChannelServer, { type: Type }>> {
  const message = await worker.next();
  if (message.type !== type) throw new Error(`The server said ${message.type} instead of ${type}.`);
  return message as Extract<FromChannelServer, { type: Type }>;
}
