/** How sure it is that a person gave an answer, in the few words that stand behind every ending. */
import { assuranceWords, type Receipt } from "../broker/index.js";

/** What a receipt says of who answered. */
type Seen = Pick<Receipt, "via" | "verified">;

/** The level of the answer, where it came from, and what was not seen of that; nothing where no person answered. */
export function levelMarks({ via, verified }: Seen): readonly string[] {
  return via === null || via === "server" ? [] : assuranceWords(via, verified);
}

/** `approved (once, terminal)`: what was decided, with what must be known beside it; empty marks are left out. */
export function marked(what: string, marks: readonly (string | null)[]): string {
  const given = marks.filter((mark) => mark !== null);
  return given.length === 0 ? what : `${what} (${given.join(", ")})`;
}
