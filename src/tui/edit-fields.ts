/** An edit that a tool is asked to make, as two texts of which one replaces the other. */
import { type Request, shownLines } from "../broker/index.js";
import type { Field } from "../face/card.js";
import type { View } from "../face/view.js";

/** `view` with both texts behind the arguments in which they stand, as lines that can be compared; else as it was. */
export function withEdit(view: View, request: Request): View {
  const edit = editOf(request);
  if (edit === null) return view;
  const { fields } = view.card;
  const end = fields.findLastIndex(({ label }) => label === "with") + 1;
  const added = [content("before", edit.before), content("after", edit.after)];
  return {
    ...view,
    card: { ...view.card, fields: [...fields.slice(0, end), ...added, ...fields.slice(end)] },
  };
}

function editOf(request: Request): { readonly before: string; readonly after: string } | null {
  if (request.kind !== "approval" || request.subject.type === "command") return null;
  const { subject } = request;
  const given: Readonly<Record<string, unknown>> =
    subject.type === "tool" ? subject.arguments : subject.input;
  const { old_string: before, new_string: after } = given;
  return typeof before === "string" && typeof after === "string" ? { before, after } : null;
}

function content(label: string, text: string): Field {
  return { label, lines: shownLines(text).lines, isContent: true };
}
