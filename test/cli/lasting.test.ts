import { describe, expect, it } from "vitest";
import { type Shortfall, shortfalls } from "../../src/broker/request/assurance.js";
import { refusedLasting, refusedWithoutTerminal } from "../../src/cli/lasting.js";
import { lookForLasting } from "../../src/face/own-look.js";
import { fakeTerminal } from "../support/fake-terminal.js";
import { tempHome } from "../support/temp-home.js";
import { atTerminal } from "../support/witnesses.js";

const what = { refusal: "Nothing was accepted", words: ["accept"] };

function sees(shortfall: Shortfall, within: string | null = null) {
  return () => ({ ...atTerminal, seen: { within }, shortfall });
}

describe("what lasts", () => {
  it("is refused without a terminal, before anybody looks", async () => {
    const terminal = fakeTerminal({ canAnswer: false });
    const look = () => {
      throw new Error("nobody looks");
    };
    expect(await refusedLasting(terminal, what, look)).toBe(4);
    expect(terminal.said()).toBe(
      [
        "wisp: Nothing was accepted: standard input is not a terminal.",
        "  What lasts, only a person changes; an agent's shell has no terminal.",
        "  Open a terminal and run: wisp accept\n",
      ].join("\n"),
    );
    expect(refusedWithoutTerminal(fakeTerminal({ canAnswer: false }), what)).toBe(4);
  });

  it.each(shortfalls)("is refused where %s, with a line to paste for the same home", async (shortfall) => {
    const home = tempHome();
    const terminal = fakeTerminal({ home });
    expect(await refusedLasting(terminal, what, sees(shortfall, "claude"))).toBe(10);
    expect(terminal.said()).toContain("Nothing was accepted: ");
    expect(terminal.said()).toContain(`run: WISP_HOME=${home.path} wisp accept\n`);
    expect(terminal.said().split("\n")).toHaveLength(4);
  });

  it("names the agent that it is within", async () => {
    const terminal = fakeTerminal({ home: tempHome() });
    await refusedLasting(terminal, what, sees("within_client", "claude"));
    expect(terminal.said()).toContain("this command was started from within claude.");
  });

  it("is let through to a person at a terminal, without a word", async () => {
    const terminal = fakeTerminal({ home: tempHome() });
    expect(await refusedLasting(terminal, what, () => atTerminal)).toBeNull();
    expect(terminal.said()).toBe("");
  });

  it("says what nobody could look for, and a person goes on all the same", async () => {
    const terminal = fakeTerminal({ home: tempHome() });
    const { unlooked } = lookForLasting(tempHome(), terminal, false);
    expect(unlooked).toContain("Servers of this home that have not asked yet were not looked for");
    expect(await refusedLasting(terminal, what, () => ({ ...atTerminal, unlooked }))).toBeNull();
    expect(terminal.said()).toBe(`${unlooked}\n`);
    expect(lookForLasting(tempHome(), terminal, true).unlooked).toBeNull();
  });
});
