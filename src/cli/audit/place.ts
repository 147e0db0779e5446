/** Where something is wrong in a log, in words. */
import type { BadPlace } from "../../broker/index.js";

/** `audit/log.jsonl:3 (record 3)`. The name of the file may be anybody's. */
export function placeText({ file, line, seq }: BadPlace): string {
  return seq === null ? `audit/${file}` : `audit/${file}:${line} (record ${seq})`;
}
