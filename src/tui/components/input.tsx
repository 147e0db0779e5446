/** The line at the bottom in which a person types. */
import { useCursor } from "ink";
import type { ReactElement } from "react";
import { fitted, widthOf } from "../screen/fold.js";
import type { InputLine } from "../screen/screen.js";
import { Line } from "./line.js";
import { type Look, painted } from "./look.js";

/** `row` is the row of the screen that it stands in, from 0. */
export interface InputProps {
  readonly line: InputLine;
  readonly row: number;
  readonly columns: number;
  readonly look: Look;
}

/**
 * The terminal's own caret stands where the text is: an input method and a screen reader look for it there. It is told
 * with each frame, so this must not be skipped where the line is as it was.
 */
export function Input({ line, row, columns, look }: InputProps): ReactElement {
  const { setCursorPosition } = useCursor();
  const before = widthOf(line.prompt) + 1;
  setCursorPosition(
    line.caret === null ? undefined : { x: Math.min(before + line.caret, columns - 1), y: row },
  );
  return <Line text={inputText(line, columns, look)} />;
}

/** `prompt text`; the hint stands in parentheses, so that it does not pass for what was typed. */
export function inputText({ prompt, text, hint }: InputLine, columns: number, look: Look): string {
  const start = fitted(prompt, columns);
  const typed = text !== "" ? text : hint === "" ? "" : `(${hint})`;
  const rest = fitted(typed, Math.max(0, columns - widthOf(start) - 1));
  return `${painted(start, "strong", look)} ${rest}`;
}
