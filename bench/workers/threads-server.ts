/**
 * A server of whose threads each asks once, so that a face shows all of them, and that reads no answer. Tells when it
 * began to file, and withdraws what it is told to.
 */
import { type Asked, draftFor } from "../support/asking.js";
import { openServer } from "../support/server.js";
import { hear, nowUs, tell, workerOptions } from "../support/worker.js";

export type ToThreadsServer = { readonly file: number } | { readonly withdraw: string };

export type FromThreadsServer =
  /** `at` as `nowUs`, before the first one; each runs `git push origin feature-<number>`. */
  | {
      readonly type: "filed";
      readonly at: number;
      readonly requests: readonly (Asked & { readonly number: number })[];
    }
  | { readonly type: "withdrawn" };

const { channel } = openServer(workerOptions<{ readonly home: string }>().home, "none");
let filed = 0;

function fileOne(): Asked & { readonly number: number } {
  const number = filed;
  filed += 1;
  const { id, binding } = channel.file({ ...draftFor(number), thread: `thread-${number}` }, []);
  return { id, binding, number };
}

hear<ToThreadsServer>((message) => {
  if ("withdraw" in message) {
    const taken = channel.withdraw(message.withdraw, "withdrawn", null);
    channel.settle(message.withdraw, { outcome: "withdrawn", taken, ran: false });
    tell({ type: "withdrawn" } satisfies FromThreadsServer);
    return;
  }
  const at = nowUs();
  const requests = Array.from({ length: message.file }, fileOne);
  tell({ type: "filed", at, requests } satisfies FromThreadsServer);
});
