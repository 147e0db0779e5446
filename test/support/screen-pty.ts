/** What a person would see: a program under a real terminal, whose output a terminal emulator draws. */
import headless from "@xterm/headless";
import { onTestFinished } from "vitest";
import { type Pty, type PtyOptions, startInPty } from "./pty.js";

export interface ScreenOptions extends PtyOptions {
  /** What the emulator was sent before the program starts: what another program may have left behind. */
  readonly before?: string;
}

/** The caret of a terminal; columns and rows from 0. */
export interface Caret {
  readonly column: number;
  readonly row: number;
  readonly isVisible: boolean;
}

export interface ScreenPty {
  readonly pty: Pty;
  /** The rows that are visible, without blanks at their ends. */
  screen(): readonly string[];
  caret(): Caret;
  /** What stands before the caret in its row. */
  beforeCaret(): string;
  /** The modes that a program may leave behind, by name, where they are not as a terminal begins. */
  unusualModes(): readonly string[];
  /** Is anything on the screen coloured, bold or inverse? */
  isPainted(): boolean;
  /** Is that cell? From 0. */
  isPaintedAt(row: number, column: number): boolean;
  /** What the program sent, whole. */
  sent(): string;
  /** Resolves once `isSo` holds for the screen; rejects with the screen when the program ends before. */
  until(isSo: (screen: string) => boolean): Promise<void>;
  /** `until` for a text on the screen. */
  seen(text: string): Promise<void>;
  /** Resolves with the exit code once the program has ended and all that it printed is on the screen. */
  ended(): Promise<number>;
  /** Gives terminal and emulator another size. */
  resize(columns: number, rows: number): void;
}

/** Starts `words` under an emulator, and ends them with the running test. */
export function startOnScreen(words: readonly string[], options: ScreenOptions = {}): ScreenPty {
  const { columns = 80, rows = 24, before = "" } = options;
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  terminal.write(before);
  const pty = startInPty(words, { ...options, columns, rows });
  const watchers = new Set<() => void>();
  let sent = "";
  // What an emulator answers when it is asked something goes to the program, as if it was typed.
  terminal.onData((reply) => pty.type(reply));
  pty.onOutput((text) => {
    sent += text;
    terminal.write(text, () => {
      for (const watcher of [...watchers]) watcher();
    });
  });
  onTestFinished(() => terminal.dispose());

  const screen = (): readonly string[] => {
    const { active } = terminal.buffer;
    return Array.from({ length: terminal.rows }, (_, row) => {
      return active.getLine(active.baseY + row)?.translateToString(true) ?? "";
    });
  };
  const ended = async (): Promise<number> => {
    const exit = await pty.ended;
    await new Promise<void>((resolve) => terminal.write("", resolve));
    return exit;
  };
  const until = async (isSo: (screen: string) => boolean): Promise<void> => {
    const isNow = (): boolean => isSo(screen().join("\n"));
    const found = new Promise<void>((resolve) => {
      const look = (): void => {
        if (!isNow()) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
    });
    const over = ended().then((exit) => {
      if (!isNow()) throw new Error(`Ended with ${exit}:\n${screen().join("\n")}`);
    });
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<never>((_, reject) => {
      const fail = (): void => reject(new Error(`Never seen:\n${screen().join("\n")}`));
      timer = setTimeout(fail, longestMs);
    });
    await Promise.race([found, over, tooLong]).finally(() => clearTimeout(timer));
  };
  return {
    pty,
    screen,
    caret: () => ({
      column: terminal.buffer.active.cursorX,
      row: terminal.buffer.active.cursorY,
      isVisible: !isCaretHidden(sent),
    }),
    beforeCaret() {
      const { active } = terminal.buffer;
      const line = active.getLine(active.baseY + active.cursorY);
      return line?.translateToString(false, 0, active.cursorX) ?? "";
    },
    unusualModes: () => unusualModes(terminal, sent),
    isPainted: () => isPainted(terminal),
    isPaintedAt: (row, column) => isCellPainted(terminal, row, column),
    sent: () => sent,
    until,
    seen: (text) => until((shown) => shown.includes(text)),
    ended,
    resize(toColumns, toRows) {
      terminal.resize(toColumns, toRows);
      pty.resize(toColumns, toRows);
    },
  };
}

/** Well within the time of a test, so that the screen is seen where something is missing on it. */
const longestMs = 40_000;

function isCaretHidden(sent: string): boolean {
  return sent.lastIndexOf("\u001b[?25l") > sent.lastIndexOf("\u001b[?25h");
}

function unusualModes({ buffer, modes }: headless.Terminal, sent: string): readonly string[] {
  const unusual: readonly (readonly [name: string, isSo: boolean])[] = [
    ["alternate screen", buffer.active.type === "alternate"],
    ["bracketed paste", modes.bracketedPasteMode],
    ["focus events", modes.sendFocusMode],
    ["insert mode", modes.insertMode],
    ["mouse", modes.mouseTrackingMode !== "none"],
    ["origin mode", modes.originMode],
    ["no wraparound", !modes.wraparoundMode],
    ["hidden caret", isCaretHidden(sent)],
  ];
  return unusual.filter(([, isSo]) => isSo).map(([name]) => name);
}

function isPainted(terminal: headless.Terminal): boolean {
  const { rows, cols } = terminal;
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < cols; column += 1) {
      if (isCellPainted(terminal, row, column)) return true;
    }
  }
  return false;
}

function isCellPainted({ buffer: { active } }: headless.Terminal, row: number, column: number): boolean {
  return (
    active
      .getLine(active.baseY + row)
      ?.getCell(column)
      ?.isAttributeDefault() === false
  );
}
