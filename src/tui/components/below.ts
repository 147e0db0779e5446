/** What stands below the body: notices, and the keys. */

import { fitted } from "../screen/fold.js";
import { keyRows, noticeColumns } from "../screen/measures.js";
import type { KeyHint, Notice } from "../screen/screen.js";
import { type Look, painted } from "./look.js";

/** A notice in a row; what must be noticed has a mark and is strong. */
export function noticeLine({ text, isWarning }: Notice, columns: number, look: Look): string {
  const kept = fitted(text, noticeColumns(columns));
  return isWarning ? painted(`! ${kept}`, "high", look) : `  ${kept}`;
}

/** The keys in rows of at most `columns`. One that is not to be used now stands in parentheses. */
export function keyLines(keys: readonly KeyHint[], columns: number, look: Look): readonly string[] {
  return keyRows(keys, columns).map((row) => row.map((hint) => hintText(hint, look)).join(""));
}

function hintText({ key, does, isDim }: KeyHint, look: Look): string {
  return isDim ? `(${key} ${does})` : ` ${painted(key, "strong", look)} ${does} `;
}
