/** The queue: a line for each request that waits. */
import { cellGap, queueCells } from "../screen/measures.js";
import type { QueuePart, QueueRow } from "../screen/screen.js";
import { cell } from "./cells.js";
import { type Look, levelStyle, markedLevel, painted, type Style } from "./look.js";

/** The names of the columns, then the rows, each as wide as the queue; nothing where the card takes all of the room. */
export function queueLines(queue: QueuePart, look: Look): readonly string[] {
  if (queue.rows.length === 0) return [];
  return [headingOf(queue, look), ...queue.rows.map((row) => lineOf(row, queue.columns, look))];
}

function headingOf({ above, below, columns }: QueuePart, look: Look): string {
  const hidden = [
    above === 0 ? [] : [`↑ ${above.toLocaleString("en-US")}`],
    below === 0 ? [] : [`↓ ${below.toLocaleString("en-US")}`],
  ].flat();
  const what = hidden.length === 0 ? "what" : `what (${hidden.join(", ")} more)`;
  const names = { id: "id", level: "level", what, who: "who", left: "left" };
  return lineWith(" ", names, "plain", "plain", columns, look);
}

function lineOf(row: QueueRow, columns: number, look: Look): string {
  const texts = { ...row, level: markedLevel(row.level, row.tone) };
  const style = row.isSelected ? "strong" : "plain";
  return lineWith(row.isSelected ? "›" : " ", texts, style, levelStyle(row.tone), columns, look);
}

function lineWith(
  mark: string,
  texts: Pick<QueueRow, "id" | "level" | "what" | "who" | "left">,
  style: Style,
  levelIn: Style,
  columns: number,
  look: Look,
): string {
  const cells = queueCells(columns);
  const after = [
    cell(texts.what, cells.what),
    ...(cells.who === 0 ? [] : [cell(texts.who, cells.who)]),
    cell(texts.left, cells.left),
  ].join(cellGap);
  return (
    painted(mark + cell(texts.id, cells.id) + cellGap, style, look) +
    painted(cell(texts.level, cells.level), levelIn, look) +
    painted(cellGap + after, style, look)
  );
}
