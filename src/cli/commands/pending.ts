/** `wisp approvals pending`: what waits, oldest first. */
import { type Kind, kinds, type Request } from "../../broker/index.js";
import { besides } from "../../face/besides.js";
import { hasFileTraces } from "../../face/file-traces.js";
import { lateIds } from "../../face/find.js";
import { wispLine } from "../../face/quote.js";
import { verbOf } from "../../face/verb-of.js";
import { openWaiting } from "../../face/waiting.js";
import { exits } from "../exits.js";
import type { Terminal } from "../terminal.js";
import type { Verb } from "../verb.js";
import { writeWaiting } from "../write-waiting.js";

/** Requests go to standard output alone; all else there is to say goes to standard error. */
export const pending: Verb = {
  command: "wisp approvals pending",
  synopsis: "[--late] [--json]",
  summary: "list what waits for a person, oldest first",
  details: [
    "--late          list what ended unanswered and may still be answered",
    "--json          print one JSON object",
  ],
  switches: ["late", "json"],
  options: [],
  takesId: false,
  async run({ switches }, terminal) {
    if (switches.has("late")) {
      const { listEnded } = await import("../kept/main.js");
      return await listEnded(switches.has("json"), terminal);
    }
    const { out, err, environment } = terminal;
    const waiting = openWaiting(terminal);
    const { home, listing, swept } = waiting;
    const { requests } = listing;
    await writeWaiting(requests, switches.has("json"), waiting, terminal);
    err.write(besides(listing, swept));
    if (hasFileTraces(home, terminal.directory)) {
      const { fileNotices } = await import("../../face/file-notices.js");
      err.write(
        fileNotices(home, terminal)()
          .map((line) => `${line}\n`)
          .join(""),
      );
    }
    if (out.isTerminal && err.isTerminal) err.write(answerLines(requests, environment));
    if (err.isTerminal && lateIds(home).length > 0) {
      const line = wispLine(environment, ["approvals", "pending", "--late"]);
      err.write(`Some ended unanswered; what may still be answered: ${line}\n`);
    }
    return exits.done;
  },
};

const heads = {
  approval: "Answer",
  fact: "Facts",
  question: "Questions",
} as const satisfies Record<Kind, string>;

/** How each kind that waits is answered: no verb answers another's. */
function answerLines(requests: readonly Request[], environment: Terminal["environment"]): string {
  return kinds
    .filter((kind) => requests.some((request) => request.kind === kind))
    .map((kind) => {
      const yes = wispLine(environment, [...verbOf(kind, true), "ID"]);
      const [, no] = verbOf(kind, false);
      return kind === "approval"
        ? `${heads[kind]}: ${yes}, or ${no} ID; show ID shows all of it.\n`
        : `${heads[kind]}: ${yes}, which shows all of it first, or ${no} ID.\n`;
    })
    .join("");
}
