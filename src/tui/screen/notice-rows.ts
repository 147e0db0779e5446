/** What a person was told, folded into the rows there are. */
import { fitted, foldedWords, widthOf } from "./fold.js";
import { noticeColumns } from "./measures.js";
import type { Notice } from "./screen.js";

/** The newest in full, then as much of the others as fits into `rows` rows. A row that goes on with another has a mark. */
export function noticeRows(notices: readonly Notice[], columns: number, rows: number): readonly Notice[] {
  const wide = noticeColumns(columns);
  let shown: readonly Notice[] = [];
  for (const { text, isWarning, at } of [...notices].reverse()) {
    const lines = linesOf(text, wide);
    const room = rows - shown.length;
    if (lines.length > room && shown.length > 0) break;
    const kept =
      lines.length <= room ? lines : [...lines.slice(0, room - 1), lines.slice(room - 1).join(" ")];
    shown = [...kept.map((line, index) => ({ text: rowOf(line, index, wide), isWarning, at })), ...shown];
  }
  return shown;
}

function linesOf(text: string, columns: number): readonly string[] {
  return widthOf(text) <= columns ? [text] : foldedWords(text, Math.max(1, columns - continued.length));
}

/** Notices tell of texts of requests: unmarked, the rest of such a text could pass for a notice of its own. */
function rowOf(line: string, index: number, columns: number): string {
  return fitted(index === 0 ? line : continued + line, columns);
}

const continued = "· ";
