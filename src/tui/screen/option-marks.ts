/** Marks that tell which options of a question are chosen. They stand in the column of labels, which no text reaches. */
import { optionLabel } from "../../face/card.js";
import { type Model, type OpenCard, requestOf } from "../state/model.js";
import { replyTo } from "../state/replies.js";
import type { CardRow } from "./screen.js";

/**
 * `rows` of the open card with `( ) 1`, `(x) 2` before options of which one is chosen, and `[ ] 1`, `[x] 2` where several
 * may be. What is read aloud is told in words what would be sent, and not read anew for each choice.
 */
export function withMarks(rows: readonly CardRow[], model: Model, { entry }: OpenCard): readonly CardRow[] {
  const request = requestOf(entry);
  if (request?.kind !== "question" || model.isLinear) return rows;
  const { options, multiple } = request.question;
  const { numbers } = replyTo(model, request);
  const [open, close] = multiple ? ["[", "]"] : ["(", ")"];
  const labels = new Map(
    (options ?? []).map((_, index) => {
      const mark = numbers.includes(index + 1) ? "x" : " ";
      return [optionLabel(index + 1), `${open}${mark}${close} ${index + 1}`];
    }),
  );
  return rows.map((row) => ({ ...row, label: labels.get(row.label) ?? row.label }));
}
