/** `wisp facts pending` and `wisp questions pending`: what waits of one kind, oldest first. */
import type { Kind } from "../../broker/index.js";
import { besides } from "../../face/besides.js";
import { verbOf } from "../../face/verb-of.js";
import type { Waiting } from "../../face/waiting.js";
import { exits } from "../exits.js";
import { lineToType } from "../line-to-type.js";
import type { Terminal } from "../terminal.js";
import { writeWaiting } from "../write-waiting.js";

/** Requests go to standard output alone, as `approvals pending` prints them; all else to standard error. */
export async function listOf(
  kind: Exclude<Kind, "approval">,
  isJson: boolean,
  waiting: Waiting,
  terminal: Terminal,
): Promise<number> {
  const { out, err } = terminal;
  const { listing, swept } = waiting;
  const requests = listing.requests.filter((request) => request.kind === kind);
  await writeWaiting(requests, isJson, waiting, terminal);
  if (requests.length === 0 && listing.requests.length > 0) err.write(`No ${kind} waits.\n`);
  err.write(besides(listing, swept));
  if (requests.length > 0 && out.isTerminal && err.isTerminal) {
    const [, no] = verbOf(kind, false);
    const yes = lineToType(terminal, [...verbOf(kind, true), "ID"]);
    err.write(`Answer: ${yes}, which shows all of it first, or ${no} ID.\n`);
  }
  return exits.done;
}
