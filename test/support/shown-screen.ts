/** A terminal that shows what is written to it. */
import headless from "@xterm/headless";
import type { Size } from "../../src/tui/screen/screen.js";

export interface ShownScreen {
  write(text: string): void;
  /** What stands on the screen once everything written was read, a line for each row. */
  rows(): Promise<readonly string[]>;
  /** Column and row of the caret, from 0. */
  caret(): Promise<{ readonly x: number; readonly y: number }>;
}

/** An empty terminal of `size`. */
export function shownScreen({ columns, rows }: Size): ShownScreen {
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, convertEol: true });
  const isRead = (): Promise<void> => new Promise((resolve) => terminal.write("", resolve));
  return {
    write: (text) => terminal.write(text),
    async rows() {
      await isRead();
      const { active } = terminal.buffer;
      return Array.from(
        { length: rows },
        (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? "",
      );
    },
    async caret() {
      await isRead();
      const { active } = terminal.buffer;
      return { x: active.cursorX, y: active.cursorY };
    },
  };
}
