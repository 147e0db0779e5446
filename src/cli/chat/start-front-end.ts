/** A front end on the standard streams of this process. */
import { openInbox } from "../../face/open-inbox.js";
import { exits } from "../exits.js";
import type { Terminal } from "../terminal.js";
import { boundedLines } from "./bounded-lines.js";
import { openFrontEnd } from "./front-end.js";
import { longestLine } from "./incoming.js";
import { openOutbox } from "./outbox.js";
import { aliveLine } from "./outgoing.js";

/** A reader that went away shows only when something is written to it. */
const aliveMs = 1_000;
/**
 * Whoever does not read what comes of this many of its lines is not read from either; before that the end of its input
 * is noticed whether it reads or not.
 */
const mostUnread = 1_000;
/** A reader that is there and does not read is not waited for longer than this at the end. */
const lastLinesMs = 1_000;

/** Goes on until standard input ends or nobody reads; returns the exit code. Throws channel_unsafe, channel_unavailable. */
export async function startFrontEnd(terminal: Terminal): Promise<number> {
  const { clock } = terminal;
  const { stdin, stdout } = process;
  const over = new AbortController();
  const inbox = openInbox(terminal, "chat");
  const outbox = openOutbox(stdout, () => {
    over.abort();
    stdin.destroy();
  });
  const frontEnd = openFrontEnd({ inbox, seat: terminal, outbox, signal: over.signal });
  const alive = clock.every(aliveMs, () => {
    if (!outbox.isFull) outbox.send(() => aliveLine);
  });
  try {
    let unread = 0;
    for await (const line of boundedLines(stdin, longestLine)) {
      frontEnd.hear(line);
      unread = outbox.isFull ? unread + 1 : 0;
      if (unread > mostUnread) await outbox.drained();
    }
  } finally {
    alive.cancel();
    frontEnd.close();
    over.abort();
    inbox.close();
    stdin.destroy();
  }
  const late = clock.after(lastLinesMs, () => process.exit(exits.done), true);
  await outbox.drained();
  late.cancel();
  return exits.done;
}
