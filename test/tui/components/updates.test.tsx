import type { ReactElement } from "react";
import { useSyncExternalStore } from "react";
import { describe, expect, it, onTestFinished } from "vitest";
import { Face } from "../../../src/tui/components/face.js";
import type { Look } from "../../../src/tui/components/look.js";
import { drawable } from "../../../src/tui/screen/measures.js";
import type { InputLine, Screen, Size } from "../../../src/tui/screen/screen.js";
import { openCanvas } from "../../../src/tui/terminal/canvas.js";
import { screenModes } from "../../../src/tui/terminal/modes.js";
import { colourLook, drawn, plainLook } from "../../support/drawn.js";
import { cardPart, cardRow, queueRow, screenOf, workBody } from "../../support/screens.js";
import { type ShownScreen, shownScreen } from "../../support/shown-screen.js";

interface Shown extends ShownScreen {
  close(): void;
  /** Draws `screen` and resolves with how many bytes that took. */
  show(screen: Screen): Promise<number>;
}

interface Source {
  readonly subscribe: (listener: () => void) => () => void;
  readonly screen: () => Screen;
  readonly look: Look;
}

function Shows({ subscribe, screen, look }: Source): ReactElement {
  return <Face screen={useSyncExternalStore(subscribe, screen)} look={look} />;
}

/** `first` on a terminal of `size`, as the program draws it. */
function shown(size: Size, first: Screen, look: Look = plainLook): Shown {
  const terminal = shownScreen(size);
  screenModes({ write: terminal.write, setRawMode: () => {} }).enter();
  const listeners = new Set<() => void>();
  let bytes = 0;
  let frames = 0;
  let screen = first;
  const source: Source = {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    screen: () => screen,
    look,
  };
  const canvas = openCanvas(<Shows {...source} />, {
    columns: size.columns,
    write(text) {
      terminal.write(text);
      bytes += Buffer.byteLength(text);
      frames += 1;
    },
    onFrame: () => {},
    onError: (error) => {
      throw error;
    },
  });
  onTestFinished(() => canvas.close());
  return {
    ...terminal,
    close: () => canvas.close(),
    async show(next) {
      const before = { bytes, frames };
      screen = next;
      for (const listener of [...listeners]) listener();
      await expect.poll(() => frames).toBeGreaterThan(before.frames);
      return bytes - before.bytes;
    },
  };
}

const size = { columns: 80, rows: 24 };
const room = drawable(size);

const card = (overrides: Parameters<typeof cardPart>[0] = {}): ReturnType<typeof cardPart> =>
  cardPart({ columns: room.columns, ...overrides });
const screen = (overrides: Partial<Screen> = {}): Screen =>
  screenOf({ size: room, body: workBody(card()), ...overrides });
const typing = (text: string, caret: number | null): InputLine => ({ prompt: "›", text, caret, hint: "" });

/** Screens of which each differs from the others in other rows. */
const screens: readonly (readonly [string, Screen])[] = [
  ["a card", screen()],
  [
    "another card",
    screen({ body: workBody(card({ id: "p4rv8d2k", rows: [cardRow("runs", "日本語 ".repeat(8))] })) }),
  ],
  [
    "nothing",
    screen({ header: { waits: "", health: "", isHealthy: true }, body: { kind: "empty", lines: ["-"] } }),
  ],
  ["notices", screen({ notices: [{ text: "no longer waiting", isWarning: false, at: 1 }] })],
  ["a text", screen({ input: typing("/help", 5) })],
  ["a longer text", screen({ input: typing("/help 日本", 10) })],
  ["no focus", screen({ input: typing("", null) })],
];

describe("a change of the screen", () => {
  it("leaves on the terminal what drawing it from nothing would, whatever came before", async () => {
    for (const [before, first] of screens) {
      for (const [after, second] of screens) {
        if (before === after) continue;
        const terminal = shown(size, first);
        await terminal.show(second);
        expect([before, after, ...(await terminal.rows())]).toEqual([before, after, ...drawn(second), ""]);
        terminal.close();
      }
    }
  });

  it("leaves the last column of the terminal empty, because some erase it behind a row that reaches there", async () => {
    const terminal = shown(size, screen());
    expect((await terminal.rows()).map((row) => row.slice(room.columns)).join("")).toBe("");
    expect((await terminal.rows())[3]?.length).toBe(79);
  });
});

describe("a text that the terminal draws wider than we count", () => {
  it("is cut off in its row, and moves no other row nor any label", async () => {
    // No character yet, so it would stand escaped; this emulator gives it two columns.
    const rows = ["\ufe53".repeat(50), "end"].map((text, index) =>
      cardRow(index === 0 ? "runs" : "in", text),
    );
    const next = screen({ body: workBody(card({ rows })) });
    const terminal = shown(size, screen());
    await terminal.show(next);
    const [seen, meant] = [await terminal.rows(), [...drawn(next), ""]];
    const at = meant.findIndex((row) => row.startsWith("│ runs"));
    expect(seen[at]).toMatch(/^│ runs {11}\ufe53/u);
    expect(seen[at]).not.toBe(meant[at]);
    expect(seen.toSpliced(at, 1)).toEqual(meant.toSpliced(at, 1));
  });
});

describe("the caret", () => {
  it.each([
    ["ascii", 5, 7],
    ["日本語", 6, 8],
    ["e\u0301x", 2, 4],
    ["", 0, 2],
  ])("stands where the text %s is, after %i columns", async (text, caret, column) => {
    const terminal = shown(size, screen());
    await terminal.show(screen({ input: typing(text, caret) }));
    const rows = await terminal.rows();
    const row = rows.findIndex((line) => line.startsWith("›") && !line.includes("k7q2mx9d"));
    expect(await terminal.caret()).toEqual({ x: column, y: row });
  });

  it("moves with the text, also where nothing else of the screen changes", async () => {
    const terminal = shown(size, screen({ input: typing("abc", 3) }));
    await terminal.show(screen({ input: typing("abc", 1) }));
    expect((await terminal.caret()).x).toBe(3);
    await terminal.show(
      screen({ input: typing("axbc", 2), notices: [{ text: "new", isWarning: false, at: 1 }] }),
    );
    expect((await terminal.caret()).x).toBe(4);
  });
});

describe("moving through the queue", () => {
  const rows = 6;
  const queue = (selected: number): Screen => {
    const entries = Array.from({ length: rows }, (_, index) => {
      const id = `aaaaaaa${index}`;
      return queueRow({
        key: id,
        id,
        isSelected: index === selected,
        what: `git push origin branch-${index}`,
      });
    });
    const what = [cardRow("runs", `git push origin branch-${selected}`, "content"), ...card().rows.slice(1)];
    return screen({
      header: { waits: `${selected + 1} of 10,000 waiting`, health: "~/.wisp ok", isHealthy: true },
      body: {
        kind: "work",
        layout: "stacked",
        queue: { columns: room.columns, rows: entries, above: 0, below: 9_994 },
        card: card({ id: `aaaaaaa${selected}`, rows: what }),
      },
    });
  };

  it("writes the rows that changed and no others: at most 600 bytes", async () => {
    const terminal = shown(size, queue(0), colourLook);
    for (const selected of [1, 2, 3, 2]) {
      expect(await terminal.show(queue(selected))).toBeLessThanOrEqual(600);
    }
    expect(await terminal.rows()).toEqual([...drawn(queue(2)), ""]);
  });
});
