/** What plain chat tells, each thing once. */
import { describe, expect, it } from "vitest";
import { composeRequest } from "../../../src/broker/request/binding.js";
import type { Request } from "../../../src/broker/request/request.js";
import { newsOf } from "../../../src/cli/chat/news.js";
import { wide } from "../../../src/face/wide.js";
import { approvalRequest, commandSubject, filingFacts } from "../../support/builders.js";
import { type FakeInbox, fakeInbox, receiptOf } from "../../support/fake-inbox.js";
import { factDraft, questionDraft } from "../../support/request-kinds.js";

const now = 1_790_000_019_000;

function newsIn(inbox: FakeInbox, columns = Number.POSITIVE_INFINITY, canAnswer = true) {
  return newsOf({ inbox, clock: { now: () => now }, widths: wide, columns: () => columns, canAnswer });
}

function lines(text: string): readonly string[] {
  return text.split("\n").slice(0, -1);
}

const answering = "Answer: /approvals approve ID, which shows all of it first, or /approvals deny ID [why]";
const denied = (request: Request) => ({ receipt: receiptOf(request), proof: "proved" }) as const;

describe("a request that waits", () => {
  it("is told once, in one line with its id, level, what runs, who asks and how long it has", () => {
    const request = approvalRequest({ level: "high", thread: "git" });
    const inbox = fakeInbox([request]);
    const news = newsIn(inbox);
    expect(lines(news.take())).toEqual([
      `waits: ${request.id}  high  git push origin main  for test-client, thread git  9:41 left`,
      answering,
    ]);
    expect(news.take()).toBe("");
  });

  it("names the commands that answer once for each kind", () => {
    const inbox = fakeInbox();
    const news = newsIn(inbox);
    const told: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      const requests = [
        approvalRequest(),
        composeRequest(factDraft(), filingFacts()),
        composeRequest(questionDraft(), filingFacts()),
      ];
      inbox.arrives(...requests);
      told.push(...lines(news.take()).filter((line) => !line.startsWith("waits: ")));
    }
    expect(told).toEqual([
      answering,
      expect.stringMatching(
        /^Facts: \/facts keep ID \[project\|global\], .*, or \/facts drop ID \[for-good\]$/,
      ),
      expect.stringMatching(/^Questions: \/questions answer ID, .*, or \/questions decline ID \[why\]$/),
    ]);
  });

  it("names no command that answers where nobody can answer", () => {
    const news = newsIn(fakeInbox([approvalRequest()]), 80, false);
    expect(lines(news.take())).toEqual([expect.stringMatching(/^waits: /)]);
  });

  it("says so where its file was changed, whatever level that claims", () => {
    const request = { ...approvalRequest(), level: "low" as const };
    expect(newsIn(fakeInbox([request])).take()).toContain(`waits: ${request.id}  altered  `);
  });

  it.each([80, 120, 200])("takes one line of %d columns, however long its texts are", (columns) => {
    const request = approvalRequest({
      thread: "貓".repeat(300),
      subject: commandSubject({ line: `echo ${"貓".repeat(2_000)}` }),
    });
    const [line = ""] = lines(newsIn(fakeInbox([request]), columns).take());
    expect(wide.of(line)).toBeLessThanOrEqual(columns);
    expect(line).toMatch(/echo .*… {2}for .*… {2}9:41 left$/);
  });

  it("takes two lines of 60 columns, so that what runs and who asks can still be read", () => {
    const request = approvalRequest({ level: "dangerous", thread: "git" });
    const news = newsIn(fakeInbox([request]), 60);
    expect(lines(news.take())).toEqual([
      `waits: ${request.id}  dangerous  9:41 left`,
      "  what: git push origin main  for test-client, thread git",
      "Answer: /approvals approve ID, which shows all of it first,",
      "  or /approvals deny ID [why]",
    ]);
    const long = approvalRequest({
      thread: "貓".repeat(300),
      subject: commandSubject({ line: `echo ${"貓".repeat(2_000)}` }),
    });
    const told = lines(newsIn(fakeInbox([long]), 60, false).take());
    for (const line of told) expect(wide.of(line)).toBeLessThanOrEqual(60);
    expect(told[1]).toMatch(/^ {2}what: echo 貓{10,}… {2}for .*…$/);
  });

  it("leaves who asks the room that what runs does not take", () => {
    const request = approvalRequest({ subject: commandSubject({ line: "ls" }), thread: "a longer one" });
    const [line = ""] = lines(newsIn(fakeInbox([request]), 80, false).take());
    expect(line).toContain("  ls  for test-client, thread a longer one  9:41 left");
  });

  it("reaches nobody's terminal as it is", () => {
    const hostile = "a\u001b]52;c;eA==\u0007\u202e\nb\u009b2J";
    const request = approvalRequest({
      thread: hostile,
      client: { name: hostile, version: hostile },
      subject: commandSubject({ line: hostile }),
    });
    const inbox = fakeInbox([request]);
    const news = newsIn(inbox);
    const first = news.take();
    inbox.leaves(request, { receipt: receiptOf(request, { note: hostile }), proof: "proved" });
    for (const text of [first, news.take()]) {
      expect(text).toContain("\\u{1b}]52;c;");
      expect(text.replaceAll("\n", "")).toMatch(/^[\x20-\x7e]+$/);
    }
  });

  it("is counted where more come at once than anybody reads", () => {
    const requests = Array.from({ length: 1_000 }, () => approvalRequest());
    const told = lines(newsIn(fakeInbox(requests)).take());
    expect(told.filter((line) => line.startsWith("waits: "))).toHaveLength(40);
    expect(told).toContain("and 960 more; what waits: /approvals pending");
  });
});

