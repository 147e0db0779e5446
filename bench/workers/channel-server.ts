/**
 * A server that waits in the channel: files what it is told to, takes each answer as it comes, settles it, and
 * tells when the answer was read and validated.
 */
import { type Asked, draftFor } from "../support/asking.js";
import { openServer, type WatchFault } from "../support/server.js";
import { hear, nowUs, tell, workerOptions } from "../support/worker.js";

export interface ChannelServerOptions {
  readonly home: string;
  readonly fault: WatchFault;
}

export type ToChannelServer = { readonly file: number };

export type FromChannelServer =
  | { readonly type: "ready" }
  | { readonly type: "filed"; readonly requests: readonly Asked[] }
  /** `at` as `nowUs`. */
  | { readonly type: "taken"; readonly id: string; readonly at: number };

const options = workerOptions<ChannelServerOptions>();
const { channel } = openServer(options.home, options.fault);
let filed = 0;

channel.changes((id) => {
  if (id === null) return;
  const news = channel.take(id);
  if (news === null) return;
  const at = nowUs();
  if (news.kind === "broken") throw new Error(`${id} is broken: ${news.why}.`);
  channel.settle(id, { outcome: "answered", taken: news.taken, ran: null });
  tell({ type: "taken", id, at } satisfies FromChannelServer);
});

hear<ToChannelServer>(({ file }) => {
  const requests: Asked[] = [];
  for (let count = 0; count < file; count += 1) {
    const { id, binding } = channel.file(draftFor(filed), []);
    requests.push({ id, binding });
    filed += 1;
  }
  tell({ type: "filed", requests } satisfies FromChannelServer);
});

tell({ type: "ready" } satisfies FromChannelServer);
