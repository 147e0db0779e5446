/**
 * Frames on the terminal: ink, and the output that it is given. Ink believes that it writes to something that is no
 * terminal and never changes its size (ADR 0017): so it sends each frame in one piece, never erases what lies above the
 * screen, and changes no mode. Another size, or a screen that somebody else wrote on, is another canvas.
 */
import { EventEmitter } from "node:events";
import { type Instance, render } from "ink";
import type { ReactNode } from "react";

/** A screen that is drawn on. Opened by `openCanvas`. */
export interface Canvas {
  /** Nothing is written any more, not even by ink's own end. */
  close(): void;
}

/** Where a canvas is drawn. */
export interface CanvasParts {
  readonly columns: number;
  /** Writes a frame to the terminal. */
  readonly write: (text: string) => void;
  /** A frame is made. It is written at once or in a turn of its own, or not at all where it is as the one before. */
  readonly onFrame: () => void;
  /** Something could not be drawn. Called once. */
  readonly onError: (error: unknown) => void;
}

/** The terminal shows a frame when it is whole. Who does not know these marks shows it as it comes. */
const frameStart = "\u001b[?2026h";
const frameEnd = "\u001b[?2026l";

/** Draws `node`, now and whenever it changes, beginning at the upper left corner of a clear screen. */
export function openCanvas(node: ReactNode, { columns, write, onFrame, onError }: CanvasParts): Canvas {
  let isOpen = true;
  const output = Object.assign(new EventEmitter(), {
    isTTY: false,
    columns,
    // Rows are left out on purpose: ink compares with them and would clear the whole terminal, and what lies above it.
    write(text: string): boolean {
      if (isOpen && text !== "") write(`${frameStart}${mended(text)}${frameEnd}`);
      return true;
    },
  });
  write("\u001b[H\u001b[2J");
  const instance: Instance = render(node, {
    // Ink uses of a stream what stands above, and no more.
    stdout: output as unknown as NodeJS.WriteStream,
    exitOnCtrlC: false,
    patchConsole: false,
    incrementalRendering: true,
    isScreenReaderEnabled: false,
    onRender() {
      if (isOpen) onFrame();
    },
  });
  instance.waitUntilExit().catch((error: unknown) => {
    if (isOpen) onError(error);
  });
  return {
    close() {
      if (!isOpen) return;
      isOpen = false;
      instance.unmount();
    },
  };
}

/**
 * Ink 6.8 goes up one row too few before it writes what has changed, wherever a frame ends in a newline; what only moves
 * the caret is right. It passes rows that have not changed one by one, and goes to the first column where it is already.
 * Many blanks are erased and passed, which takes fewer bytes than writing them; where they stand nothing is inverse.
 * Whether this fits Ink is seen on a terminal in test/tui/components/updates.test.tsx.
 */
function mended(text: string): string {
  return text
    .replace(startOfUpdate, (_, caret: string, rows: string) => `${caret}\u001b[${Number(rows) + 1}A`)
    .replaceAll(`\n${firstColumn}`, "\n")
    .replaceAll(`${nextRow}${firstColumn}`, nextRow)
    .replace(rowsPassed, (run) => `\u001b[${run.length / nextRow.length}E`)
    .replace(manyBlanks, ({ length }) => `\u001b[${length}X\u001b[${length}C`);
}

const firstColumn = "\u001b[1G";
const nextRow = "\u001b[E";
const manyBlanks = / {11,}/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what moves the caret
const rowsPassed = /(?:\u001b\[E){2,}/g;
const startOfUpdate =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what moves the caret
  /^((?:\u001b\[\?25l(?:\u001b\[\d+B)?\u001b\[1G)?)\u001b\[(\d+)A(?!\u001b\[\d+G\u001b\[\?25h$)/;
