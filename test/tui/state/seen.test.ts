/** Nothing is approved whose end was not on the screen. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CardRow } from "../../../src/tui/screen/screen.js";
import { screenOf } from "../../../src/tui/screen/screen-of.js";
import { Stage, viewFor } from "../../support/tui-events.js";
import { toRun } from "../../support/tui-requests.js";

/** No other text on any card ends so. */
const tail = "rm-the-tail";

const heredoc = `cat <<E\n${Array.from({ length: 400 }, (_, index) => `line ${index}`).join("\n")}\n${tail}`;

const hiding: readonly (readonly [string, string])[] = [
  ["400 lines", heredoc],
  ["60 blank lines", `git status${"\n".repeat(60)}${tail}`],
  ["a line of 5,000 characters", `echo ${"A".repeat(5_000)} ${tail}`],
  ["lines of wide characters", `echo ${"漢字".repeat(900)} ${tail}`],
  ["runs of blanks, which are few characters on the screen", `${"x          ".repeat(600)}${tail}`],
];

function opened(text: string, size = { columns: 80, rows: 24 }): Stage {
  const stage = new Stage(size);
  stage.waits([toRun(text, { says: "words\n".repeat(40) })]);
  return stage;
}

function cardRows(stage: Stage): readonly CardRow[] {
  const { body } = screenOf(stage.model);
  return body.kind === "work" ? body.card.rows : [];
}

/** Does the end of what runs stand on the screen? A fold may go through it. */
function isEndVisible(stage: Stage): boolean {
  const last = cardRows(stage).findLast(({ tone }) => tone === "content");
  return last !== undefined && tail.endsWith(last.text.slice(-tail.length)) && last.text !== "";
}

describe("a yes", () => {
  it.each(hiding)("is refused until the end of what runs was on the screen, behind %s", (_what, text) => {
    const stage = opened(text);
    expect(isEndVisible(stage)).toBe(false);
    for (const key of ["y", "s", "n"]) stage.calmly(key);
    expect(stage.answers).toEqual([]);
    expect(stage.model.prompt).toBeNull();
    expect(stage.notices.at(-1)).toContain("to its end");
    stage.press("end");
    expect(isEndVisible(stage)).toBe(true);
    stage.wait(499).press("y");
    expect(stage.answers).toEqual([]);
    stage.calmly("y");
    expect(stage.answers).toHaveLength(1);
  });

  it("is taken by no scrolling that stops one row before the end", () => {
    const stage = opened(heredoc);
    while (!isEndVisible(stage)) {
      expect(stage.model.card?.isSeen).toBe(false);
      stage.calmly("y");
      expect(stage.answers).toEqual([]);
      stage.press("down");
    }
    stage.calmly("y");
    expect(stage.answers).toHaveLength(1);
  });

  it("is dim and explained until then", () => {
    const stage = opened(heredoc);
    const before = screenOf(stage.model);
    expect(before.keys.find(({ key }) => key === "y")?.isDim).toBe(true);
    expect(before.keys.find(({ key }) => key === "d")?.isDim).toBe(false);
    expect(before.body).toMatchObject({ card: { isSeen: false } });
    stage.press("end");
    const after = screenOf(stage.model);
    expect(after.keys.find(({ key }) => key === "y")?.isDim).toBe(false);
    expect(after.body).toMatchObject({ card: { isSeen: true, foot: [] } });
  });

  it("stays possible when a resize hides the end, and not when the card changes", () => {
    const stage = opened(heredoc);
    const [request] = stage.model.inbox.requests;
    stage.press("end", "home");
    stage.resize(60, 14);
    expect(isEndVisible(stage)).toBe(false);
    expect(stage.model.card?.isSeen).toBe(true);
    if (request === undefined) throw new Error("Nothing waits.");
    stage.shows(request.id, viewFor(request, 0, { card: viewFor(toRun(`${heredoc}!`)).card }));
    stage.calmly("y");
    expect(stage.answers).toEqual([]);
    stage.press("end");
    stage.calmly("y");
    expect(stage.answers).toHaveLength(1);
  });

  it("is not made possible by scrolling behind a page, or in a window without room", () => {
    const stage = opened(`git status${"\n".repeat(60)}${tail}`);
    stage.press("h", "end");
    // There would be room for all of it, if it were not covered.
    stage.resize(80, 200);
    stage.resize(80, 24);
    stage.press("h");
    stage.resize(39, 9);
    stage.press("end");
    stage.resize(80, 24);
    expect(stage.model.card?.isSeen).toBe(false);
    stage.press("end");
    expect(stage.model.card?.isSeen).toBe(true);
  });

  it("reaches both ends of the card from the keyboard", () => {
    const stage = opened(heredoc);
    stage.press("end", "end");
    const { body } = screenOf(stage.model);
    expect(body).toMatchObject({ card: { below: 0 } });
    expect(cardRows(stage).at(-1)?.tone).not.toBe("content");
    stage.press("home");
    expect(cardRows(stage)[0]).toMatchObject({ label: "runs", text: "cat <<E" });
  });
});

