import { describe, expect, it } from "vitest";
import { slashHelp } from "../../../src/face/slash.js";
import { screenOf } from "../../../src/tui/screen/screen-of.js";
import { helpLines } from "../../../src/tui/state/help.js";
import { Stage } from "../../support/tui-events.js";
import { toRun } from "../../support/tui-requests.js";

/** The lines of the page that `key` turns to. */
function pageOf(stage: Stage, key: string): readonly string[] {
  stage.press(key);
  const { body } = screenOf(stage.model);
  if (body.kind !== "pages") throw new Error(`${key} shows no page.`);
  return body.lines.map(({ text }) => text);
}

describe("the page that says why something is asked", () => {
  it("tells the level with its reasons, the rule, and whole what a yes for the session covers", () => {
    const stage = new Stage({ columns: 100, rows: 40 });
    stage.waits([
      toRun("git push", {
        level: "high",
        reasons: ["it leaves the machine", "it is \u202ehidden"],
        rule: "ask git push * (policy.json:3)",
        scopes: ["once", "session"],
        client: { name: "some-agent", version: "1" },
      }),
    ]);
    expect(pageOf(stage, "w")).toEqual([
      "level       high",
      "            it leaves the machine",
      "            it is \\u{202e}hidden",
      "rule        ask git push * (policy.json:3)",
      "scopes      once, session",
      "session     exactly this line in this directory,",
      "            until 2 h without use, 12 h at most,",
      "            only for this connection of some-agent",
      "assurance   file or better",
      "from here   terminal; less from within a client",
    ]);
  });
});

describe("the page that says how requests ended", () => {
  it.each([
    ["exit 3", /k7q2mx9d {2}exit 3 {2}approved \(once, terminal\)/],
    [null, /k7q2mx9d {2}approved \(once, terminal\)/],
  ])("tells what came of each before any text of others, which may say the like: %s", (effect, told) => {
    const stage = new Stage({ columns: 80, rows: 24 });
    const entry = { at: 0, id: "k7q2mx9d", mark: "✓", effect } as const;
    const outcome = `approved (once, terminal) in wisp approvals: "${"note exit 0 ".repeat(20)}"`;
    const what = `git fetch  exit 0${"·".repeat(90)}`;
    stage.feed({ kind: "history", entries: [{ ...entry, outcome, what }], at: 0 });
    const [row = "", ...others] = pageOf(stage, "h");
    expect(row).toMatch(told);
    // Whatever a text of another says, it stands in rows that say whose it is.
    const marks = others.map((line) => line.slice(0, 4));
    expect(marks.join("")).toMatch(/^( {2}· )+ {2}— ( {2}· )*$/);
    expect(others.find((line) => line.startsWith("  — "))).toMatch(/^ {2}— git fetch/);
  });

  it.each([60, 80])(
    "tells in %i columns in full how each ended, with its note, and what it asked for",
    (columns) => {
      const stage = new Stage({ columns, rows: 24 });
      const outcome = "denied (terminal) in wisp approvals: use npm ci, and tell me which packages differ";
      const what = "npm install --save-exact left-pad@1.3.0 right-pad@1.0.1";
      const entry = { at: 0, mark: "✗", outcome, what, effect: "did not run" } as const;
      const entries = [
        { ...entry, id: "aaaaaaaa" },
        { ...entry, id: "bbbbbbbb" },
      ];
      stage.feed({ kind: "history", entries, at: 0 });
      const lines = pageOf(stage, "h");
      const text = lines.map((line) => line.replace(/^ {2}[·—] /, "")).join(" ");
      expect(text.split(`did not run  ${outcome} ${what}`)).toHaveLength(3);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns - 5);
    },
  );

  it("shortens what was asked for where it is of many rows, and scrolls through all entries", () => {
    const stage = new Stage({ columns: 80, rows: 24 });
    const entry = { at: 0, mark: "✓", outcome: "approved", what: "word ".repeat(900), effect: null } as const;
    const entries = Array.from({ length: 30 }, (_, index) => ({ ...entry, id: `k7q2mx${index + 10}` }));
    stage.feed({ kind: "history", entries, at: 0 });
    expect(pageOf(stage, "h").filter((line) => line.endsWith("…"))).not.toHaveLength(0);
    stage.press("end");
    const { body } = screenOf(stage.model);
    const shown = body.kind === "pages" ? body.lines.map(({ text }) => text).join("\n") : "";
    expect(shown).toContain("k7q2mx39");
    expect(body).toMatchObject({ above: 30 * 4 - (body.kind === "pages" ? body.lines.length : 0), below: 0 });
  });
});

describe("the page of the keys", () => {
  const keys = [..."yspadrnlvwfhD?", "tab", "j", "k", "/", "i", "PgUp", "End", "Esc", "q", "Ctrl-C"];

  it.each([60, 80, 100, 108, 120, 200])("names every key, in %i columns", (columns) => {
    const stage = new Stage({ columns, rows: 60 });
    const names = pageOf(stage, "?").map((line) => line.slice(0, 24).split(/ {2,}/)[0] ?? "");
    for (const key of keys) expect(names.some((name) => name.split(" ").includes(key))).toBe(true);
  });

  it.each([60, 80, 100, 108])("lets what a key does go on under it, in %i columns", (columns) => {
    const stage = new Stage({ columns, rows: 60 });
    const lines = pageOf(stage, "?");
    const own = [...helpLines, ...slashHelp].map((line) => line.slice(0, 8));
    const sentences = helpLines.slice(helpLines.indexOf("")).join(" ");
    for (const line of lines) {
      const isKnown = own.includes(line.slice(0, 8)) || line === "Commands, after / or i:";
      expect(isKnown || /^ {8}/.test(line) || sentences.includes(line)).toBe(true);
    }
    // No row of a paragraph holds one or two words alone, but for its last.
    const texts = lines.filter((line) => sentences.includes(line) && line !== "");
    expect(texts.filter((line) => line.length < columns / 3).length).toBeLessThanOrEqual(3);
  });
});
