/** What a dialog can show in full. Clients cut long messages, and what is cut off is what somebody hid. */
import type { Shown } from "../../broker/index.js";

const longestShown = 1_500;
const mostLines = 25;

/** Lines as a form shows them. */
export interface Fitted {
  readonly lines: readonly string[];
  /** Everything is in them, character for character. */
  readonly isWhole: boolean;
}

/** `lines`, in which stand so many escapes, and what the form shows `beside` them; cut where that is too much. */
export function fitted(lines: readonly string[], escapes: number, beside: Shown | null = null): Fitted {
  const length = [...lines, beside?.text ?? ""].reduce((sum, line) => sum + line.length, 0);
  const isWhole =
    length <= longestShown && lines.length <= mostLines && escapes + (beside?.escapes ?? 0) === 0;
  return { lines: isWhole ? lines : cut(lines), isWhole };
}

/** The beginning of what is too long, line by line; that it was cut stands in the text itself. */
export function cut(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let left = longestShown;
  for (const line of lines.slice(0, mostLines)) {
    const characters = [...line];
    kept.push(characters.slice(0, left).join(""));
    left -= characters.length;
    if (left <= 0) break;
  }
  const isCut = left < 0 || kept.length < lines.length;
  return isCut ? kept.map((line, index) => (index < kept.length - 1 ? line : `${line} … (cut)`)) : lines;
}

/** A text of the agent must not be able to write what looks like the lines below it. No line holds a newline. */
export function guttered(lines: readonly string[]): string {
  return lines.map((line) => `│ ${line}`).join("\n");
}
