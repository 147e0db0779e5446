/** What went wrong, for a person: what, why, what to do, three lines at most, on standard error. */
import { type ErrorCode, errnoOf, shownText, WispError } from "../broker/index.js";
import type { Complaint } from "../face/complaint.js";
import { exits } from "./exits.js";
import { lineForDoctor } from "./line-to-type.js";
import type { Terminal } from "./terminal.js";

/** Writes the three texts to standard error, a line each; empty places are left out. */
export function complain({ err }: Terminal, { what, why, fix }: Complaint): void {
  const lines = [`wisp: ${what}`, ...[why, fix].filter((line) => line !== null).map((line) => `  ${line}`)];
  err.write(`${lines.join("\n")}\n`);
}

/** Complains of what `code` stands for, and returns its exit code. */
export function refuse(code: ErrorCode, terminal: Terminal, complaint: Complaint): number {
  complain(terminal, complaint);
  return exitOfError(code);
}

/** Tells the person about `error` and returns the exit code. */
export function reportError(error: unknown, terminal: Terminal): number {
  if (error instanceof WispError) {
    const { message, why, fix } = error;
    return refuse(error.code, terminal, {
      what: shownText(message),
      why: why === null ? null : shownText(why),
      fix: shownText(fix),
    });
  }
  const isDebugging = terminal.environment.WISP_LOG === "debug";
  const text = error instanceof Error ? (isDebugging ? error.stack : error.message) : null;
  complain(terminal, {
    what: `Something unexpected happened (${errnoOf(error) ?? "no system error"}).`,
    why: shownText(text ?? String(error)),
    fix: isDebugging ? lineForDoctor(terminal) : "To see where, run it again with WISP_LOG=debug.",
  });
  return exits.unexpected;
}

/** What a command ends with when it was refused for this reason. */
export function exitOfError(code: ErrorCode): number {
  return exitsOf[code] ?? exits.unexpected;
}

/** Disks, descriptors and what is no error of a person's command are left out: nothing a script could branch on. */
const exitsOf: Readonly<Partial<Record<ErrorCode, number>>> = {
  invalid_input: exits.usage,
  request_unknown: exits.unknown,
  terminal_required: exits.noTerminal,
  answer_exists: exits.answered,
  answer_refused: exits.assurance,
  assurance_insufficient: exits.assurance,
  request_altered: exits.altered,
  channel_unsafe: exits.unsafe,
  config_invalid: exits.faulty,
  policy_invalid: exits.faulty,
  not_accepted: exits.altered,
  audit_unavailable: exits.unsafe,
  request_stale: exits.stale,
};
