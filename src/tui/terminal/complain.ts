/** What went wrong, for a person who sees a terminal again: what, why, what to do, on standard error. */
import { writeSync } from "node:fs";
import { errnoOf, shownText, WispError } from "../../broker/index.js";
import type { Complaint } from "../../face/complaint.js";
import type { Answer } from "../store.js";

/** What `wisp-tui` ends with: the exit codes of `wisp`. */
export const exits = { done: 0, unexpected: 1, usage: 2, noTerminal: 4, unsafe: 8, hungUp: 129 } as const;

/** Writes the texts, which are safe to print, a line each; empty places are left out. */
export function complain({ what, why, fix }: Complaint): void {
  const lines = [
    `wisp-tui: ${what}`,
    ...[why, fix].filter((line) => line !== null).map((line) => `  ${line}`),
  ];
  say(`${lines.join("\n")}\n`);
}

/** Tells what ended the face, and returns the exit code. */
export function reportError(error: unknown, { WISP_LOG }: NodeJS.ProcessEnv): number {
  if (error instanceof WispError) {
    const { message, why, fix, code } = error;
    complain({
      what: shownText(message),
      why: why === null ? null : shownText(why),
      fix: shownText(fix),
    });
    return code === "channel_unsafe" ? exits.unsafe : exits.unexpected;
  }
  const isDebugging = WISP_LOG === "debug";
  const text = error instanceof Error ? (isDebugging ? error.stack : error.message) : null;
  complain({
    what: `Something unexpected happened (${errnoOf(error) ?? "no system error"}).`,
    why: shownText(text ?? String(error)),
    fix: isDebugging ? null : "To see where, run it again with WISP_LOG=debug.",
  });
  return exits.unexpected;
}

/** Tells of answers that a person left before they were read: a line each, and no more than anybody reads. */
export function tellUnread(answers: readonly Answer[]): void {
  const lines = answers.slice(0, mostTold).map(({ request, given }) => {
    const what = `not read yet: your answer to ${shownText(request.id)} (${given.decision})`;
    return given.decision === "approve" ? `${what}; a yes counts only while this face is there` : what;
  });
  const more = answers.length - lines.length;
  const all = more > 0 ? [...lines, `not read yet: ${more} more`] : lines;
  if (all.length > 0) say(all.map((line) => `wisp-tui: ${line}.\n`).join(""));
}

const mostTold = 20;

function say(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // The terminal has hung up, or standard error is closed: nobody is there to be told.
  }
}
