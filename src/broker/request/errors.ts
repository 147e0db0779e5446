/**
 * Broken promises: I/O, tampering, wrong input, a programmer's error. What a person or a timer did is never
 * an error: that is an `Outcome`. Callers branch on `code`, never on the message.
 */

/** What a code stands for. */
export interface ErrorFacts {
  /** May the same call succeed later without anybody changing anything about it? */
  readonly retryable: boolean;
  /** One instruction: what whoever receives the error does next. */
  readonly recovery: string;
}

/**
 * What can be thrown. The rest of the closed list is told and never thrown (error-codes.ts): who waits for a verb of the command
 * line need not wait for its texts.
 */
export const thrownCodes = {
  answer_exists: { retryable: false, recovery: "Somebody answered first; read how it ended." },
  answer_refused: { retryable: false, recovery: "The answer was not taken and the request still waits." },
  assurance_insufficient: {
    retryable: false,
    recovery: "Answer from a terminal outside of the client that asks; the request still waits.",
  },
  audit_unavailable: {
    retryable: true,
    recovery: "The decision could not be written down, so nothing ran. Tell the person to run: wisp doctor",
  },
  channel_unavailable: {
    retryable: true,
    recovery: "Free space, descriptors or permissions, then try again.",
  },
  channel_unsafe: { retryable: true, recovery: "Repair the directory as the message says, then try again." },
  command_not_started: {
    retryable: true,
    recovery: "The system could not start the command and nothing ran. Make the same call again later.",
  },
  config_invalid: {
    retryable: true,
    recovery: "Tell the person to correct config.json as the message says.",
  },
  indeterminate_outcome: {
    retryable: false,
    recovery: "It may have run. Tell the person, and look at what it did before anything else.",
  },
  invalid_input: { retryable: false, recovery: "Correct the argument that the message names." },
  not_accepted: {
    retryable: true,
    recovery: "Nothing was accepted. Look again: wisp accept",
  },
  policy_invalid: {
    retryable: true,
    recovery: "Tell the person to correct the policy file as the message says.",
  },
  policy_refused: {
    retryable: false,
    recovery: "The person's settings do not allow it; do not look for another way.",
  },
  replay_drift: {
    retryable: true,
    recovery: "What was approved has changed and nothing ran; make the same call again for a fresh ask.",
  },
  request_altered: {
    retryable: false,
    recovery: "The request was changed after it was filed; do not answer it.",
  },
  request_exists: { retryable: true, recovery: "Try again; a new id is drawn." },
  request_stale: { retryable: false, recovery: "The server that asked is gone; nothing ran." },
  request_too_large: { retryable: false, recovery: "Make the request smaller." },
  request_unknown: { retryable: false, recovery: "List what waits: wisp approvals pending" },
  terminal_required: { retryable: false, recovery: "Answer from a terminal." },
  upstream_unavailable: {
    retryable: true,
    recovery: "The server behind the gate did not answer and nothing ran. Tell the person if it stays so.",
  },
} as const satisfies Record<string, ErrorFacts>;

/** The codes of errors. */
export type ThrownCode = keyof typeof thrownCodes;

/** What is known beside what happened. Texts may hold what came from outside: they are shown through `shown`. */
export interface ErrorExtras {
  /** Why it matters or what was found: the second line a person reads. */
  readonly why?: string;
  /** What to do, with a command to paste where there is one: the third line. */
  readonly fix?: string;
  /** Machine-readable facts: paths, ids, limits. Never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

const errorName = "WispError";

/** The one error class of the broker. `message` says what happened; `why` and `fix` complete it for a person. */
export class WispError extends Error {
  /** Each program that ships has a copy of this class, and gets errors from those that it loads: they are ours as well. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === errorName;
  }

  override readonly name = errorName;
  readonly code: ThrownCode;
  readonly why: string | null;
  readonly fix: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ThrownCode, message: string, extras: ErrorExtras = {}) {
    super(message, extras);
    this.code = code;
    this.why = extras.why ?? null;
    this.fix = extras.fix ?? thrownCodes[code].recovery;
    this.details = extras.details ?? {};
  }
}

/** The errno name (`ENOSPC`, …) of a system error, or null. The code of a `WispError` is none. */
export function errnoOf(error: unknown): string | null {
  if (!(error instanceof Error) || error instanceof WispError || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

/** The same of an error that can only be one of the system's. Any other is a mistake in the program, and thrown on. */
export function expectErrno(error: unknown): string {
  const errno = errnoOf(error);
  if (errno === null) throw error;
  return errno;
}

/** `error`, which can only be a promise of ours that was broken. Any other is a mistake in the program, and thrown on. */
export function expectWispError(error: unknown): WispError {
  if (error instanceof WispError) return error;
  throw error;
}