describe("a request that waits no longer", () => {
  it("is told once, with how it ended", () => {
    const request = approvalRequest();
    const inbox = fakeInbox([request]);
    const news = newsIn(inbox);
    news.take();
    inbox.leaves(request, { receipt: receiptOf(request, { note: "not today" }), proof: "proved" });
    expect(news.take()).toBe(
      `ended: ${request.id}  denied (file) in wisp approvals: "not today"  git push origin main\n`,
    );
    expect(news.take()).toBe("");
  });

  it("breaks how it ended between words where the terminal is narrow, and what it was stands below", () => {
    const request = approvalRequest();
    const inbox = fakeInbox([request]);
    const news = newsIn(inbox, 60);
    news.take();
    const note = "not before the tests of the other branch are through";
    inbox.leaves(request, { receipt: receiptOf(request, { note }), proof: "proved" });
    expect(lines(news.take())).toEqual([
      `ended: ${request.id}  denied (file) in wisp approvals: "not`,
      '  before the tests of the other branch are through"',
      "  what: git push origin main",
    ]);
  });

  it("is told alone where it came and went between two prompts", () => {
    const request = approvalRequest();
    const inbox = fakeInbox();
    const news = newsIn(inbox);
    inbox.arrives(request);
    inbox.leaves(request, denied(request));
    expect(lines(news.take())).toEqual([expect.stringMatching(/^ended: /)]);
  });

  it("says where nothing tells how it ended, and where that is not proved", () => {
    const [one, other] = [approvalRequest(), approvalRequest()];
    const inbox = fakeInbox([one, other]);
    const news = newsIn(inbox);
    news.take();
    inbox.leaves(one, null);
    inbox.leaves(other, { receipt: receiptOf(other), proof: "unproved" });
    expect(lines(news.take())).toEqual([
      `ended: ${one.id}  gone; nothing says how it ended  git push origin main`,
      expect.stringMatching(/\(unverified: /),
    ]);
  });

  it.each(["before", "after"])(
    "is not told again where a person was told already, %s it was seen",
    (when) => {
      const [own, other] = [approvalRequest(), approvalRequest()];
      const inbox = fakeInbox([own, other]);
      const news = newsIn(inbox);
      news.take();
      if (when === "before") news.passOver(own.id);
      inbox.leaves(own, denied(own));
      if (when === "after") news.passOver(own.id);
      inbox.leaves(other, denied(other));
      expect(lines(news.take())).toEqual([expect.stringContaining(`ended: ${other.id}`)]);
    },
  );
});

describe("a channel that is not safe any more", () => {
  it("is told once with what to do, and once that it can be seen again", () => {
    const inbox = fakeInbox();
    const news = newsIn(inbox);
    const complaint = { what: "Others can open it.", why: "Its mode is 0755.", fix: "chmod 700 it" };
    for (let look = 0; look < 2; look += 1) inbox.turns({ kind: "unusable", complaint: { ...complaint } });
    expect(news.take()).toBe("wisp: Others can open it.\n  Its mode is 0755.\n  chmod 700 it\n");
    inbox.turns({ kind: "unusable", complaint: { ...complaint } });
    expect(news.take()).toBe("");
    inbox.turns({ kind: "polling" });
    expect(news.take()).toBe("What waits can be seen again.\n");
    inbox.turns({ kind: "watching" });
    expect(news.take()).toBe("");
  });
});
