/** The verbs under `wisp audit`, on a log that this process wrote. */
import { appendFileSync, chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Home } from "../../../src/broker/channel/home.js";
import { auditVerbs } from "../../../src/cli/audit-verbs.js";
import { auditLogAt } from "../../support/audit-logs.js";
import { claims, pushed, pushOf } from "../../support/audit-records.js";
import { FakeClock } from "../../support/fake-clock.js";
import type { FakeTerminalOptions } from "../../support/fake-terminal.js";
import { type Ran, startVerb } from "../../support/run-verb.js";
import { type Sketch, sketched } from "../../support/sketched.js";
import { madeHome, tempHome } from "../../support/temp-home.js";

const piped = { canAnswer: false, isTerminal: false };
const call = "k7q2mx9d";
const push = pushOf(call, "r2345678");
const denied: Sketch = {
  kind: "approval.decided",
  call: "zzzzzzzz",
  selfReported: { client: { name: "other", version: "1" }, thread: null },
  details: { ...pushed, command: "rm -rf build", outcome: "denied", via: "tui", seconds: 1 },
};

interface Written {
  readonly home: Home;
  readonly clock: FakeClock;
  run(words: readonly string[], options?: FakeTerminalOptions): Promise<Ran>;
}

async function written(...events: readonly Sketch[]): Promise<Written> {
  const home = madeHome();
  const clock = new FakeClock();
  const log = auditLogAt(home.path, { clock });
  await log.append(events.map(sketched), "plain");
  await log.close();
  return { home, clock, run: (words, options = piped) => run(home, words, { clock, ...options }) };
}

function run(
  home: Home,
  [name = "", ...rest]: readonly string[],
  options: FakeTerminalOptions,
): Promise<Ran> {
  const verb = auditVerbs.get(name);
  if (verb === undefined) throw new Error(`There is no ${name}.`);
  return startVerb(verb, rest, { home, ...options }).ended;
}

describe("wisp audit show", () => {
  it("tells who allowed a push, when, how, by which rule, and that it ran, in one line", async () => {
    const { clock, run: runs } = await written(...push);
    const { exit, out } = await runs(["show"]);
    expect([exit, out.split("\n").length]).toEqual([0, 2]);
    expect(out.trimEnd().split("\t")).toEqual([
      new Date(clock.now()).toISOString(),
      call,
      "r2345678",
      "approved",
      "high",
      "claude-code/git",
      "cli",
      "terminal",
      "once",
      "exit 0",
      "4",
      "ask Bash(git push *) policy.json:3",
      "/home/p/api",
      "git push origin main",
    ]);
  });

  it.each([80, 120, 200])("fits each decision into one line of %i columns", async (columns) => {
    const long = { ...denied, details: { ...denied.details, command: `echo ${"x".repeat(500)}` } };
    const { run: runs } = await written(...push, long);
    const { out } = await runs(["show"], { columns });
    const lines = out.trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    expect(lines[0]).toMatch(/^time .*what$/);
    expect(lines[1]).toMatch(/cli terminal once {2}exit 0 +0:04 +ask Bash.* {2}git push/);
  });

  it("breaks one decision between words where a terminal shows it whole", async () => {
    const { run: runs } = await written(...push, denied);
    const { out } = await runs(["show", "r234"], {});
    expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(out.replaceAll("\n", " ")).toContain(
      "git push origin main in /home/p/api; high; approved (cli terminal once) after 4 s by ask Bash(git push *) policy.json:3; exit 0 after 1200 ms",
    );
    expect(out).not.toContain("rm -rf");
  });

  it.each([
    [["--client", "other"], ["denied"]],
    [["--client", "nobody"], []],
    [["--tool", "git"], ["approved"]],
    [["--tool", "rm"], ["denied"]],
    [["--outcome", "denied"], ["denied"]],
    [["--outcome", "timed_out"], []],
    [
      ["--since", "1h"],
      ["approved", "denied"],
    ],
    [["--since", "2999-01-01"], []],
    [[call], ["approved"]],
    [["k7q2"], ["approved"]],
    [["k7q"], []],
    [["zzzzzzzz"], ["denied"]],
  ])("with %j tells what is asked for", async (words, expected) => {
    const { run: runs } = await written(...push, denied);
    const { exit, out, err } = await runs(["show", "--json", ...words]);
    const { decisions } = JSON.parse(out) as { decisions: readonly { readonly outcome: string }[] };
    expect([exit, decisions.map(({ outcome }) => outcome)]).toEqual([0, expected]);
    expect(err.includes("No such decision")).toBe(expected.length === 0);
  });

  it.each([
    [["--since", "tomorrow"], '--since takes no "tomorrow".'],
    [["--outcome", "aproved"], "Did you mean approved?"],
    [["one", "two"], "One argument too many: two"],
  ])("refuses %j as usage, and goes on", async (words, said) => {
    const { run: runs } = await written(...push);
    expect(await runs(["show", ...words])).toMatchObject({ exit: 2, out: "" });
    expect((await runs(["show", ...words])).err).toContain(said);
    expect((await runs(["show"])).out).toContain("git push");
  });

  it("shows what a stranger wrote, counts lines that are no records, and goes on", async () => {
    const hostile = {
      ...denied,
      details: { ...denied.details, command: "\u001b]0;x\u0007\t\n", rule: "\u202e" },
    };
    const { home, run: runs } = await written(hostile, ...push);
    appendFileSync(join(home.path, "audit", "log.jsonl"), `{}\nno\n${"x".repeat(2_000_000)}\n{"v":1`);
    const { out, err } = await runs(["show"]);
    expect(out).toMatch(/^[\x20-\x7e\t\n]+$/);
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => line.split("\t").length),
    ).toEqual([14, 14]);
    expect(out).toContain("git push origin main");
    expect(err).toContain("Lines that are no records: 4\n");
  });

  it("says that a log is not read which others can read, and reads it when it is closed", async () => {
    const { home, run: runs } = await written(...push);
    const path = join(home.path, "audit", "log.jsonl");
    chmodSync(path, 0o644);
    expect(await runs(["show"])).toMatchObject({
      exit: 0,
      out: "",
      err: expect.stringContaining("Not read: log.jsonl (open to others)") as string,
    });
    chmodSync(path, 0o600);
    expect((await runs(["show"])).out).toContain("git push");
  });

  it("makes no home where there is none", async () => {
    const home = tempHome();
    const ran = await run(home, ["show"], piped);
    expect(ran).toEqual({ exit: 0, out: "", err: "No such decision stands in the audit log.\n" });
    expect(existsSync(home.path)).toBe(false);
  });
});

