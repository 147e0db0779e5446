import { describe, expect, it } from "vitest";
import type { Receipt } from "../../../src/broker/request/receipt.js";
import type { Event } from "../../../src/tui/state/event.js";
import { answerTo } from "../../support/builders.js";
import { Stage } from "../../support/tui-events.js";
import { ended, receiptOf, toRun } from "../../support/tui-requests.js";

const request = toRun("git push origin main", { thread: "git" });
const other = toRun("npm test");

function receipt(overrides: Partial<Receipt> = {}): Receipt {
  return receiptOf(request, { via: "cli", decision: "approve", scope: "once", ...overrides });
}

function answered(): Stage {
  const stage = new Stage();
  stage.waits([request, other]);
  stage.calmly("y");
  return stage;
}

type LateEnding = Extract<Event, { kind: "answered-late" }>["ending"];
type Ending = Extract<Event, { kind: "answered" }>["ending"];

function ends(stage: Stage, ending: Ending): void {
  const given = { decision: "approve", scope: "once", note: null } as const;
  stage.feed({ kind: "answered", request, given, ending, at: stage.at });
}

describe("an answer of this face", () => {
  it.each<[string, Ending, string]>([
    [
      "was taken",
      { kind: "won", receipt: receipt({ via: "tui" }), isVerified: true },
      "approved (once, terminal): git push origin main — for test-client, thread git",
    ],
    [
      "was taken by nobody who proves it",
      { kind: "won", receipt: receipt({ via: "tui" }), isVerified: false },
      "approved (once, terminal, unverified): git push origin main",
    ],
    [
      "was first and nothing ran",
      { kind: "won", receipt: receipt({ outcome: "failed", ran: false }), isVerified: false },
      "nothing ran",
    ],
    [
      "came after another one",
      { kind: "settled", receipt: receipt({ decision: "deny" }), isVerified: true },
      "has ended already; your answer was not used: denied",
    ],
    [
      "was to something that had been changed",
      {
        kind: "settled",
        receipt: receipt({
          outcome: "failed",
          decision: "failed",
          via: "server",
          note: "its request file was altered",
        }),
        isVerified: true,
      },
      "was changed after it was filed",
    ],
    [
      "found another one in its place",
      { kind: "first", winner: answerTo(request, { via: "chat" }) },
      "was answered first elsewhere: approved, once, in wisp chat",
    ],
    ["found junk in its place", { kind: "first", winner: null }, "something that is no answer"],
    ["was not enough", { kind: "refused", shortfall: "within_client" }, "started from within test-client"],
    ["was refused without a reason", { kind: "refused", shortfall: null }, "still waits"],
    ["found nothing any more", { kind: "gone" }, "nothing says how it ended"],
    ["was not read", { kind: "unread" }, "Not read yet"],
    ["could not be given", { kind: "error", text: "The disk is full." }, "The disk is full."],
  ])("is told how it ended when it %s", (_what, ending, text) => {
    const stage = answered();
    ends(stage, ending);
    expect(stage.notices.at(-1)).toContain(text);
  });

  it.each<Ending>([
    { kind: "refused", shortfall: "no_terminal" },
    { kind: "first", winner: null },
    { kind: "error", text: "The disk is full." },
  ])("that ended nothing may be given again: %j", (ending) => {
    const stage = answered();
    stage.calmly("y");
    expect(stage.answers).toHaveLength(1);
    ends(stage, ending);
    stage.calmly("y");
    expect(stage.answers).toHaveLength(2);
  });

  it.each([
    [true, "its ending first"],
    [false, "the news that it left first"],
  ])("is told once where it ended the request, %j", (isEndingFirst) => {
    const stage = answered();
    const won: Ending = { kind: "won", receipt: receipt({ via: "tui" }), isVerified: true };
    const left = (): void =>
      void stage.feed({
        kind: "left",
        request,
        ending: { receipt: receipt({ via: "tui" }), proof: "proved" },
        at: stage.at,
      });
    if (isEndingFirst) {
      ends(stage, won);
      left();
    } else {
      left();
      ends(stage, won);
    }
    stage.waits([other]);
    expect(stage.notices).toHaveLength(1);
    expect(stage.model.sent.size).toBe(0);
    expect(stage.model.card?.entry.key).toBe(other.id);
  });

  it("that a silent server has not read is told of", () => {
    const stage = answered();
    stage.feed({ kind: "silent", id: request.id, at: stage.at });
    expect(stage.notices.at(-1)).toContain("waiting for the server (process 4711)");
    const idle = new Stage();
    idle.waits([request]);
    idle.feed({ kind: "silent", id: request.id, at: idle.at });
    expect(idle.notices).toEqual([]);
  });
});

