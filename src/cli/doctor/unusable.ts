/** A thing that cannot be used, as a check. */
import { shownText, WispError } from "../../broker/index.js";
import { type Check, failure } from "./check.js";

/** Why, and what to do, in the words of `error`. Throws it where it is none of ours. */
export function unusable(name: string, error: unknown): Check {
  if (!(error instanceof WispError)) throw error;
  const detail = `${shownText(error.message)}${error.why === null ? "" : ` ${shownText(error.why)}`}`;
  return { ...failure(name, detail, shownText(error.fix)), isUnsafe: error.code === "channel_unsafe" };
}
