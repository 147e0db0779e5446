/**
 * Frames on the terminal: ink, and the output that it is given. Ink believes that it writes to something that is no
 * terminal and never changes its size (ADR 0017): so it sends each frame in one piece, never erases what lies above the
 * screen, and changes no mode. Another size, or a screen that somebody else wrote on, is another canvas.
 */
import { EventEmitter } from "node:events";
import { type Instance, render } from "ink";
import type { ReactNode } from "react";

export interface Canvas {
  /** Nothing is written any more, not even by ink's own end. */
  close(): void;
}

export interface CanvasParts {
  readonly columns: number;
  /** Writes a frame to the terminal. */
  readonly write: (text: string) => void;
  /** Something could not be drawn. Called once. */
  readonly onError: (error: unknown) => void;
}

/** The terminal shows a frame when it is whole. Who does not know these marks shows it as it comes. */
const frameStart = "\u001b[?2026h";
const frameEnd = "\u001b[?2026l";

/** Draws `node`, now and whenever it changes, beginning at the upper left corner of a clear screen. */
export function openCanvas(node: ReactNode, { columns, write, onError }: CanvasParts): Canvas {
  let isOpen = true;
  const output = Object.assign(new EventEmitter(), {
    isTTY: false,
    columns,
    // Rows are left out on purpose: ink compares with them and would clear the whole terminal, and what lies above it.
    write(text: string): boolean {
      if (isOpen && text !== "") write(`${frameStart}${text}${frameEnd}`);
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
