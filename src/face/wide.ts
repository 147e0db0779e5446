/**
 * Texts of any script as a terminal draws them, where wide characters count as two. Loaded only for texts that need
 * it: these tables and the segmenter cost more than all the rest of a command.
 */
import stringWidth from "string-width";
import { mostColumns } from "./columns.js";
import { isNarrow } from "./narrow.js";
import type { Widths } from "./wrap.js";

/** Made when it is first needed, which takes as long as drawing a screen. */
let segmenter: Intl.Segmenter | null = null;

/** Measures anything, and never too narrow. */
export const wide: Widths = {
  of: (text) => (isNarrow(text) ? text.length : mostColumns(text)),
  pieces: (text) => (isNarrow(text) ? text.split("") : piecesOf(text)),
};

/** Does `text` take as many columns as are counted, and not perhaps fewer? */
export function isExact(text: string): boolean {
  return wide.of(text) === stringWidth(text);
}

/**
 * UTF-16 units that are taken apart at a time. The segmenter needs ever longer for longer texts: seconds for one of 60,000
 * units with emoji in it, which anybody may ask to run.
 */
const windowUnits = 512;

/** A family of three has as many; what is wider would not fit everywhere, so it is cut between its code points. */
const mostPieceColumns = 8;

function piecesOf(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter();
  const pieces: string[] = [];
  let at = 0;
  while (at < text.length) {
    // Half of a character would part it from what belongs to it.
    const end = at + windowUnits - (isHigh(text.charCodeAt(at + windowUnits - 1)) ? 1 : 0);
    const found = Array.from(segmenter.segment(text.slice(at, end)), ({ segment }) => segment);
    // The last one may go on behind the window.
    const isEnd = end >= text.length;
    const whole = isEnd || found.length < 2 ? found : found.slice(0, -1);
    for (const piece of whole) {
      if (mostColumns(piece) > mostPieceColumns) pieces.push(...piece);
      else pieces.push(piece);
      at += piece.length;
    }
  }
  return pieces;
}

/** Does another unit follow that belongs to the same character? */
function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
