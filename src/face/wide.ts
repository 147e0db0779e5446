/**
 * Texts of any script as a terminal draws them, where wide characters count as two. Loaded only for texts that need
 * it: these tables and the segmenter cost more than all the rest of a command.
 */
import stringWidth from "string-width";
import type { Widths } from "./wrap.js";

const segmenter = new Intl.Segmenter();

/** Measures anything. */
export const wide: Widths = {
  of: (text) => stringWidth(text),
  pieces: (text) => Array.from(segmenter.segment(text), ({ segment }) => segment),
};
