/** A thing that cannot be used, as a check. */
import { expectWispError, shownText } from "../../broker/index.js";
import { type Check, failure } from "./check.js";

/** Why, and what to do, in the words of `error`. Throws it where it is none of ours. */
export function unusable(name: string, error: unknown): Check {
  const { code, message, why, fix } = expectWispError(error);
  const detail = `${shownText(message)}${why === null ? "" : ` ${shownText(why)}`}`;
  return { ...failure(name, detail, shownText(fix)), isUnsafe: code === "channel_unsafe" };
}
