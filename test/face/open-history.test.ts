import { appendFileSync, chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answeredEvent } from "../../src/broker/approval/record.js";
import type { AuditKind } from "../../src/broker/audit/audit-log.js";
import { ensureHome, type Home } from "../../src/broker/channel/home.js";
import { unprovedReceipt } from "../../src/broker/channel/receipts.js";
import type { Answer } from "../../src/broker/request/answer.js";
import { answerHash } from "../../src/broker/request/binding.js";
import type { ReceiptOutcome } from "../../src/broker/request/outcome.js";
import type { ApprovalRequest } from "../../src/broker/request/request.js";
import { systemClock } from "../../src/broker/system/clock.js";
import type { HistoryEntry } from "../../src/face/history.js";
import { openHistory } from "../../src/face/open-history.js";
import { auditLogAt } from "../support/audit-logs.js";
import { answerTo, approvalRequest, denialOf } from "../support/builders.js";
import { FakeClock } from "../support/fake-clock.js";
import { plantReceipt } from "../support/planted.js";
import { type Sketch, sketched } from "../support/sketched.js";
import { madeHome, tempHome } from "../support/temp-home.js";
import { atTerminal } from "../support/witnesses.js";

interface Written {
  readonly home: Home;
  readonly clock: FakeClock;
  readonly request: ApprovalRequest;
  log(...events: readonly Sketch[]): Promise<void>;
  entries(most?: number): readonly HistoryEntry[];
  /** The one entry, without what every test would repeat. */
  only(): Omit<HistoryEntry, "id" | "at">;
}

function written(): Written {
  const home = madeHome();
  const clock = new FakeClock();
  const audit = auditLogAt(home.path, { home: () => ensureHome(home, systemClock), clock });
  const request = approvalRequest();
  const entries = (most?: number) => openHistory({ clock }, home, most).read();
  return {
    home,
    clock,
    request,
    log: (...events) => audit.append(events.map(sketched), "plain"),
    entries,
    only() {
      const [first, ...others] = entries();
      if (first === undefined || others.length > 0) throw new Error(`${others.length} others.`);
      const { id, at: _at, ...rest } = first;
      expect(id).toBe(request.id);
      return rest;
    },
  };
}

function answered(answer: Answer): Sketch {
  return answeredEvent({ answer, hash: answerHash(answer), testimony: atTerminal }, 3, false);
}

function settled(call: string, outcome: ReceiptOutcome, details: Details = {}): Sketch {
  return {
    kind: "approval.settled",
    call,
    details: { outcome, via: "cli", seconds: 3, ran: null, ...details },
  };
}

type Details = Readonly<Record<string, unknown>>;

function decided(call: string, details: Details): Sketch {
  return { kind: "approval.decided", call, details: { outcome: "approved", ...details } };
}

const command = { command: "git push origin main", directory: "/home/p/api" };
const exited = { ending: "exited", exitCode: 0, signal: null };

test("nothing is told where there is no home, no log and no receipt", () => {
  expect(openHistory({ clock: new FakeClock() }, tempHome()).read()).toEqual([]);
  expect(written().entries()).toEqual([]);
});

test("a yes says what it allowed, where it came from, how sure that is, and how the command ended", async () => {
  const { request, log, only } = written();
  const { id } = request;
  await log(
    answered(answerTo(request, { via: "tui" })),
    settled(id, "answered", { via: "tui" }),
    decided(id, command),
  );
  await log({ kind: "effect.started", call: id });
  const line = {
    outcome: "approved (once, terminal) in wisp-tui",
    mark: "✓",
    what: "git push origin main",
  };
  expect(only()).toEqual({ ...line, effect: "began; nothing says how it ended" });
  await log({ kind: "effect.finished", call: id, details: exited });
  expect(only()).toEqual({ ...line, effect: "exit 0" });
  await log({ kind: "effect.started", call: id });
  await log({ kind: "effect.finished", call: id, details: { ...exited, exitCode: 2 } });
  expect(only()).toEqual({ ...line, effect: "exit 2, the last of 2 runs" });
});

