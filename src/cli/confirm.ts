/** The question before a yes that must not be given by one keystroke. */
import {
  type ApprovalRequest,
  type Receipt,
  type Request,
  type Scope,
  typedWord,
  waitForEnd,
} from "../broker/index.js";
import type { Card } from "../face/card.js";
import type { Waiting } from "../face/waiting.js";
import type { Drawn } from "./render.js";
import type { Output, Terminal } from "./terminal.js";

/** What came of the question; an answer is given only after `yes`. */
export type Confirmation =
  | { readonly kind: "yes" }
  /** Anything but the expected word was typed: nothing is answered and the request goes on waiting. */
  | { readonly kind: "no"; readonly expected: string }
  /** `--confirm` named another word; only at level dangerous one is needed at all. */
  | { readonly kind: "wrong word"; readonly expected: string; readonly isNeeded: boolean }
  | { readonly kind: "interrupted" }
  /** The request ended while the question stood there; null when nothing says how. */
  | { readonly kind: "ended"; readonly receipt: Receipt | null };

/** What is to be approved, and what decides whether a person is asked once more. */
export interface Confirming {
  readonly request: ApprovalRequest;
  readonly scope: Scope;
  /** The word given with `--confirm`, or null. */
  readonly given: string | null;
  /** Can what runs be overlooked: is it long, does it hold escapes, or was it not shown on a terminal? */
  readonly isHardToRead: boolean;
  readonly untilEnd: UntilEnd;
}

/** Resolves when there is nothing to ask about any more, with the receipt that says why, or when `signal` is aborted. */
export type UntilEnd = (signal: AbortSignal) => Promise<Receipt | null>;

/** The same for `request`, which waits; what its server left behind is swept meanwhile. */
export function untilEndOf(
  request: Request,
  { channel, sweepAgain }: Pick<Waiting, "channel" | "sweepAgain">,
  { clock }: Pick<Terminal, "clock">,
): UntilEnd {
  return (signal) => waitForEnd(request, { channel, clock, signal, sweep: sweepAgain });
}

/** Asks where it must be asked. At level dangerous the person types a word that stands in the action. */
export async function confirm(
  confirming: Confirming,
  terminal: Terminal,
  interrupted: AbortSignal,
): Promise<Confirmation> {
  const { request, scope, given, isHardToRead } = confirming;
  const isDangerous = request.level === "dangerous";
  const word = typedWord(request.subject);
  if (given !== null && given !== word) {
    return { kind: "wrong word", expected: word, isNeeded: isDangerous };
  }
  if (isDangerous && given !== null) return { kind: "yes" };
  if (!isDangerous && !isHardToRead) return { kind: "yes" };
  const expected = isDangerous ? word : "y";
  const question = `Type ${isDangerous ? `"${word}"` : "y"} and Enter to approve (${scope}); anything else answers nothing: `;
  const typed = await readOrEnd(question, confirming.untilEnd, terminal, interrupted);
  if (typed.kind !== "line") return typed;
  const line = typed.line?.trim();
  // A word of the action is typed as it stands there; our own y is not case-sensitive.
  const isYes = isDangerous ? line === expected : line?.toLowerCase() === expected;
  return isYes ? { kind: "yes" } : { kind: "no", expected };
}

/** What fits ten lines, and stands on the screen with all that is said of it, is read at one glance; more is asked about again. */
const mostRowsAtOnce = 10;

/** Can what runs, where, or by whom be overlooked on the card as it was drawn? A card that went into a file was read by nobody. */
export function isHardToRead(
  drawn: Drawn,
  { escapes }: Card,
  { isTerminal, rows }: Pick<Output, "isTerminal" | "rows">,
): boolean {
  // Below the card stands the line that the shell or the answer writes.
  const isOnScreen = drawn.rows < rows;
  return drawn.contentRows > mostRowsAtOnce || !isOnScreen || escapes > 0 || !isTerminal;
}

/** What came of a question at the terminal. */
export type Typed =
  | { readonly kind: "line"; readonly line: string | null }
  | Extract<Confirmation, { kind: "ended" | "interrupted" }>;

/**
 * Whichever comes first: a line, Ctrl-C, or the end of the request, which leaves nothing to ask about. With `isWhole` what
 * comes together with the line, as from a paste, stands behind it.
 */
export async function readOrEnd(
  question: string,
  untilEnd: UntilEnd,
  terminal: Terminal,
  interrupted: AbortSignal,
  isWhole = false,
): Promise<Typed> {
  const over = new AbortController();
  const signal = AbortSignal.any([interrupted, over.signal]);
  const line = terminal
    .readLine(question, signal, isWhole)
    .then((text): Typed => ({ kind: "line", line: text }));
  const ended = untilEnd(signal).then((receipt): Typed => ({ kind: "ended", receipt }));
  try {
    const first = await Promise.race([line, ended]);
    return interrupted.aborted ? { kind: "interrupted" } : first;
  } finally {
    over.abort();
    await Promise.allSettled([line, ended]);
  }
}
