/** What a person was told, folded into the rows there are. */
import type { Noted } from "../state/model.js";
import { fitted, foldedWords } from "./fold.js";
import { noticeColumns } from "./measures.js";
import type { Notice } from "./screen.js";

/** The newest in full, then as much of the others as fits into `rows` rows. */
export function noticeRows(notices: readonly Noted[], columns: number, rows: number): readonly Notice[] {
  const wide = noticeColumns(columns);
  let shown: readonly Notice[] = [];
  for (const { text, isWarning } of [...notices].reverse()) {
    const lines = foldedWords(text, wide);
    const room = rows - shown.length;
    if (lines.length > room && shown.length > 0) break;
    const kept =
      lines.length <= room ? lines : [...lines.slice(0, room - 1), rest(lines.slice(room - 1), wide)];
    shown = [...kept.map((line) => ({ text: line, isWarning })), ...shown];
  }
  return shown;
}

function rest(lines: readonly string[], columns: number): string {
  return fitted(lines.join(" "), columns);
}
