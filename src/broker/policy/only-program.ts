/** Which program a plain line runs, where it is only one. */
import { isComplex } from "./complex.js";
import { piecesOf } from "./pieces.js";

/** The first word of the one simple command that `line` is; null where it is more than that, or not understood. */
export function onlyProgramOf(line: string): string | null {
  if (isComplex(line)) return null;
  const [piece, ...others] = piecesOf(line, null);
  return others.length === 0 ? (piece?.words[0] ?? null) : null;
}