test.each<[Details, string]>([
  [{ ending: "exited", exitCode: null, signal: "SIGKILL" }, "ended by SIGKILL"],
  [{ ending: "exited", exitCode: null, signal: "\u001b[2J" }, "ended"],
  [{ ending: "timed_out", exitCode: null, signal: "SIGTERM" }, "stopped: its time was over"],
  [{ ending: "cancelled", exitCode: 1, signal: null }, "stopped: the caller cancelled"],
  [{ ending: "abandoned" }, "did not run"],
  [{ ending: "answered", bytes: 3 }, "the server answered"],
  [{ ending: "drifted", why: "x" }, "did not run: what it was for was another by then"],
  [{ ending: "unknown" }, "nothing says how it ended"],
  [{ ending: "not_started", errno: "ENOENT" }, "could not be started (ENOENT)"],
  [{ ending: "not_started", errno: "a\nb" }, "could not be started"],
])("of a command or a call that ended as %j it is said: %s", async (details, expected) => {
  const { request, log, only } = written();
  await log(answered(answerTo(request)), settled(request.id, "answered"));
  await log(
    { kind: "effect.started", call: request.id },
    { kind: "effect.finished", call: request.id, details },
  );
  expect(only().effect).toBe(expected);
});

test.each<[ReceiptOutcome, string, HistoryEntry["mark"]]>([
  ["timed_out", "timed out: nobody answered in time", "–"],
  ["abandoned", "abandoned: the caller cancelled", "–"],
  ["withdrawn", "withdrawn: its server stopped asking", "–"],
  ["failed", "failed", "!"],
])("an ending by nobody (%s) reads: %s", async (outcome, text, mark) => {
  const { request, log, only } = written();
  await log(settled(request.id, outcome));
  expect(only()).toEqual({ outcome: text, mark, what: null, effect: null });
});

test("what a sweep ended is stale, or was allowed and did not run", async () => {
  const { request, log, only } = written();
  await log({ kind: "request.swept", call: request.id, verified: { what: "stale" } });
  expect(only()).toMatchObject({ outcome: "stale: its server is gone and nothing ran", mark: "–" });
  const other = written();
  await other.log(
    { kind: "request.swept", call: other.request.id, verified: { what: "decided, not run" } },
    { kind: "request.swept", call: approvalRequest().id, verified: { what: "cleared" } },
  );
  expect(other.only()).toMatchObject({ mark: "!" });
});

test("a yes after the ending stands behind it, and so does a no", async () => {
  const { request, log, only } = written();
  await log(settled(request.id, "timed_out"));
  await log(answered(answerTo(request)));
  expect(only()).toMatchObject({
    outcome: "timed out: nobody answered in time; then approved (once, terminal) in wisp approvals",
    mark: "✓",
  });
  const other = written();
  await other.log(settled(other.request.id, "withdrawn"), answered(denialOf(other.request)));
  expect(other.only()).toMatchObject({ outcome: expect.stringMatching(/; then denied/), mark: "✗" });
});

test("a receipt adds its note where the log vouches for it, and not where the words are others", async () => {
  const { home, request, log, only } = written();
  const answer = { ...denialOf(request, "not on Fridays"), via: "tui" } as const;
  const taken = { answer, hash: answerHash(answer), testimony: atTerminal };
  await log(answered(answer), settled(request.id, "answered", { via: "tui", ran: false }));
  expect(only().outcome).toBe("denied (terminal) in wisp-tui");
  const receipt = unprovedReceipt(request, { outcome: "answered", taken, ran: false }, 1);
  plantReceipt(home, receipt);
  expect(only()).toMatchObject({ outcome: 'denied (terminal) in wisp-tui: "not on Fridays"', mark: "✗" });
  plantReceipt(home, { ...receipt, decision: "approve", note: "go on", via: "web" });
  expect(only()).toMatchObject({ outcome: "denied (terminal) in wisp-tui", mark: "✗", effect: null });
});

