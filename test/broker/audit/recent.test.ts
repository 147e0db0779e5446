/** Lines of somebody else's: whoever can write the log decides what stands in it, and nothing of it may be told as ours is. */
import { mkdirSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { recentEndings } from "../../../src/broker/audit/recent.js";
import { ProvableLog } from "../../support/provable-log.js";

const id = "abcdefgh";

let log: ProvableLog;
beforeEach(() => {
  log = new ProvableLog();
  mkdirSync(log.directory, { mode: 0o700 });
});

const line = (kind: string, details: object, verified: object = {}, call = id): string =>
  `${JSON.stringify({ kind, call, ts: 1_000, verified, details })}\n`;

/** What is told of the request after these lines, the oldest first. */
function told(...lines: readonly string[]) {
  log.put(lines.join(""));
  return recentEndings(log.home, 10).get(id);
}

describe("what a log says of a request", () => {
  it.each<readonly [string, string, object, string | null]>([
    ["a command", "approval.decided", { command: "git push" }, "git push"],
    ["a tool of a server", "approval.decided", { server: "files", tool: "write_file" }, "files · write_file"],
    ["a tool of no server", "approval.decided", { tool: "deploy" }, "deploy"],
    ["neither", "approval.decided", { command: 1, tool: null }, null],
    ["a fact", "fact.requested", { subject: "api", name: "port" }, "api · port"],
    ["half a fact", "fact.requested", { subject: "api" }, null],
    ["a command that hides its end", "approval.decided", { command: "ls\u202e" }, "ls\\u{202e}"],
  ])("is what it asked for: %s", (_, kind, details, what) => {
    expect(told(line(kind, details))?.what).toBe(what);
  });

  it.each<readonly [string, object, object | null]>([
    ["exited", { ending: "exited", exitCode: 3 }, { ending: "exited", exitCode: 3, word: null }],
    [
      "timed out",
      { ending: "timed_out", signal: "SIGKILL" },
      { ending: "timed_out", exitCode: null, word: "SIGKILL" },
    ],
    [
      "was not started",
      { ending: "not_started", errno: "ENOENT" },
      { ending: "not_started", exitCode: null, word: "ENOENT" },
    ],
    ["ended in a way that is none", { ending: "won", exitCode: 0 }, null],
    [
      "has a status and a word of nobody's",
      { ending: "exited", exitCode: 0.5, signal: "rm -rf /" },
      { ending: "exited", exitCode: null, word: null },
    ],
  ])("is how its effect ended: it %s", (_, details, finished) => {
    expect(told(line("effect.finished", details))?.finished ?? null).toEqual(finished);
  });

  it.each<readonly [string, object, object | null]>([
    ["its server was gone", { what: "stale" }, { outcome: "stale", ran: false }],
    ["it was decided, and did not run", { what: "decided, not run" }, { outcome: "failed", ran: false }],
    ["something else was swept", { what: "receipt" }, null],
  ])("is that a sweep ended it: %s", (_, verified, end) => {
    const found = told(line("request.swept", {}, verified))?.end ?? null;
    if (end === null) expect(found).toBeNull();
    else expect(found).toMatchObject(end);
  });

  it("is nothing of an ending, a way or an answer that there is not", () => {
    expect(told(line("approval.settled", { outcome: "won" }))?.end).toBeNull();
    const settled = line("approval.settled", { outcome: "answered", via: "nobody", ran: "yes" });
    expect(told(settled)?.end).toEqual({ at: 1_000, outcome: "answered", via: null, ran: null });
    const answer = { decision: "approve", via: "cli", answer: "0".repeat(64) };
    for (const wrong of [{ decision: "maybe" }, { via: "nobody" }, { answer: 1 }]) {
      expect(told(line("approval.answered", { ...answer, ...wrong }), settled)?.answer).toBeNull();
    }
    expect(told(line("approval.answered", answer), settled)?.answer).toMatchObject({ decision: "approve" });
  });

  it.each<readonly [string, string]>([
    ["of no request", line("approval.settled", {}, {}, "../etc")],
    ["before all time", line("approval.settled", {}).replace("1000", "-1")],
    ["without an end", `${"x".repeat(70_000)}\n`],
    ["that is no object", "[]\n"],
  ])("is nothing by a line %s, and the line before it is told", (_, odd) => {
    const asked = line("approval.decided", { command: "git push" });
    expect(told(asked, odd)?.what).toBe("git push");
  });
});

it("no more files are read than the endings that are asked for take", () => {
  const settled = (call: string): string => line("approval.settled", { outcome: "answered" }, {}, call);
  log.put(settled("aaaaaaaa"), "log.1-1.jsonl");
  log.put(settled("bbbbbbbb") + settled("cccccccc"));
  expect([...recentEndings(log.home, 1).keys()]).toEqual(["cccccccc", "bbbbbbbb"]);
  expect([...recentEndings(log.home, 2).keys()]).toEqual(["cccccccc", "bbbbbbbb", "aaaaaaaa"]);
});
