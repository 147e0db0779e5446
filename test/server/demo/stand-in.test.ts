import { describe, expect, it } from "vitest";
import type { Narrator } from "../../../src/server/demo/narrator.js";
import { createStandIn } from "../../../src/server/demo/stand-in.js";
import { calm } from "../../support/asking.js";
import { FakeClock } from "../../support/fake-clock.js";

const silent: Narrator = { scene: () => {}, step: () => {}, line: () => {} };

function setUp() {
  const clock = new FakeClock();
  const over = new AbortController();
  const standIn = createStandIn(clock, silent);
  /** Long enough for anything that waits for time alone. */
  const later = async (ms = 60_000): Promise<void> => {
    await calm();
    clock.advance(ms);
    await calm();
  };
  return { clock, over, standIn, later };
}

describe("the stand-in at a dialog", () => {
  it("presses the button of a dialog, be it open already or about to open", async () => {
    const { over, standIn, later } = setUp();
    const first = standIn.dialog("a command");
    const pressing = standIn.press("approve", over.signal);
    await later();
    await later();
    await pressing;
    expect(await first).toBe("approve");

    const second = standIn.press("deny", over.signal);
    await later(1_000);
    const opened = standIn.dialog("another command");
    await later();
    await later();
    await second;
    expect(await opened).toBe("deny");
  });

  it("fails when no dialog opens", async () => {
    const { over, standIn, later } = setUp();
    const pressing = expect(standIn.press("approve", over.signal)).rejects.toThrow("asked for no dialog");
    await later();
    await pressing;
  });

  it("waits no longer once the request was answered elsewhere", async () => {
    const { clock, over, standIn } = setUp();
    const pressing = standIn.press("approve", over.signal);
    over.abort();
    await pressing;
    expect(clock.timers).toBe(0);
  });
});
