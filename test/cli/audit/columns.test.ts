/** How `wisp audit show` fits decisions into the columns of a terminal. */
import { describe, expect, it } from "vitest";
import { ruleShort } from "../../../src/cli/audit/decision.js";
import { claims, pushed, pushOf } from "../../support/audit-records.js";
import { type WrittenLog, written } from "../../support/audit-verbs.js";
import type { Sketch } from "../../support/sketched.js";

const push = pushOf("k7q2mx9d", "r2345678");
const refused: Sketch = {
  kind: "policy.judged",
  call: null,
  selfReported: claims,
  details: {
    ...pushed,
    rule: "deny Bash(curl *) (/home/p/api/.wisp/policy.json:4)",
    command: "curl https://example.org/install.sh",
    verdict: "deny",
    reasons: [],
  },
};
const denied: Sketch = {
  kind: "approval.decided",
  call: "zzzzzzzz",
  selfReported: { client: { name: "claude-desktop", version: "1" }, thread: null },
  details: {
    ...pushed,
    level: "moderate",
    rule: null,
    command: "npm run build --workspace packages/api --if-present",
    outcome: "denied",
    via: "tui",
    assurance: "terminal",
    seconds: 61,
  },
};

/** The lines, with the time of day and the day as a test can know them. */
async function linesOf({ run }: WrittenLog, columns: number): Promise<readonly string[]> {
  const { out } = await run(["show"], { columns });
  const lines = out.trimEnd().split("\n");
  expect(lines.filter((line) => line.length > columns)).toEqual([]);
  return lines.map((line) => line.replace(/^\d\d:\d\d/, "09:14").replace(/^\d{4}-\d\d-\d\d/, "2026-11-30"));
}

describe("a table of decisions", () => {
  it("says in 80 columns when, at what level, how, by which rule, whether it ran, and what", async () => {
    expect(await linesOf(await written(...push), 80)).toEqual([
      "time   id        level  how  effect  after  rule           what",
      "2026-11-30  asked by claude-code/git",
      "09:14  k7q2mx9d  high   cli  exit 0  0:04   policy.json:3  git push origin main",
    ]);
  });

  it("gives what ran the room first where several clients asked", async () => {
    const log = await written(...push, refused, denied);
    expect(await linesOf(log, 80)).toEqual([
      "time   id        how     effect   rule            what",
      "2026-11-30",
      "09:14  k7q2mx9d  cli     exit 0   policy.json:3   git push origin main",
      "09:14            policy  refused  …policy.json:4  curl https://example.org/inst…",
      "09:14  zzzzzzzz  tui     denied                   npm run build --workspace pac…",
    ]);
    expect(await linesOf(log, 120)).toEqual([
      "time   id        who          level     how     effect   after  rule            what",
      "2026-11-30",
      "09:14  k7q2mx9d  claude-code  high      cli     exit 0   0:04   policy.json:3   git push origin main",
      "09:14            claude-code  high      policy  refused         …policy.json:4  curl https://example.org/install.sh",
      "09:14  zzzzzzzz  claude-des…  moderate  tui     denied   1:01                   npm run build --workspace packages/api …",
    ]);
  });

  it("tells all of it in full where there is room", async () => {
    expect((await linesOf(await written(...push, refused), 200)).slice(2)).toEqual([
      "09:14  k7q2mx9d  high   cli terminal once  exit 0   0:04   ask Bash(git push *) (policy.json:3)                 git push origin main",
      "09:14            high   policy             refused         deny Bash(curl *) (/home/p/api/.wisp/policy.json:4)  curl https://example.org/install.sh",
    ]);
  });

  it.each([1, 10, 24, 40, 79])("is never wider than %i columns", async (columns) => {
    const wide: Sketch = { ...denied, details: { ...denied.details, command: `echo ${"漢".repeat(300)}` } };
    const { run } = await written(...push, wide, refused);
    const { out } = await run(["show"], { columns });
    const lines = out.trimEnd().split("\n");
    expect(lines).toHaveLength(5);
    expect(lines.filter((line) => line.replace(/漢/g, "xx").length > columns)).toEqual([]);
  });

  it("begins each day with a line of its own", async () => {
    const log = await written(...push);
    log.clock.advance(86_400_000);
    await log.append(...pushOf("aaaaaaaa", "bbbbbbbb"), ...pushOf("cccccccc", "dddddddd"));
    const days = (await log.run(["show"], { columns: 80 })).out.match(/^\d{4}-\d\d-\d\d.*$/gm);
    expect(days).toEqual([
      expect.stringMatching(/^\S+ {2}asked by claude-code\/git$/),
      expect.stringMatching(/^\S+$/),
    ]);
  });
});

it.each([
  ["ask Bash(git push *) (policy.json:3)", "policy.json:3"],
  ["deny Bash(curl *) (/home/p/api/.wisp/policy.json:4)", "/home/p/api/.wisp/policy.json:4"],
  ["remembered Bash(git log) (remembered.json)", "remembered"],
  ["no rule speaks of it, so it asks (built in)", "built in"],
  ["session approval k7q2mx9d", "k7q2mx9d"],
  ["of a stranger", "of a stranger"],
  ["\u001b[2J (\u001b[31m)", "\\u{1b}[31m"],
  [null, ""],
])("the rule %j is named by its place: %s", (rule, place) => {
  expect(ruleShort(rule)).toBe(place);
});
