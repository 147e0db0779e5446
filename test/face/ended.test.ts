import { describe, expect, it } from "vitest";
import type { Receipt } from "../../src/broker/request/receipt.js";
import { answerText, elsewhereText, endText, lostText, noteText } from "../../src/face/ended.js";
import { answerTo, approvalRequest } from "../support/builders.js";

function receipt(overrides: Partial<Receipt>): Receipt {
  return {
    v: 1,
    id: "k7q2mx9d",
    kind: "approval",
    outcome: "answered",
    via: "cli",
    decision: "approve",
    scope: null,
    note: null,
    answer: null,
    verified: null,
    at: 1_790_000_000_000,
    seconds: 12,
    ran: null,
    reveal: null,
    mac: null,
    ...overrides,
  };
}

const unproved = "unverified: the server that asked did not write this";

function seen(terminal: boolean | null, ancestry: boolean | null): Receipt["verified"] {
  return { terminal, ancestry, signed: null };
}

describe("why nothing came of an answer that was first", () => {
  it.each<[Partial<Receipt>, string]>([
    [{ outcome: "failed", ran: false }, `its server died and nothing ran (${unproved})`],
    [{ outcome: "stale", decision: null, via: null }, `its server died and nothing ran (${unproved})`],
    [{ outcome: "failed", reveal: "r" }, `nothing ran: failed (${unproved})`],
    [
      { outcome: "withdrawn", note: "it left" },
      `nothing ran: withdrawn: its server stopped asking: "it left" (${unproved})`,
    ],
  ])("says each thing once: %j", (overrides, text) => {
    expect(lostText(receipt(overrides), approvalRequest())).toBe(text);
  });
});

describe("how a request ended, in words", () => {
  it.each<[Partial<Receipt>, string]>([
    [{ scope: "once", verified: seen(true, true) }, "approved (once, terminal) in wisp approvals"],
    [
      { scope: "once", verified: seen(true, null) },
      "approved (once, terminal, ancestors not all seen) in wisp approvals",
    ],
    [
      { scope: "once", verified: seen(null, true) },
      "approved (once, terminal, standard input not seen) in wisp approvals",
    ],
    [
      { scope: "once", verified: seen(null, false) },
      "approved (once, terminal, standard input not seen, from within a client's own processes) in wisp approvals",
    ],
    [
      { decision: "deny", verified: seen(null, null) },
      "denied (file, its process not seen) in wisp approvals",
    ],
    [{ scope: "session", verified: seen(false, true) }, "approved (session, file) in wisp approvals"],
    [
      { scope: "once", verified: seen(true, false) },
      "approved (once, terminal, from within a client's own processes) in wisp approvals",
    ],
    [{ scope: "once" }, "approved (once, file) in wisp approvals"],
    [
      { scope: "once", verified: { terminal: null, ancestry: null, signed: true } },
      "approved (once, signed, its process not seen) in wisp approvals",
    ],
    [{ decision: "deny", via: "tui", note: "a\u001b[2Jb" }, 'denied (file) in wisp-tui: "a\\u{1b}[2Jb"'],
    [{ decision: "deny", via: "elicitation" }, "denied (dialog) in the client's dialog"],
    [{ kind: "fact", decision: "keep", via: "chat" }, "kept (file) in wisp chat"],
    [{ kind: "fact", decision: "drop", via: "web" }, "dropped (file) on the web page"],
    [{ kind: "question", decision: "answer", via: null }, "answered"],
    [{ decision: "approve", via: "server" }, "approved by its server"],
    [{ kind: "question", decision: "decline" }, "declined (file) in wisp questions"],
    [
      { kind: "fact", decision: "keep", scope: "project", verified: seen(true, true) },
      "kept (project, terminal) in wisp facts",
    ],
    [{ kind: "fact", decision: "keep", scope: "always", via: "tui" }, "kept (global, file) in wisp-tui"],
    [{ kind: "fact", decision: "drop", scope: "always" }, "dropped for good (file) in wisp facts"],
    [
      { kind: "fact", outcome: "failed", decision: "keep", reveal: "r" },
      "failed: it was kept, but that could not be written down or kept, so nothing was kept",
    ],
    [
      { kind: "question", outcome: "failed", decision: "answer", reveal: "r" },
      "failed: it was answered, but that could not be written down or kept, so nobody was told",
    ],
    [{ outcome: "timed_out", decision: "timed_out", via: "server" }, "timed out: nobody answered in time"],
    [{ outcome: "abandoned", decision: "abandoned", via: "server" }, "abandoned: the caller cancelled"],
    [{ outcome: "withdrawn", note: "it left" }, 'withdrawn: its server stopped asking: "it left"'],
    [{ outcome: "stale", decision: null, via: null }, "stale: its server is gone and nothing ran"],
    [
      { kind: "question", outcome: "stale", decision: null, via: null },
      "stale: its server is gone and nobody was told",
    ],
    [{ outcome: "failed", decision: "failed", note: "ENOSPC" }, 'failed: "ENOSPC"'],
    [{ outcome: "failed", decision: null, via: null }, "failed"],
    [{ outcome: "failed", ran: false }, "failed: it was approved, but its server died and nothing ran"],
    [
      { outcome: "failed", ran: false, reveal: "A".repeat(43), mac: "0".repeat(64) },
      "failed: it was approved, but that could not be written down or kept, so nothing ran",
    ],
    [{ outcome: "failed", ran: null }, "failed"],
  ])("%j", (overrides, text) => {
    expect(endText(receipt(overrides), "proved")).toBe(text);
    expect(endText(receipt(overrides), "unproved")).toBe(
      `${text} (unverified: the server that asked did not write this)`,
    );
    expect(endText(receipt(overrides), "request gone")).toBe(
      `${text} (unverified: its request is gone, so nothing can prove this)`,
    );
  });

  it("an answer in the slot says who gave it, and nothing of it is interpreted", () => {
    const by = { pid: 77, startedAt: "1", tty: "/dev/pts/2\u009b", version: "1" };
    const answer = answerTo(approvalRequest(), { scope: "session", via: "tui", by });
    expect(answerText(answer)).toBe("approved, session, in wisp-tui on /dev/pts/2\\u{9b} (process 77)");
    const own = answerTo(approvalRequest(), {
      decision: "timed_out",
      scope: null,
      via: "server",
      by: { ...by, tty: null },
    });
    expect(answerText(own)).toBe("timed out by its server (process 77)");
  });

  it("a note that says nothing is left out", () => {
    expect([noteText(null), noteText(undefined), noteText(""), noteText("a")]).toEqual(["", "", "", ': "a"']);
  });
});

describe("how a request ended that was before somebody's eyes, in words", () => {
  it.each<[Partial<Receipt>, string]>([
    [{ scope: "once", verified: seen(true, true) }, "answered in wisp approvals (approved, once, terminal)"],
    [
      { decision: "deny", via: "chat", note: "a\u001b[2Jb" },
      'answered in wisp chat (denied, file): "a\\u{1b}[2Jb"',
    ],
    [{ outcome: "stale", via: null, decision: null }, "stale: its server is gone and nothing ran"],
  ])("%j", (overrides, text) => {
    expect(elsewhereText(receipt(overrides), "proved")).toBe(text);
  });

  it("says that nothing proves it", () => {
    expect(elsewhereText(receipt({ scope: "once" }), "unproved")).toBe(
      "answered in wisp approvals (approved, once, file, unverified: the server that asked did not write this)",
    );
  });
});