describe("wisp audit export", () => {
  it("prints every record with every key as JSON", async () => {
    const { run: runs } = await written(...push);
    const { out } = await runs(["export", "--json"]);
    const { schemaVersion, records } = JSON.parse(out) as {
      schemaVersion: number;
      records: readonly Sketch[];
    };
    expect(schemaVersion).toBe(1);
    expect(records.map(({ kind }) => kind)).toEqual(push.map(({ kind }) => kind));
    expect(records[5]).toMatchObject({ call, selfReported: claims, details: { outcome: "approved" } });
  });

  it("prints one line a record as CSV, each field in its column, and what has none under other", async () => {
    const odd = { ...denied, details: { ...denied.details, rule: 'a "b", c', why: "x\ny", later: [1] } };
    const { run: runs } = await written(odd);
    const { out } = await runs(["export", "--csv"]);
    expect(out.endsWith("\r\n")).toBe(true);
    const [head = [], cells = [], ...others] = rowsOf(out);
    expect(others).toEqual([]);
    expect(cells).toHaveLength(head.length);
    const row = Object.fromEntries(head.map((name, index) => [name, cells[index]]));
    expect(row).toMatchObject({
      kind: "approval.decided",
      "details.outcome": "denied",
      "details.rule": 'a "b", c',
      "selfReported.client": '{"name":"other","version":"1"}',
      "details.why": "x\\u{a}y",
      other: '{"details":{"later":[1]}}',
    });
  });

  it.each(["=1+1", "+1", "-1", "@x"])(
    "puts a quote before %s, so that a spreadsheet runs nothing",
    async (text) => {
      const { run: runs } = await written({ ...denied, details: { ...denied.details, command: text } });
      const [head = [], cells = []] = rowsOf((await runs(["export", "--csv"])).out);
      expect(cells[head.indexOf("details.command")]).toBe(`'${text}`);
    },
  );

  it("needs one of its two forms", async () => {
    const { run: runs } = await written(...push);
    for (const words of [["export"], ["export", "--csv", "--json"]]) {
      expect(await runs(words)).toMatchObject({ exit: 2, out: "" });
    }
    expect((await runs(["export", "--csv", "--since", "2999-01-01"])).out.split("\r\n")).toHaveLength(2);
  });
});

describe("wisp audit stats", () => {
  it("counts asks, quick answers, rules and dialogs that nobody read", async () => {
    const ids = Array.from({ length: 10 }, (_, index) => `aaaaaaa${index}`);
    const unseen: Sketch = { kind: "dialog.ended", call: "zzzzzzzz", details: { unseen: true } };
    const { run: runs } = await written(...ids.flatMap((id) => pushOf(id, id)), unseen, {
      ...denied,
      details: { ...denied.details, rule: null },
    });
    const { out } = await runs(["stats", "--json"]);
    expect(JSON.parse(out)).toEqual({
      schemaVersion: 1,
      asks: 10,
      days: [{ day: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) as string, asks: 10 }],
      answers: 10,
      answeredUnder2Seconds: 0,
      rules: [
        { rule: "ask Bash(git push *) policy.json:3", asked: 10, approved: 10, mayRelax: true },
        { rule: null, asked: 1, approved: 0, mayRelax: false },
      ],
      unseenDialogs: [{ client: "other", count: 1 }],
    });
    const shown = await runs(["stats"], { columns: 80 });
    expect(shown.out.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(shown.out).toContain("asked: 10 times on 1 days, 10.0 a day\nanswered: 10 times, 0 % under 2 s\n");
    expect(shown.out).toMatch(/10 {2}100 % {2}ask Bash\(git push \*\) policy\.json:3 {2}always approved/);
  });

  it("counts nothing where there is nothing", async () => {
    const { run: runs } = await written();
    expect((await runs(["stats"])).out).toBe(
      "asked: 0 times on 0 days, 0 a day\nanswered: 0 times, – under 2 s\n",
    );
  });
});

/** The cells of each line of RFC 4180. */
function rowsOf(csv: string): readonly (readonly string[])[] {
  const cells = csv.matchAll(/("(?:[^"]|"")*"|[^,\r]*)(,|\r\n)/g);
  const rows: string[][] = [[]];
  for (const [, cell = "", end] of cells) {
    rows.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}
