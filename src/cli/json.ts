/** What the commands print with `--json`. */
import { asciiJson } from "../broker/index.js";

/** One line of JSON that is safe on a terminal. */
export function jsonLine(value: unknown): string {
  return `${asciiJson(value)}\n`;
}
