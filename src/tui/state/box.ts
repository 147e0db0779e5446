/** The input box: while it has the focus every key that prints is text, and nothing that is typed is lost. */
import { isWider } from "../../broker/index.js";
import { parseSlash, type Slash, slashCompletions } from "../../face/slash.js";
import { runSlash } from "./commands.js";
import { withoutConfirming } from "./confirming.js";
import type { Key } from "./event.js";
import { edited, emptyLine, type Line, withText } from "./line.js";
import type { Model, Quiet, Stepped } from "./model.js";
import { still } from "./model.js";
import { hinted } from "./notices.js";
import { runSpoken, unheard } from "./speaking.js";
import { isSpokenAnswer, type Spoken, spokenOf } from "./spoken.js";

/** `key` in the box `line`; `quiet` is that from before the key. */
export function boxKey(model: Model, line: Line, key: Key, quiet: Quiet, at: number): Stepped {
  switch (key.name) {
    case "escape":
      return still({ ...withoutConfirming(model), box: null });
    case "return":
      return entered(model, line, quiet, at);
    case "tab":
      return still({ ...model, box: completed(model, line) });
    default:
      return still({ ...model, box: edited(line, key) });
  }
}

/** Enter runs what was typed and leaves. What cannot be run stays where it is. */
function entered(model: Model, line: Line, quiet: Quiet, at: number): Stepped {
  if (line.text.trim() === "") return still({ ...model, box: null });
  const slash = parseSlash(line.text);
  const spoken = model.isLinear && slash.kind === "text" ? spokenOf(line.text) : null;
  // Only what was typed answers: whoever wrote what is pasted may be another, and Enter comes easily behind it.
  if (line.isPasted && isAnswer(slash, spoken)) return still(hinted(model, pastedText, at));
  const asked = isAskedTwice(slash, spoken) ? model : withoutConfirming(model);
  if (spoken !== null) return runSpoken(asked, spoken, quiet, at);
  if (model.isLinear && slash.kind === "text") return still(unheard(asked, line.text.trim(), at));
  return runSlash(asked, slash, quiet, at);
}

/** Is it what a person is asked twice for? */
function isAskedTwice(slash: Slash, spoken: Spoken | null): boolean {
  const said = spoken ?? slash;
  if (said.kind === "keep") return said.scope === "always";
  return said.kind === "approve" && isWider(said.scope);
}

const pastedText = "Not answered: pasted text answers nothing. Esc empties the line; then type it.";

function isAnswer(slash: Slash, spoken: Spoken | null): boolean {
  if (spoken !== null) return isSpokenAnswer(spoken);
  return answeringKinds.has(slash.kind);
}

const answeringKinds: ReadonlySet<Slash["kind"]> = new Set(["approve", "deny", "keep", "drop", "decline"]);

/** The only way in which `line` can go on; the same line where there are several, or none. */
function completed({ inbox }: Model, line: Line): Line {
  if (line.caret < line.text.length) return line;
  const ids = inbox.requests.map(({ id }) => id);
  const [only, ...others] = slashCompletions(line.text, ids);
  return only === undefined || others.length > 0 ? line : withText(emptyLine, `${only} `, line.isPasted);
}
