/** What went wrong, for a person. */
import { errnoOf, shownText, WispError } from "../broker/index.js";

/** Three texts that are safe to print. */
export interface Complaint {
  readonly what: string;
  readonly why: string | null;
  /** What to do, with a command to paste where there is one. */
  readonly fix: string | null;
}

/** What a person is told of a broken promise; null for what is no error of ours, nor the system's. */
export function complaintOf(error: unknown): Complaint | null {
  if (error instanceof WispError) {
    const { message, why, fix } = error;
    return { what: shownText(message), why: why === null ? null : shownText(why), fix: shownText(fix) };
  }
  const errno = errnoOf(error);
  if (errno === null || !(error instanceof Error)) return null;
  return {
    what: `Something unexpected happened (${errno}).`,
    why: shownText(error.message),
    fix: null,
  };
}
