import { describe, expect, it } from "vitest";
import { screenOf } from "../../../src/tui/screen/screen-of.js";
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
    expect(row).toHaveLength(75);
    expect(others).toEqual([]);
    stage.feed({
      kind: "history",
      entries: [{ ...entry, outcome: "approved (once, terminal)", what }],
      at: 0,
    });
    expect(screenOf(stage.model).body).toMatchObject({
      lines: [{ text: expect.stringMatching(/approved \(once, terminal\) — git/) }],
    });
  });
});
