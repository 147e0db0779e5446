/** What may stand after `wisp mcp`. Strict: a flag that is dropped in silence might have been the one that mattered. */
import { shownText } from "../../broker/index.js";

/** The arguments, read. */
export interface McpArguments {
  /** For how many seconds a call is held; null where nothing is said. */
  readonly hold: number | null;
}

/** How it is used. */
export const mcpSynopsis = "[--hold SECONDS]";

const longestHoldSeconds = 86_400;

/** Or what is wrong with them, in one line that is safe to show. */
export function readArguments(argv: readonly string[]): McpArguments | string {
  const [flag, ...rest] = argv;
  if (flag === undefined) return { hold: null };
  const [name, ...joined] = flag.split("=");
  if (name !== "--hold") return wrong(`it does not take ${JSON.stringify(flag)}`);
  const values = joined.length > 0 ? [joined.join("="), ...rest] : rest;
  const [value = "", ...others] = values;
  if (others.length > 0) return wrong(`it does not take ${JSON.stringify(others[0])}`);
  // Decimal digits and nothing else: what reads as a number to one program is another number to the next.
  const hold = /^(0|[1-9][0-9]{0,4})$/.test(value) ? Number(value) : Number.NaN;
  if (!(hold <= longestHoldSeconds)) {
    return wrong(`--hold takes whole seconds from 0 to ${longestHoldSeconds}, not ${JSON.stringify(value)}`);
  }
  return { hold };
}

function wrong(what: string): string {
  return `${shownText(what)}. Usage: wisp mcp ${mcpSynopsis}`;
}
