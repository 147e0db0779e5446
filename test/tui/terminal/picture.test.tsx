/** The face drawn by ink, with the state that it has: when what is drawn may be answered. */
import { describe, expect, it, onTestFinished } from "vitest";
import { openPicture } from "../../../src/tui/picture.js";
import { screenOf } from "../../../src/tui/screen/screen-of.js";
import type { Event } from "../../../src/tui/state/event.js";
import { initialModel, type Model } from "../../../src/tui/state/model.js";
import { step } from "../../../src/tui/state/step.js";
import { openStore } from "../../../src/tui/store.js";
import { plainLook } from "../../support/drawn.js";
import { FakeClock } from "../../support/fake-clock.js";
import { type HeldInbox, heldInbox } from "../../support/held-inbox.js";
import { viewFor } from "../../support/tui-events.js";
import { toRun } from "../../support/tui-requests.js";

interface Drawn {
  readonly inbox: HeldInbox;
  readonly clock: FakeClock;
  /** Frames and what the state was told of them, in order. */
  readonly log: string[];
  /** Is what has changed last told to be on the terminal? */
  isDrawn(): boolean;
  /** The same, once the terminal has taken what was written. */
  isDrawnSoon(): boolean;
}

function draw(): Drawn {
  const clock = new FakeClock();
  const inbox = heldInbox([]);
  const log: string[] = [];
  let model: Model = initialModel({
    size: { columns: 100, rows: 30 },
    place: { home: "~/.wisp", environment: {} },
    at: clock.monotonic(),
    now: clock.now(),
  });
  const store = openStore<Model>({
    machine: {
      initial: model,
      step(before: Model, event: Event) {
        const stepped = step(before, event);
        model = stepped.model;
        if (event.kind === "drawn" && model.quiet.isDrawn && !before.quiet.isDrawn) log.push("drawn");
        return stepped;
      },
      screenOf,
    },
    inbox,
    lateBox: () => Promise.reject(new Error("nothing is late")),
    clock,
    look: (request) => viewFor(request, clock.now()),
    history: () => Promise.resolve([]),
    ring: () => {},
    quit: () => {},
  });
  const taken: (() => void)[] = [];
  const picture = openPicture(store, {
    look: plainLook,
    columns: () => 100,
    clock,
    write: (text) => void log.push(text),
    whenWritten: (then) => void taken.push(then),
    onError: (error) => log.push(String(error)),
  });
  onTestFinished(() => {
    picture.close();
    store.close();
  });
  return {
    inbox,
    clock,
    log,
    isDrawn: () => model.quiet.isDrawn,
    isDrawnSoon() {
      clock.advance(5);
      for (const then of taken.splice(0)) then();
      return model.quiet.isDrawn;
    },
  };
}

describe("a card that is drawn", () => {
  it("is told of when the terminal has taken the frame that shows it, and not before", async () => {
    const { inbox, clock, log, isDrawn, isDrawnSoon } = draw();
    await expect.poll(isDrawnSoon).toBe(true);
    log.length = 0;
    inbox.arrives(toRun("git push"));
    await expect.poll(() => log.join("")).toContain("git push");
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(5);
    }
    expect(isDrawn()).toBe(false);
    await expect.poll(isDrawnSoon).toBe(true);
    const shown = log.findIndex((text) => text.includes("git push"));
    expect(log.indexOf("drawn")).toBeGreaterThan(shown);
  });

  it("is told of also where its frame is as the one before", async () => {
    const { inbox, isDrawn, isDrawnSoon } = draw();
    await expect.poll(isDrawnSoon).toBe(true);
    inbox.arrives(toRun("git push"));
    await expect.poll(() => isDrawn()).toBe(false);
    await expect.poll(isDrawnSoon).toBe(true);
  });
});
