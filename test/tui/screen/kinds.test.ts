import { describe, expect, it } from "vitest";
import { announced } from "../../../src/tui/components/announced.js";
import { linearText } from "../../../src/tui/components/linear.js";
import type { Screen } from "../../../src/tui/screen/screen.js";
import { screenOf } from "../../../src/tui/screen/screen-of.js";
import { drawn } from "../../support/drawn.js";
import { Stage } from "../../support/tui-events.js";
import { factToKeep, toAnswer } from "../../support/tui-requests.js";

const several = toAnswer({ multiple: true, allowText: true });

function stageOf(request: Parameters<Stage["waits"]>[0][number], columns = 80, rows = 30): Stage {
  const stage = new Stage({ columns, rows });
  stage.waits([request]);
  stage.wait(1_000);
  return stage;
}

function shown(stage: Stage): string {
  return drawn(screenOf(stage.model)).join("\n");
}

/** Keys as they stand in the last rows, those that are off in parentheses. */
function keysOf({ keys }: Screen): string {
  return keys.map(({ key, does, isDim }) => (isDim ? `(${key} ${does})` : `${key} ${does}`)).join("  ");
}

describe("the card of a fact", () => {
  it("shows what would be kept, where from, what is kept already, and what the keys do", () => {
    const text = shown(stageOf(factToKeep()));
    for (const row of [
      "about        ┃ api",
      "name         ┃ test command",
      "value        ┃ npm test",
      "source         package.json",
      "in             /home/p/api",
      "kept already ┃ abcdefgh: npm run test",
      "to replace     wisp facts forget ID, with the id of what is kept already",
      "y keeps it for this directory, a everywhere; d drops it for this line of",
    ]) {
      expect(text).toContain(row);
    }
    expect(keysOf(screenOf(stageOf(factToKeep()).model))).toMatch(
      /^y keep {2}a everywhere {2}d drop {2}l leave/,
    );
  });

  it("says that it would hold everywhere where it names no directory, and what a second a does", () => {
    const stage = stageOf(factToKeep({ directory: null }));
    expect(shown(stage)).toContain("y keeps it everywhere; d drops it");
    stage.calmly("a");
    expect(shown(stage)).toContain("a again keeps it everywhere: every agent here is told it");
  });

  it("shows keys for a yes as off until its end was on the screen", () => {
    const stage = stageOf(factToKeep({ value: "line\n".repeat(80) }));
    expect(keysOf(screenOf(stage.model))).toMatch(/^\(y keep\) {2}\(a everywhere\) {2}d drop/);
    stage.calmly("end");
    expect(keysOf(screenOf(stage.model))).toMatch(/^y keep {2}a everywhere/);
  });
});

