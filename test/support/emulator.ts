/** What a person would see: a program under a real terminal, whose output a terminal emulator draws. */
import xterm from "@xterm/headless";
import { onTestFinished } from "vitest";
import { type Pty, type PtyOptions, startInPty } from "./pty.js";

export interface EmulatorOptions extends PtyOptions {
  /** What the emulator was sent before the program starts: what another program may have left behind. */
  readonly before?: string;
}

/** The caret of a terminal; columns and rows from 0. */
export interface Caret {
  readonly column: number;
  readonly row: number;
  readonly isVisible: boolean;
}

export interface Emulator {
  readonly pty: Pty;
  /** The rows that are visible, without blanks at their ends. */
  screen(): readonly string[];
  caret(): Caret;
  /** The modes that a program may leave behind, by name, where they are not as a terminal begins. */
  unusualModes(): readonly string[];
  /** What the program sent, whole. */
  sent(): string;
  /** Resolves once `isSo` holds for the screen; rejects with the screen when the program ends before. */
  until(isSo: (screen: string) => boolean): Promise<void>;
  /** `until` for a text on the screen. */
  seen(text: string): Promise<void>;
  /** Resolves once all that the program has printed is on the screen. */
  drawn(): Promise<void>;
  /** Gives terminal and emulator another size. */
  resize(columns: number, rows: number): void;
}

/** Starts `words` under an emulator, and ends them with the running test. */
export function startInEmulator(words: readonly string[], options: EmulatorOptions = {}): Emulator {
  const { columns = 80, rows = 24, before = "" } = options;
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const pty = startInPty(words, { ...options, columns, rows });
  const watchers = new Set<() => void>();
  let sent = "";
  terminal.write(before);
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
      return active.getLine(active.viewportY + row)?.translateToString(true) ?? "";
    });
  };
  const drawn = (): Promise<void> => new Promise((resolve) => terminal.write("", resolve));
  const until = async (isSo: (screen: string) => boolean): Promise<void> => {
    const found = new Promise<void>((resolve) => {
      const look = (): void => {
        if (!isSo(screen().join("\n"))) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
    });
    const over = pty.ended.then(async (exit) => {
      await drawn();
      if (!isSo(screen().join("\n"))) throw new Error(`Ended with ${exit}:\n${screen().join("\n")}`);
    });
    await Promise.race([found, over]);
  };
  return {
    pty,
    screen,
    caret: () => ({
      column: terminal.buffer.active.cursorX,
      row: terminal.buffer.active.cursorY,
      isVisible: sent.lastIndexOf("\u001b[?25h") >= sent.lastIndexOf("\u001b[?25l"),
    }),
    unusualModes: () => unusualModes(terminal, sent),
    sent: () => sent,
    until,
    seen: (text) => until((shown) => shown.includes(text)),
    drawn,
    resize(toColumns, toRows) {
      terminal.resize(toColumns, toRows);
      pty.resize(toColumns, toRows);
    },
  };
}

function unusualModes({ buffer, modes }: xterm.Terminal, sent: string): readonly string[] {
  const isHidden = sent.lastIndexOf("\u001b[?25l") > sent.lastIndexOf("\u001b[?25h");
  const unusual: readonly (readonly [name: string, isSo: boolean])[] = [
    ["alternate screen", buffer.active.type === "alternate"],
    ["bracketed paste", modes.bracketedPasteMode],
    ["focus events", modes.sendFocusMode],
    ["insert mode", modes.insertMode],
    ["mouse", modes.mouseTrackingMode !== "none"],
    ["origin mode", modes.originMode],
    ["no wraparound", !modes.wraparoundMode],
    ["hidden caret", isHidden],
  ];
  return unusual.filter(([, isSo]) => isSo).map(([name]) => name);
}