describe("a request that was answered elsewhere", () => {
  it("closes its card, says by whom, and its keys hit nothing", () => {
    const stage = new Stage();
    stage.waits([request, other]);
    stage.wait(10_000);
    stage.feed({ kind: "left", request, ending: { receipt: receipt(), proof: "proved" }, at: stage.at });
    expect(stage.notices.at(-1)).toContain(
      "no longer waiting: answered in wisp approvals (approved, once, terminal)",
    );
    stage.press("y");
    expect(stage.answers).toEqual([]);
    stage.waits([other]);
    stage.wait(499).press("y");
    expect(stage.answers).toEqual([]);
    stage.calmly("y");
    expect(stage.answers.map(({ request: { id } }) => id)).toEqual([other.id]);
  });

  it("closes without a word where it was not open", () => {
    const stage = new Stage();
    stage.waits([request, other]);
    stage.feed({ kind: "left", request: other, ending: null, at: stage.at });
    expect(stage.notices).toEqual([]);
    expect(stage.model.card?.entry.key).toBe(request.id);
    expect(stage.model.queue.entries).toHaveLength(1);
  });

  it("takes nothing with it when the channel can no longer be used", () => {
    const stage = new Stage();
    stage.waits([request]);
    const complaint = { what: "Others can open it.", why: null, fix: "chmod 700 ~/.wisp" };
    stage.waits([], { health: { kind: "unusable", complaint } });
    expect(stage.model.card).toBeNull();
    stage.calmly("y");
    expect(stage.answers).toEqual([]);
    stage.waits([request]);
    stage.calmly("y");
    expect(stage.answers).toHaveLength(1);
  });
});

describe("a late answer", () => {
  const low = toRun("git status", { level: "low" });

  it.each<[LateEnding, string]>([
    [
      {
        kind: "kept",
        effect: "the next identical call runs once",
        verified: { terminal: true, ancestry: null, signed: null },
      },
      "approved (once, terminal, ancestors not all seen): git status — the next identical call runs once",
    ],
    [{ kind: "denied" }, "denied: git status"],
    [{ kind: "kept before" }, "approved before"],
    [{ kind: "gone" }, "in this moment"],
    [{ kind: "insufficient", shortfall: "no_terminal" }, "Not taken"],
    [{ kind: "error", text: "No." }, "No."],
  ])("is told how it ended, and what may still be answered is read again: %j", (ending, text) => {
    const stage = new Stage();
    stage.press("/");
    stage.type("late");
    stage.press("return");
    stage.feed({ kind: "late", requests: [ended(low)], at: stage.at });
    stage.calmly("y");
    const given = { decision: "approve", scope: "once", note: null } as const;
    const effects = stage.feed({ kind: "answered-late", request: low, given, ending, at: stage.at });
    expect(stage.notices.at(-1)).toContain(text);
    expect(effects).toContainEqual({ kind: "load-late" });
    expect(stage.model.sent.size).toBe(0);
  });
});

describe("news", () => {
  it("grows old, and Esc clears it away", () => {
    const stage = answered();
    ends(stage, { kind: "gone" });
    stage.wait(29_999);
    stage.feed({ kind: "tick", at: stage.at, now: 0 });
    expect(stage.notices).toHaveLength(1);
    stage.wait(1);
    stage.feed({ kind: "tick", at: stage.at, now: 0 });
    expect(stage.notices).toEqual([]);
  });
});