test("how sure an answer is stands in the log; a receipt adds what was not seen, and cannot make it surer", async () => {
  const { home, request, log, only } = written();
  const answer = answerTo(request);
  const taken = { answer, hash: answerHash(answer), testimony: atTerminal };
  await log(answered(answer), settled(request.id, "answered"));
  const receipt = unprovedReceipt(request, { outcome: "answered", taken, ran: null }, 1);
  plantReceipt(home, { ...receipt, verified: { terminal: null, ancestry: true, signed: null } });
  expect(only().outcome).toBe("approved (once, terminal, standard input not seen) in wisp approvals");
  plantReceipt(home, { ...receipt, verified: { terminal: true, ancestry: true, signed: true } });
  expect(only().outcome).toBe("approved (once, terminal) in wisp approvals");
});

test("of a receipt alone it is said that nothing proves it", () => {
  const { home, request, only } = written();
  const answer = answerTo(request, { note: "a\u001b[2Jb" });
  const taken = { answer, hash: answerHash(answer), testimony: atTerminal };
  plantReceipt(home, unprovedReceipt(request, { outcome: "answered", taken, ran: false }, 1));
  expect(only()).toEqual({
    outcome:
      'approved (once, terminal) in wisp approvals: "a\\u{1b}[2Jb" (unverified: its request is gone, so nothing can prove this)',
    mark: "✓",
    what: null,
    effect: "did not run",
  });
});

test("the newest come first, no more than asked for, and none from tomorrow above them", async () => {
  const { home, clock, log, entries } = written();
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const request = approvalRequest();
    ids.unshift(request.id);
    clock.advance(1_000);
    await log(answered(answerTo(request)), settled(request.id, "answered"));
  }
  expect(entries(3).map(({ id, outcome }) => [id, outcome])).toEqual(
    // The answer of the last one that is told stands before its end in the log.
    ids.slice(0, 3).map((id) => [id, "approved (once, terminal) in wisp approvals"]),
  );
  const tomorrow = approvalRequest();
  plantReceipt(home, unprovedReceipt(tomorrow, { outcome: "stale", taken: null, ran: false }, 2 ** 53 - 1));
  clock.advance(1_000);
  const all = entries();
  expect(all.map(({ id }) => id)).toEqual([tomorrow.id, ...ids]);
  expect(all[0]?.at).toBe(clock.now());
  expect(entries(3).map(({ id }) => id)).toEqual([tomorrow.id, ...ids.slice(0, 2)]);
});

test("texts of the log are shown once: as they stand there when we wrote them, escaped when somebody else did", async () => {
  const texts = ["a\\u{1b}[2Jb", "a\u001b[2Jb", "x ␠×4000 y", "a\\u{1b}\u0301", "r\u202eev"];
  const shown: (string | null)[] = [];
  for (const text of texts) {
    const { request, log, only } = written();
    await log(settled(request.id, "timed_out"), decided(request.id, { command: text }));
    shown.push(only().what);
  }
  expect(shown).toEqual([
    "a\\u{1b}[2Jb",
    "a\\u{1b}[2Jb",
    "x ␠×4000 y",
    "a\\u{5c}u{1b}\u0301",
    "r\\u{202e}ev",
  ]);
});

test("hostile lines are passed over, and what stands around them is told", async () => {
  const { home, request, log, only } = written();
  const path = join(home.path, "audit", "log.jsonl");
  await log(answered(answerTo(request)), settled(request.id, "answered"));
  const record = { v: 1, ts: 1, kind: "approval.settled", session: "x", call: "../../etc", verified: {} };
  const lines: unknown[] = [
    { ...record, details: { outcome: "answered" } },
    { ...record, call: "zzzzzzzz", details: { outcome: "executed" } },
    { ...record, call: "zzzzzzzz", details: ["outcome"] },
    { ...record, call: "zzzzzzzz", details: { outcome: "answered" }, ts: 1e300 },
    { ...record, call: "zzzzzzzz", details: { outcome: "answered" }, ts: "soon" },
    { ...record, call: "zzzzzzzz", kind: "approval.answered", details: { decision: "approve", via: "me" } },
    [],
    null,
  ];
  const raw = [
    ...lines.map((line) => JSON.stringify(line)),
    "{",
    "",
    "\u0000",
    `{"call":"zzzzzzzz","call":"${request.id}","kind":"approval.settled","ts":1,"details":{"outcome":"failed"}}`,
    `{"kind":"approval.settled","call":"zzzzzzzz","ts":1,"details":{"outcome":"failed","x":"${"x".repeat(70_000)}"}}`,
    `{"kind":"approval.settled","call":"${request.id}","ts":9,"details":{"outcome":"failed"`,
  ];
  appendFileSync(path, raw.join("\n"));
  expect(only()).toMatchObject({ outcome: "approved (once, terminal) in wisp approvals", mark: "✓" });
});

