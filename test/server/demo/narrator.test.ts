import { describe, expect, it } from "vitest";
import { createNarrator } from "../../../src/server/demo/narrator.js";
import { FakeClock } from "../../support/fake-clock.js";

function setUp() {
  const clock = new FakeClock();
  let printed = "";
  const narrator = createNarrator(clock, (text) => {
    printed += text;
  });
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