describe("the card of a question", () => {
  it("marks what is chosen without colours, and says what would be sent", () => {
    const stage = stageOf(toAnswer());
    expect(shown(stage)).toMatch(/\( \) 1 +┃ PostgreSQL/);
    expect(shown(stage)).toContain("To answer it: a digit chooses; then y sends it.");
    expect(keysOf(screenOf(stage.model))).toMatch(/^1-2 choose {2}\(y send\) {2}d decline {2}r say why/);
    stage.press("2");
    expect(shown(stage)).toMatch(/\( \) 1 +┃ PostgreSQL/);
    expect(shown(stage)).toMatch(/\(x\) 2 +┃ SQLite/);
    expect(shown(stage)).toContain("y sends: 2 SQLite");
    expect(keysOf(screenOf(stage.model))).toContain("  y send  ");
  });

  it("marks several, and none of them once a text is to be sent", () => {
    const stage = stageOf(several);
    stage.press("1", "2");
    expect(shown(stage)).toMatch(/\[x\] 1 [\s\S]*\[x\] 2 /);
    expect(shown(stage)).toContain("y sends: 1 PostgreSQL, 2 SQLite");
    stage.press("1");
    expect(shown(stage)).toMatch(/\[ \] 1 [\s\S]*\[x\] 2 /);
    stage.calmly("o");
    expect(shown(stage)).toContain("answer: (enter ends it, esc leaves it; nothing is sent yet)");
    stage.type("both");
    stage.press("return");
    expect(shown(stage)).toMatch(/\[ \] 1 [\s\S]*\[ \] 2 /);
    expect(shown(stage)).toContain('y sends: "both"');
  });

  it("takes no mark from a text of the agent's", () => {
    const stage = stageOf(toAnswer({ text: "Which?\n(x) 9 ┃ all of it\noption 1" }));
    const rows = shown(stage).split("\n");
    expect(rows.filter((row) => /^│ \(x\)/.test(row))).toEqual([]);
    expect(rows.filter((row) => /^│ \( \) \d/.test(row))).toHaveLength(2);
  });

  it("sends no choice that has no room to be told whole, and says so", () => {
    const label = "a very long label ".repeat(12);
    const options = ["1", "2", "3"].map((value) => ({ value, label, description: null }));
    const stage = stageOf(toAnswer({ multiple: true, options }), 60, 14);
    stage.calmly("end");
    stage.press("1", "2", "3");
    stage.calmly("y");
    expect(stage.answers).toEqual([]);
    expect(stage.notices.at(-1)).toContain("does not fit");
    stage.resize(120, 60);
    stage.calmly("y");
    expect(stage.answers).toHaveLength(1);
  });

  it.each([60, 80, 120, 149, 150, 200])("keeps marks, text and frame apart on %i columns", (columns) => {
    const stage = stageOf(several, columns, 30);
    stage.press("2");
    const screen = screenOf(stage.model);
    if (screen.body.kind !== "work") throw new Error("No card is open.");
    expect(screen.body.card.rows.map(({ label }) => label)).toEqual(
      expect.arrayContaining(["asks", "[ ] 1", "[x] 2", "takes"]),
    );
    expect(screen.body.card.foot).toEqual(["y sends: 2 SQLite"]);
  });

  it("is not shown, and chosen from no further, on a window without room", () => {
    const stage = stageOf(several);
    stage.press("2");
    stage.resize(20, 5);
    expect(screenOf(stage.model).body.kind).toBe("tiny");
    for (const key of ["1", "y", "d", "o"]) stage.calmly(key);
    expect(stage.answers).toEqual([]);
    expect(stage.model.prompt).toBeNull();
    stage.resize(80, 30);
    expect(shown(stage)).toContain("y sends: 2 SQLite");
  });
});

describe("a question that is read aloud", () => {
  it("tells its options by number and what to say, and of a choice only what would be sent", () => {
    const stage = new Stage({ columns: 80, rows: 1_000 }, 0, true);
    stage.waits([several]);
    const before = screenOf(stage.model);
    expect(linearText(before)).toEqual(
      expect.arrayContaining([
        "Asks: Which database?",
        "Option 1: PostgreSQL as in production",
        "Option 2: SQLite",
        "To answer it: say its numbers with commas between them, or text and your answer, then send.",
        expect.stringMatching(
          /^Type a number, text and your answer, send \(not now\), decline or decline and/,
        ),
      ]),
    );
    stage.wait(1_000).type("2,1");
    stage.press("return");
    expect(announced(before, screenOf(stage.model))).toEqual(["send sends: 1 PostgreSQL, 2 SQLite"]);
  });

  it("of a fact tells the words that decide", () => {
    const stage = new Stage({ columns: 80, rows: 1_000 }, 0, true);
    stage.waits([factToKeep()]);
    const lines = linearText(screenOf(stage.model));
    expect(lines).toContain("Kept already: abcdefgh: npm run test");
    expect(lines.join("\n")).toContain("keep keeps it for this directory, keep global everywhere");
    expect(lines.join("\n")).toContain("Type keep, keep global, drop, next");
  });
});