describe("a yes for the session", () => {
  const sessionRows = ["exactly this line in this directory,", "12 h at most,", "only for this connection"];

  function isSessionVisible(stage: Stage): boolean {
    const text = cardRows(stage)
      .map((row) => row.text)
      .join("\n");
    return sessionRows.every((row) => text.includes(row));
  }

  it.each([
    [60, 20],
    [80, 24],
    [200, 60],
  ])("is refused until what it covers was on the screen, in a window of %i×%i", (columns, rows) => {
    const says = "words\n".repeat(80);
    const stage = new Stage({ columns, rows });
    stage.waits([toRun("ls", { scopes: ["once", "session"], says })]);
    expect(isSessionVisible(stage)).toBe(false);
    expect(screenOf(stage.model).keys.find(({ key }) => key === "s")).toEqual({
      key: "s",
      does: "session: End first",
      isDim: true,
    });
    expect(screenOf(stage.model).keys.find(({ key }) => key === "y")?.isDim).toBe(false);
    stage.calmly("s");
    const [request] = stage.model.inbox.requests;
    stage.press("i");
    stage.type(`/approvals approve ${request?.id ?? ""} session`);
    stage.press("return");
    expect(stage.answers).toEqual([]);
    expect(stage.notices.at(-1)).toContain("what a yes for the session covers");
    stage.press("end");
    expect(isSessionVisible(stage)).toBe(true);
    expect(screenOf(stage.model).keys.find(({ key }) => key === "s")).toEqual({
      key: "s",
      does: "session",
      isDim: false,
    });
    stage.calmly("s");
    expect(stage.answers.map(({ given }) => given.scope)).toEqual(["session"]);
  });

  it("is refused anew when the card changes, and where half of what it covers was on the screen", () => {
    const request = toRun("ls", { scopes: ["once", "session"], says: "words\n".repeat(80) });
    const stage = new Stage();
    stage.waits([request]);
    stage.press("end", "home");
    stage.shows(
      request.id,
      viewFor(request, 0, { card: viewFor({ ...request, says: "x\n".repeat(80) }).card }),
    );
    while (!isSessionVisible(stage)) {
      stage.calmly("s");
      expect(stage.answers).toEqual([]);
      stage.press("down");
    }
    stage.calmly("s");
    expect(stage.answers).toHaveLength(1);
  });

  it("takes what it covers for seen at its end where there is no room for all of it", () => {
    const client = { name: "c".repeat(600), version: "1" };
    const stage = new Stage({ columns: 40, rows: 12 });
    stage.waits([toRun("ls", { scopes: ["once", "session"], client })]);
    stage.calmly("s");
    expect(stage.answers).toEqual([]);
    stage.press("end");
    stage.calmly("s");
    expect(stage.answers).toHaveLength(1);
  });
});

describe("whatever a command hides its end behind, in any window", () => {
  it("approves only what ended on the screen", () => {
    const filling = fc.oneof(
      fc.constant("\n"),
      fc.constant("          "),
      fc.constantFrom("a", "漢", "\u200b", "\u0301", "👩‍👩‍👧", "\t", "\u001b[2J"),
    );
    const text = fc
      .tuple(filling, fc.integer({ min: 0, max: 1_200 }))
      .map(([one, count]) => one.repeat(count));
    const size = fc.record({
      columns: fc.integer({ min: 40, max: 200 }),
      rows: fc.integer({ min: 10, max: 50 }),
    });
    const scrolling = fc.array(fc.constantFrom("up", "down", "pageup", "pagedown", "home", "end", "v"), {
      maxLength: 8,
    });
    let approved = 0;
    fc.assert(
      fc.property(text, size, scrolling, (hidden, window, keys) => {
        const stage = opened(`x ${hidden} ${tail}`, window);
        let wasVisible = isEndVisible(stage);
        for (const key of keys) {
          stage.press(key);
          wasVisible ||= isEndVisible(stage);
        }
        stage.calmly("y");
        expect(stage.answers.length > 0).toBe(wasVisible);
        approved += stage.answers.length;
        stage.press("end");
        stage.calmly("y");
        expect(stage.answers).toHaveLength(1);
      }),
      { numRuns: 100 },
    );
    expect(approved).toBeGreaterThan(10);
  });
});
