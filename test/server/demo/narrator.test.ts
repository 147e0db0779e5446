import { describe, expect, it } from "vitest";
import { createNarrator } from "../../../src/server/demo/narrator.js";
import { FakeClock } from "../../support/fake-clock.js";

function setUp(columns: number | null = null) {
  const clock = new FakeClock();
  let printed = "";
  const narrator = createNarrator(
    clock,
    (text) => {
      printed += text;
    },
    columns,
  );
  return { clock, narrator, printed: () => printed };
}

describe("narrator", () => {
  it("a step stands with the seconds since its scene began", () => {
    const { clock, narrator, printed } = setUp();
    clock.advance(9_000);
    narrator.scene("1. One");
    clock.advance(1_234);
    narrator.step("filed", "request k7q2mx9d");
    narrator.scene("2. Two");
    narrator.step("asked", "run_command");
    expect(printed()).toBe(
      "\n1. One\n  1.23 s  filed     request k7q2mx9d\n\n2. Two\n  0.00 s  asked     run_command\n",
    );
  });

  it("on a terminal a long step is folded at blanks, beside its label; a line to paste never is", () => {
    const { narrator, printed } = setUp(40);
    narrator.step("refused", "Do not retry this command; ask what to do.");
    narrator.step("proof", "a-name-that-is-longer-than-the-line.txt holds 1 line");
    narrator.line("WISP_HOME=/tmp/h wisp approvals approve k7q2mx9d");
    expect(printed().split("\n")).toEqual([
      "  0.00 s  refused   Do not retry this",
      "                    command; ask what to",
      "                    do.",
      "  0.00 s  proof     a-name-that-is-longer-than-the-line.txt",
      "                    holds 1 line",
      "WISP_HOME=/tmp/h wisp approvals approve k7q2mx9d",
      "",
    ]);
  });

  it.each(["scene", "line"] as const)("nothing that a terminal interprets comes out of a %s", (way) => {
    const { narrator, printed } = setUp();
    narrator[way]("a\u001b[2Jb\nc\u202ed");
    expect(printed().trim()).toBe("a\\u{1b}[2Jb\\u{a}c\\u{202e}d");
  });

  it("nothing that a terminal interprets comes out of a step", () => {
    const { narrator, printed } = setUp();
    narrator.step("ran", "it printed: \u001b]0;title\u0007\r\nkept    everything");
    expect(printed()).toBe(
      "  0.00 s  ran       it printed: \\u{1b}]0;title\\u{7}\\u{d}\\u{a}kept    everything\n",
    );
  });
});
