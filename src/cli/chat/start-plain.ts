/** Plain chat on the standard streams of this process. */
import { lateIds } from "../../face/find.js";
import type { Inbox } from "../../face/inbox.js";
import { openInbox } from "../../face/open-inbox.js";
import { wispLine } from "../../face/quote.js";
import { slashCompletions } from "../../face/slash.js";
import type { Terminal } from "../terminal.js";
import { chatTerminal } from "./chat-terminal.js";
import { idsFor } from "./doing.js";
import type { Lines } from "./lines.js";
import { type News, newsOf } from "./news.js";
import { pipedLines } from "./piped.js";
import { chatPlainly } from "./plain.js";
import { promptLines } from "./prompt.js";

/** Returns the exit code. Throws channel_unsafe, channel_unavailable. */
export async function startPlain(own: Terminal): Promise<number> {
  // One for the whole session: whatever Ctrl-C interrupts, it leaves.
  const interrupted = own.interruption();
  const terminal = chatTerminal(own, interrupted);
  const { canAnswer, clock, err, environment, out } = terminal;
  // Loaded at once, for whatever comes has to be told without delay.
  const { wide } = await import("../../face/wide.js");
  const inbox = openInbox(terminal, "chat");
  try {
    const columns = (): number => (out.isTerminal ? out.columns : Number.POSITIVE_INFINITY);
    const news = newsOf({ inbox, clock, widths: wide, columns, canAnswer });
    if (canAnswer) err.write("Slash commands answer what waits; /help lists them, Ctrl-D leaves.\n");
    else
      err.write(
        `Nobody can answer here. Open a terminal and run: ${wispLine(environment, ["chat", "--plain"])}\n`,
      );
    const lines = linesFor(terminal, inbox, news, interrupted);
    return await chatPlainly({ inbox, news, lines, terminal, interrupted });
  } finally {
    inbox.close();
    process.stdin.destroy();
  }
}

function linesFor(
  { canAnswer, clock, environment, err }: Terminal,
  inbox: Inbox,
  { told }: News,
  interrupted: AbortSignal,
): Lines {
  if (!canAnswer) return pipedLines(process.stdin, interrupted);
  return promptLines({
    input: process.stdin,
    output: process.stderr,
    clock,
    interrupted,
    complete: (line) => slashCompletions(line, idsFor(line, inbox.state.requests, lateIds(inbox.home), told)),
    canDraw: err.isTerminal && environment.TERM !== "dumb",
  });
}
