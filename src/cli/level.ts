/** How sure it is that a person gave an answer, in the few words that stand behind every ending. */
import { assuranceOf, type Receipt } from "../broker/index.js";

/** What a receipt says of who answered. */
type Seen = Pick<Receipt, "via" | "verified">;

/** The level of the answer, and where it came from when that was looked at; nothing where no person answered. */
export function levelMarks({ via, verified }: Seen): readonly string[] {
  if (via === null || via === "server") return [];
  const level = assuranceOf(via, verified);
  return verified?.ancestry === false ? [level, "from within a client's own processes"] : [level];
}

/** `approved (once, terminal)`: what was decided, with what must be known beside it; empty marks are left out. */
export function marked(what: string, marks: readonly (string | null)[]): string {
  const given = marks.filter((mark) => mark !== null);
  return given.length === 0 ? what : `${what} (${given.join(", ")})`;
}