test("a log of any length costs no more than its end", async () => {
  const { home, request, log, only, entries } = written();
  const path = join(home.path, "audit", "log.jsonl");
  await log(answered(answerTo(request)), settled(request.id, "answered"));
  appendFileSync(path, `${"x".repeat(1_000)}\n`.repeat(5_000));
  expect(entries()).toEqual([]);
  await log(settled(request.id, "timed_out"));
  expect(only().mark).toBe("–");
});

test("nothing is read from a home that others can open, and all of it once it is closed", async () => {
  const { home, request, log, entries } = written();
  await log(settled(request.id, "timed_out"));
  chmodSync(home.path, 0o750);
  expect(() => entries()).toThrow(expect.objectContaining({ code: "channel_unsafe" }));
  chmodSync(home.path, 0o700);
  expect(entries()).toHaveLength(1);
  mkdirSync(join(home.settled, "zzzzzzzz.json"));
  expect(entries()).toHaveLength(1);
});

test.each<[string, Answer["decision"], Answer["scope"], string, HistoryEntry["mark"]]>([
  ["fact", "keep", "always", "kept (global, terminal) in wisp facts", "✓"],
  ["fact", "keep", "project", "kept (project, terminal) in wisp facts", "✓"],
  ["fact", "drop", null, "dropped (terminal) in wisp facts", "✗"],
  ["fact", "drop", "always", "dropped for good (terminal) in wisp facts", "✗"],
  ["question", "answer", null, "answered (terminal) in wisp questions", "✓"],
  ["question", "decline", null, "declined (terminal) in wisp questions", "✗"],
])(
  "a %s tells what was decided about it, and no word of an answer: %s, %s",
  async (kind, decision, scope, outcome, mark) => {
    const { request, log, only } = written();
    const answer = answerTo(request, {
      decision,
      scope,
      ...(decision === "answer" ? { values: null, text: "a secret" } : {}),
    });
    const of = (word: string): AuditKind => `${kind}.${word}` as string as AuditKind;
    const details = { subject: "api\\u{1b}", name: "test command" };
    await log(
      { kind: of("requested"), call: request.id, details },
      { ...answered(answer), kind: of("answered") },
      { ...settled(request.id, "answered"), kind: of("settled") },
    );
    const what = kind === "fact" ? "api\\u{1b} · test command" : "a question";
    expect(only()).toEqual({ outcome, mark, what, effect: null });
  },
);

test("a question is named although the log knew no id when it was asked, also where its server is gone", async () => {
  const { request, log, only } = written();
  await log(
    { kind: "question.requested", call: null, details: { question: "a hash" } },
    { kind: "question.pending", call: request.id, details: { filed: true } },
    { kind: "request.swept", call: request.id, verified: { what: "stale" } },
  );
  const outcome = "stale: its server is gone and nobody was told";
  expect(only()).toEqual({ outcome, mark: "–", what: "a question", effect: null });
});

test("a fact that was kept and could not be written down says that nothing was kept", async () => {
  const { request, log, only } = written();
  await log(
    {
      ...answered(answerTo(request, { decision: "keep", scope: null })),
      kind: "fact.answered",
    },
    { ...settled(request.id, "failed"), kind: "fact.settled" },
  );
  expect(only()).toMatchObject({
    outcome: "failed: it was kept, but that could not be written down or kept, so nothing was kept",
    mark: "!",
    effect: null,
  });
});
