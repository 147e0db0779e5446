import { describe, expect, it } from "vitest";
import { lineModes, type ModeParts, screenModes } from "../../../src/tui/terminal/modes.js";

interface Sent extends ModeParts {
  readonly log: string[];
}

function sent(): Sent {
  const log: string[] = [];
  return {
    log,
    write: (text) => void log.push(text),
    setRawMode: (isRaw) => void log.push(isRaw ? "raw" : "cooked"),
  };
}

/** What `text` sets and resets, as `?1049h`. */
function switches(text: string): readonly string[] {
  return [...text.matchAll(/\[(\?\d+[hl])/g)].map(([, mode = ""]) => mode);
}

describe("the modes of a screen", () => {
  it("are put back whole, each that was set", () => {
    const parts = sent();
    const modes = screenModes(parts);
    modes.enter();
    const set = switches(parts.log.join("")).filter((mode) => mode.endsWith("h"));
    const hidden = switches(parts.log.join("")).includes("?25l");
    parts.log.length = 0;
    modes.leave();
    const reset = switches(parts.log.join("")).filter((mode) => mode.endsWith("l"));
    expect(set).toEqual(["?1049h", "?2004h", "?1004h"]);
    expect(hidden).toBe(true);
    expect(reset).toEqual(expect.arrayContaining(set.map((mode) => mode.replace("h", "l"))));
    expect(parts.log.join("")).toContain("\u001b[?25h");
    expect(parts.log.at(-1)).toBe("cooked");
  });

  it("have keys sent as ever, whatever protocol for them another program left on", () => {
    const parts = sent();
    screenModes(parts).enter();
    const text = parts.log.join("");
    expect(text).toContain("\u001b[=0u");
    expect(text).toContain("\u001b[>4;0m");
    // Some terminals keep it with the screen.
    expect(text.indexOf("\u001b[=0u")).toBeGreaterThan(text.indexOf("\u001b[?1049h"));
  });

  it("are left once, however often that is asked for, and not before they were entered", () => {
    const parts = sent();
    const modes = screenModes(parts);
    modes.leave();
    expect(parts.log).toEqual([]);
    modes.enter();
    modes.leave();
    const { length } = parts.log;
    modes.leave();
    expect(parts.log).toHaveLength(length);
    modes.enter();
    expect(parts.log.at(-1)).toContain("\u001b[?1049h");
  });

  it("are set anew where another program may have changed them, and the place of the caret is kept", () => {
    const parts = sent();
    const modes = screenModes(parts);
    modes.enter();
    parts.log.length = 0;
    modes.enter();
    expect(parts.log.slice(0, 2)).toEqual(["cooked", "raw"]);
    expect(switches(parts.log.join(""))).toEqual(expect.arrayContaining(["?25l", "?2004h", "?1004h"]));
    expect(parts.log.join("")).not.toContain("1049");
  });

  it("are written back also where the terminal takes no mode any more", () => {
    const parts = sent();
    const modes = screenModes({
      ...parts,
      setRawMode: (isRaw) => {
        if (!isRaw) throw Object.assign(new Error("hung up"), { code: "EIO" });
      },
    });
    modes.enter();
    parts.log.length = 0;
    modes.leave();
    expect(parts.log.join("")).toContain("\u001b[?1049l");
  });
});

describe("the modes of lines", () => {
  it("are marks around what is pasted where the terminal knows them, and no escape at all where not", () => {
    for (const [canMark, escapes] of [
      [true, ["?2004h", "?2004l"]],
      [false, []],
    ] as const) {
      const parts = sent();
      const modes = lineModes(parts, canMark);
      modes.enter();
      modes.leave();
      expect(switches(parts.log.join(""))).toEqual(escapes);
      expect(parts.log.join("").includes("\u001b")).toBe(canMark);
      expect(parts.log.filter((entry) => entry === "raw" || entry === "cooked")).toEqual(["raw", "cooked"]);
    }
  });
});
