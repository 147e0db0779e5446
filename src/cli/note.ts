/** The person's words to the agent. */
import { longestNote, textObjection } from "../broker/index.js";
import { type Arguments, type Shape, wrongUsage } from "./arguments.js";

/** The line of help for `--note`. */
export const noteHelp = "--note TEXT     your words for the agent";

/** The note given with `--note`, or null. Throws invalid_input for one that no answer can carry. */
export function noteFrom({ options }: Arguments, shape: Shape): string | null {
  const note = options.get("note") ?? "";
  if (note.length > longestNote) throw wrongUsage(`The note is over ${longestNote} characters.`, shape);
  const objection = textObjection(note);
  if (objection !== null) throw wrongUsage(`The note cannot be sent: ${objection}.`, shape);
  return note === "" ? null : note;
}
