/**
 * How the face looks: bold, inverse and colours of the terminal's own palette of 16, which fits both light and dark
 * backgrounds. What matters is in the colour that texts have anyway. Nothing is told by a look alone: a word or a mark
 * stands beside it.
 */
import type { Level } from "../../broker/index.js";

/** Whether the terminal takes colours. Without them nothing is drawn but text. */
export interface Look {
  readonly colour: boolean;
}

/** What a piece of a line is drawn as. */
export type Style = "plain" | "strong" | "low" | "moderate" | "high" | "dangerous" | "added" | "removed";

/** How each style begins and ends, in numbers of SGR. */
const codes: Record<Exclude<Style, "plain">, readonly [begin: string, end: string]> = {
  strong: ["1", "22"],
  low: ["32", "39"],
  moderate: ["36", "39"],
  high: ["1;35", "22;39"],
  dangerous: ["1;7;31", "22;27;39"],
  added: ["32", "39"],
  removed: ["31", "39"],
};

/** `text` in `style`, but for blanks at its end. The only escapes that lines of the face ever hold are made here. */
export function painted(text: string, style: Style, look: Look): string {
  const visible = text.trimEnd();
  if (!look.colour || style === "plain" || visible === "") return text;
  const [begin, end] = codes[style];
  return `\u001b[${begin}m${visible}\u001b[${end}m${text.slice(visible.length)}`;
}

/** The style of a level; that of what has none is plain. */
export function levelStyle(tone: Level | "none"): Style {
  return tone === "none" ? "plain" : tone;
}

/** `level` with the mark of its tone before it, so that it is told without colours and at a glance. */
export function markedLevel(level: string, tone: Level | "none"): string {
  const mark = tone === "dangerous" ? "!! " : tone === "high" ? "! " : "";
  return level.startsWith(mark) ? level : `${mark}${level}`;
}
