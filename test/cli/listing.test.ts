import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { composeRequest } from "../../src/broker/request/binding.js";
import type { ApprovalRequest, Request } from "../../src/broker/request/request.js";
import { pendingJson, pendingLines, pendingTable } from "../../src/cli/listing.js";
import { approvalRequest, commandSubject, filingFacts } from "../support/builders.js";
import { factDraft, questionDraft, toolSubject } from "../support/request-kinds.js";

const now = 1_790_000_041_900;
const unpainted = (_level: string, text: string): string => text;

const push = approvalRequest({ thread: "git", level: "high" }, { id: "k7q2mx9d" });
const tool = approvalRequest({ subject: toolSubject(), client: null }, { id: "p4rv8dxx" });
const fact = composeRequest(factDraft(), filingFacts({ id: "f2m6ncxx" }));
const question = composeRequest(questionDraft(), filingFacts({ id: "t9w3hzxx" }));

function withLine(line: string, overrides: Parameters<typeof approvalRequest>[0] = {}): ApprovalRequest {
  return approvalRequest({ subject: commandSubject({ line, command: line, argv: null }), ...overrides });
}

describe("what waits, as JSON", () => {
  it("has one shape for every kind, with what only approvals have as null elsewhere", () => {
    expect(JSON.parse(pendingJson([push, fact, question], now, ["k7q2mx9d"]))).toEqual({
      schemaVersion: 1,
      requests: [
        {
          id: "k7q2mx9d",
          kind: "approval",
          level: "high",
          ageSeconds: 41,
          expiresAt: 1_790_000_600_000,
          client: { name: "test-client", version: "1.0.0" },
          thread: "git",
          directory: "/home/p/api",
          summary: "git push origin main",
          subject: push.subject,
          assurance: "file",
          detached: true,
        },
        {
          id: "f2m6ncxx",
          kind: "fact",
          level: null,
          ageSeconds: 41,
          expiresAt: 1_790_604_800_000,
          client: { name: "test-client", version: "1.0.0" },
          thread: "setup",
          directory: "/home/p/api",
          summary: "api · test command: npm test",
          subject: null,
          assurance: null,
          detached: false,
        },
        {
          id: "t9w3hzxx",
          kind: "question",
          level: null,
          ageSeconds: 41,
          expiresAt: null,
          client: null,
          thread: null,
          directory: "/home/p/api",
          summary: "Which database?",
          subject: null,
          assurance: null,
          detached: false,
        },
      ],
    });
  });

  it("is an empty list where nothing waits", () => {
    expect(pendingJson([], now, [])).toBe('{"schemaVersion":1,"requests":[]}\n');
  });
});

describe("what waits, piped", () => {
  it("has a line each with six fields between tabs", () => {
    expect(pendingLines([push, tool, question], now).split("\n")).toEqual([
      "k7q2mx9d\thigh\t41\ttest-client/git\t/home/p/api\tgit push origin main",
      "p4rv8dxx\tmoderate\t41\tstdio\t\tfiles · write_file /home/p/api/a.txt",
      "t9w3hzxx\tquestion\t41\tstdio\t/home/p/api\tWhich database?",
      "",
    ]);
  });

  it("a tab or a newline in a value makes no further field or line", () => {
    const subject = commandSubject({ line: "a\tb\nc", directory: "/d\te\nf" });
    const client = { name: "x\ty\nz", version: "" };
    const line = pendingLines([approvalRequest({ subject, client, thread: "t\tu\nv" })], now);
    expect(line.split("\n")).toHaveLength(2);
    expect(line.trim().split("\t").slice(3)).toEqual([
      "x\\u{9}y\\u{a}z/t\\u{9}u\\u{a}v",
      "/d\\u{9}e\\u{a}f",
      "a\\u{9}b\\u{a}c",
    ]);
  });
});

describe("what waits, as a table", () => {
  it("shows all of short requests", async () => {
    expect(await pendingTable([push, tool], now, 100, unpainted)).toBe(
      [
        "id        level     age   who                directory    what",
        "k7q2mx9d  high      0:41  test-client · git  /home/p/api  git push origin main",
        "p4rv8dxx  moderate  0:41  stdio                           files · write_file /home/p/api/a.txt",
        "",
      ].join("\n"),
    );
  });

  it("keeps both ends of a call, so that several are told apart", async () => {
    const table = await pendingTable([tool], now, 60, unpainted);
    expect(table.split("\n")[1]).toMatch(/ files · .*….*pi\/a\.txt$/);
  });

  it("colours the level alone", async () => {
    const table = await pendingTable([push], now, 80, (level, text) => `<${level}>${text}</>`);
    expect(table.split("\n")[1]).toBe(
      "k7q2mx9d  <high>high</>   0:41  test-client · git  /home/p/api  git push origin main",
    );
  });

  it("keeps the end of a directory and the beginning of a command", async () => {
    const subject = commandSubject({
      line: `git push ${"x".repeat(200)}`,
      directory: `/home/p/${"d".repeat(90)}/api`,
    });
    const [, row = ""] = (await pendingTable([approvalRequest({ subject })], now, 80, unpainted)).split("\n");
    expect(row).toMatch(/ {2}…d+\/api {2}git push x+…$/);
    expect(stringWidth(row)).toBe(80);
  });

  it("leaves the directory out rather than what runs where the terminal is narrow", async () => {
    const table = await pendingTable([withLine("npm run a-very-long-script-name")], now, 45, unpainted);
    expect(table.split("\n")[0]).toBe("id        level     age   what");
  });

  it.each([60, 80, 120, 200])("fits %d columns whatever the texts hold", async (columns) => {
    const anyText = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme", size: "medium" }));
    const anyRequest = fc.record({ line: anyText, directory: anyText, name: anyText, thread: anyText }).map(
      ({ line, directory, name, thread }): Request =>
        approvalRequest({
          subject: commandSubject({ line: line, directory: directory }),
          client: { name: name, version: "" },
          thread: thread,
        }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(anyRequest, { minLength: 1, maxLength: 4 }), async (requests) => {
        const lines = (await pendingTable(requests, now, columns, unpainted)).split("\n");
        expect(lines).toHaveLength(requests.length + 2);
        for (const line of lines) {
          expect(stringWidth(line)).toBeLessThanOrEqual(columns);
          expect(line).not.toMatch(/\p{Cc}|\p{Cf}/u);
        }
      }),
      { numRuns: 60 },
    );
  });
});
