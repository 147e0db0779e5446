import { Text, useCursor } from "ink";
import { type ReactElement, useSyncExternalStore } from "react";
import { describe, expect, it } from "vitest";
import { type Canvas, openCanvas } from "../../../src/tui/terminal/canvas.js";

interface Drawn {
  readonly frames: string[];
  readonly errors: unknown[];
  readonly canvas: Canvas;
  show(text: string): void;
}

interface Source {
  readonly subscribe: (listener: () => void) => () => void;
  readonly text: () => string;
}

/** A text that changes, with the caret behind it. */
function Shown({ subscribe, text }: Source): ReactElement {
  const shown = useSyncExternalStore(subscribe, text);
  const { setCursorPosition } = useCursor();
  setCursorPosition({ x: shown.length, y: 0 });
  if (shown === "broken") throw new Error("cannot be drawn");
  return <Text>{shown}</Text>;
}

function draw(first: string): Drawn {
  const frames: string[] = [];
  const errors: unknown[] = [];
  const listeners = new Set<() => void>();
  let text = first;
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const canvas = openCanvas(<Shown subscribe={subscribe} text={() => text} />, {
    columns: 20,
    write: (frame) => void frames.push(frame),
    onFrame: () => {},
    onError: (error) => errors.push(error),
  });
  return {
    frames,
    errors,
    canvas,
    show(next) {
      text = next;
      for (const listener of [...listeners]) listener();
    },
  };
}

/** The marks of a frame that the terminal shows at once. */
const frameStart = "\u001b[?2026h";
const frameEnd = "\u001b[?2026l";

describe("a canvas", () => {
  it("begins on a clear screen, and writes each frame in one piece that the terminal shows at once", async () => {
    const { frames, canvas, show } = draw("first");
    expect(frames[0]).toBe("\u001b[H\u001b[2J");
    show("second");
    await expect.poll(() => frames.length).toBe(3);
    for (const [at, text] of ["first", "second"].entries()) {
      const frame = frames[at + 1] ?? "";
      expect(frame.startsWith(frameStart)).toBe(true);
      expect(frame.endsWith(frameEnd)).toBe(true);
      expect(frame).toContain(text);
    }
    canvas.close();
  });

  it("never erases what lies above the screen, however high what it draws is", async () => {
    const rows = (count: number, name: string): string =>
      Array.from({ length: count }, (_, row) => `${name} ${row}`).join("\n");
    const { frames, canvas, show } = draw(rows(400, "row"));
    for (const text of ["low", rows(300, "line")]) {
      show(text);
      await expect.poll(() => frames.at(-1)).toContain(text.split("\n").at(-1));
    }
    expect(frames.join("")).not.toContain("\u001b[3J");
    canvas.close();
  });

  it("writes nothing once it is closed, not even at ink's own end", async () => {
    const { frames, canvas, show } = draw("first");
    const other = draw("first");
    show("not drawn yet");
    canvas.close();
    const { length } = frames;
    show("second");
    canvas.close();
    // What another one draws later than this one could have.
    other.show("second");
    await expect.poll(() => other.frames.at(-1)).toContain("second");
    other.show("third");
    await expect.poll(() => other.frames.at(-1)).toContain("third");
    expect(frames).toHaveLength(length);
    other.canvas.close();
  });

  it("tells of what cannot be drawn", async () => {
    const { errors, canvas, show } = draw("first");
    show("broken");
    await expect.poll(() => errors.length).toBe(1);
    expect(errors).toMatchObject([{ message: "cannot be drawn" }]);
    canvas.close();
  });
});
