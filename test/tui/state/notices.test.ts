import { describe, expect, it } from "vitest";
import type { Request } from "../../../src/broker/request/request.js";
import type { Event } from "../../../src/tui/state/event.js";
import { Stage } from "../../support/tui-events.js";
import { dangerous, receiptOf, toRun } from "../../support/tui-requests.js";

const long = toRun(Array.from({ length: 400 }, (_, index) => `echo ${index}`).join("\n"));
const other = toRun("npm test");

function hinted(): Stage {
  const stage = new Stage();
  stage.waits([long, other]);
  stage.calmly("y");
  expect(stage.notices).toEqual([expect.stringContaining("to its end")]);
  return stage;
}

/** As a sweep writes it for a dead server. */
const swept = (request: Request): Event & { kind: "left" } => {
  const given = { via: null, decision: null, scope: null, outcome: "stale", reveal: null } as const;
  const ending = { receipt: receiptOf(request, given), proof: "unproved" } as const;
  return { kind: "left", request, ending, at: 0, isMore: true };
};

describe("rows that go because their server died", () => {
  it("are one notice, however many there are and in how many looks they go", () => {
    const stage = new Stage();
    const rows = [toRun("one"), toRun("two"), toRun("three"), toRun("four")];
    stage.waits([long, ...rows]);
    for (const request of rows.slice(0, 3)) stage.feed({ ...swept(request), at: stage.at });
    stage.waits([long, ...rows.slice(3)]);
    expect(stage.notices).toEqual([
      "3 requests ended because their server died; nothing came of them. h shows which.",
    ]);
    stage.wait(2_000);
    for (const request of rows.slice(3)) stage.feed({ ...swept(request), at: stage.at });
    stage.waits([long]);
    expect(stage.notices).toEqual([
      "4 requests ended because their server died; nothing came of them. h shows which.",
    ]);
    stage.wait(30_000).feed({ kind: "tick", at: stage.at, now: 0 });
    expect(stage.notices).toEqual([]);
  });

  it("are told beside the one that is open, which is told by its name", () => {
    const stage = new Stage();
    const [open, two] = [toRun("one"), toRun("two")];
    stage.waits([open, two]);
    for (const request of [two, open]) stage.feed({ ...swept(request), at: stage.at });
    stage.waits([]);
    expect(stage.notices).toEqual([
      "1 request ended because its server died; nothing came of it. h shows which.",
      expect.stringContaining("no longer waiting: stale: its server is gone and nothing ran"),
    ]);
  });

  it("are no news where they were answered or taken back", () => {
    const stage = new Stage();
    const gone = toRun("one");
    stage.waits([long, gone]);
    stage.feed({ kind: "left", request: gone, ending: null, at: stage.at, isMore: true });
    stage.waits([long]);
    expect(stage.notices).toEqual([]);
  });
});

describe("what is said to a key", () => {
  it.each<[string, (stage: Stage) => void]>([
    ["the card is left", (stage) => void stage.press("j")],
    ["what was wanting is done", (stage) => void stage.press("end")],
    ["the card closes", (stage) => void stage.waits([other])],
    ["nothing waits any more", (stage) => void stage.waits([])],
    ["it is answered", (stage) => void stage.calmly("d")],
    ["five seconds are over", (stage) => void stage.wait(5_000).feed({ kind: "tick", at: stage.at, now: 0 })],
  ])("goes when %s", (_when, happens) => {
    const stage = hinted();
    happens(stage);
    expect(stage.notices).toEqual([]);
  });

  it("stays while others arrive, and for almost five seconds", () => {
    const stage = hinted();
    stage.waits([long, other, toRun("ls")]);
    stage.wait(4_999).feed({ kind: "tick", at: stage.at, now: 0 });
    expect(stage.notices).toHaveLength(1);
  });

  it("goes with the question for a word, and news stay", () => {
    const stage = new Stage();
    const grave = dangerous();
    stage.waits([grave, other]);
    stage.calmly("y");
    stage.waits([grave]);
    stage.feed({ kind: "answered", request: other, given: no, ending: { kind: "gone" }, at: stage.at });
    expect(stage.notices).toEqual([
      expect.stringContaining("type main to approve"),
      expect.stringContaining("nothing says how it ended"),
    ]);
    stage.press("escape");
    expect(stage.notices).toEqual([expect.stringContaining("nothing says how it ended")]);
  });

  it("goes with the line in the input box that could not be run", () => {
    const stage = new Stage();
    stage.press("i");
    stage.type("hello");
    stage.press("return");
    expect(stage.notices).toHaveLength(1);
    stage.press("escape");
    expect(stage.notices).toEqual([]);
  });
});

const no = { decision: "deny", scope: null, note: null } as const;

describe("what arrives while something is typed", () => {
  it("is told in one line, whose number grows, and which goes with what is typed", () => {
    const stage = new Stage();
    stage.press("/");
    const many = Array.from({ length: 20 }, (_, index) => toRun(`echo ${index}`, { thread: `${index}` }));
    for (let count = 1; count <= 20; count += 1) stage.waits(many.slice(0, count));
    expect(stage.notices).toEqual(["20 new requests wait; they open when the input box is empty."]);
    stage.press("escape");
    expect(stage.notices).toEqual([]);
    expect(stage.model.card?.entry.key).toBe(many[0]?.id);
  });

  it("is not said to open where something is open already", () => {
    const stage = new Stage();
    stage.waits([other]);
    stage.press("/");
    stage.waits([other, long]);
    expect(stage.notices).toEqual(["1 new request waits."]);
    stage.press("escape");
    expect(stage.model.card?.entry.key).toBe(other.id);
  });
});
