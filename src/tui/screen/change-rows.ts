/** A text that replaces another one, line by line: what goes, what comes, and what stays. */
import { diffArrays } from "diff";
import type { Field } from "../../face/card.js";
import { folded } from "./fold.js";
import type { CardRow, CardTone } from "./screen.js";

/** `before` and `after` as one text of `columns`; null where the second does not replace the first, or nothing is alike. */
export function changeRows(before: Field, after: Field, columns: number): readonly CardRow[] | null {
  if (replacedBy.get(before.label) !== after.label || !before.isContent || !after.isContent) return null;
  const parts = diffArrays([...before.lines], [...after.lines], { maxEditLength: mostEdits });
  if (parts === undefined) return null;
  let label = "change";
  return parts.flatMap(({ added, removed, value }) => {
    const tone: CardTone = added ? "added" : removed ? "removed" : "content";
    const mark = added ? "+ " : removed ? "- " : "  ";
    return value.flatMap((line) =>
      folded(line, Math.max(1, columns - mark.length)).map((piece, index) => {
        const row = {
          label,
          text: `${index === 0 ? mark : continued}${piece}`,
          tone,
          isFold: index > 0,
        };
        label = "";
        return row;
      }),
    );
  });
}

/** Which field replaces which, by our labels. */
const replacedBy: ReadonlyMap<string, string> = new Map([
  ["before", "after"],
  ["was", "became"],
]);

/** Texts that differ in more lines have nothing to do with each other, and comparing them takes ever longer. */
const mostEdits = 1_000;

/** Where a folded line goes on, so that no part of it passes for a line of its own. */
const continued = "· ";
