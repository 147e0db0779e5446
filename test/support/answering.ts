/** Servers as a face meets them: one that reads answers, and one that has died. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DirectoryChannel } from "../../src/broker/channel/directory.js";
import type { Home } from "../../src/broker/channel/home.js";
import { ownIdentity } from "../../src/broker/identity/process.js";
import { outcomeOf, outcomes } from "../../src/broker/request/outcome.js";
import type { Request } from "../../src/broker/request/request.js";
import { approvalDraft } from "./builders.js";
import { openAsker, ownServer } from "./temp-home.js";
import { takesAll } from "./witnesses.js";

/** Takes and settles every answer to a request of `channel` as it comes. */
export function settleAnswers(channel: DirectoryChannel): void {
  channel.changes((id) => {
    const news = id === null ? null : channel.take(id);
    if (id === null || news === null) return;
    if (news.kind === "answer") {
      const outcome = outcomes[outcomeOf(news.taken.answer)].receipt;
      channel.settle(id, { outcome, taken: news.taken, ran: null });
    } else channel.settle(id, { outcome: "failed", taken: null, ran: false });
  });
}

/** Files a request of a server whose process has ended: its pid belongs to this one now, which started later. */
export function fileByDeadServer(home: Home): Request {
  const server = { ...ownServer, instance: "dddddddddddddddd", startedAt: "1" };
  const presence = { begin: () => {}, waiting: () => {}, detached: () => {}, end: () => {} };
  const by = { pid: server.pid, startedAt: "1", tty: null, version: "0.1.0" };
  const { channel } = openAsker(home, { asker: { server, by, presence, witness: takesAll } });
  const request = channel.file(approvalDraft(), []);
  const { namespace } = ownIdentity();
  const record = {
    v: 1,
    ...server,
    namespace,
    parent: null,
    client: null,
    home: home.path,
    waiting: [],
    detached: [],
  };
  mkdirSync(home.servers, { recursive: true, mode: 0o700 });
  writeFileSync(join(home.servers, `${server.instance}.json`), JSON.stringify(record), { mode: 0o600 });
  return request;
}
