/** The verbs under `wisp audit`, on a log that this process wrote. */
import { appendFileSync, chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claims, pushed, pushOf } from "../../support/audit-records.js";
import { auditVerb, written } from "../../support/audit-verbs.js";
import type { Sketch } from "../../support/sketched.js";
import { tempHome } from "../../support/temp-home.js";

const call = "k7q2mx9d";
const push = pushOf(call, "r2345678");
const denied: Sketch = {
  kind: "approval.decided",
  call: "zzzzzzzz",
  selfReported: { client: { name: "other", version: "1" }, thread: null },
  details: { ...pushed, command: "rm -rf build", outcome: "denied", via: "tui", seconds: 1 },
};

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
      "ask Bash(git push *) (policy.json:3)",
      "/home/p/api",
      "git push origin main",
    ]);
  });

  it("tells an earlier no that was told again from one that a person gives now", async () => {
    const again: Sketch = {
      ...denied,
      details: { ...denied.details, assurance: "terminal", repeated: true, seconds: 0 },
    };
    const { run: runs } = await written(denied, again);
    const lines = (text: string) => text.trimEnd().split("\n");
    const results = lines((await runs(["show"])).out).map((line) => line.split("\t")[9]);
    expect(results).toEqual(["denied", "denied, told again"]);
    expect(lines((await runs(["show"], { columns: 80 })).out).at(-1)).toMatch(/ earlier no +denied /);
    expect((await runs(["show", "zzzz"], { columns: 200 })).out).toContain(
      "denied (earlier no: tui terminal)",
    );
    const { decisions } = JSON.parse((await runs(["show", "--json"])).out);
    expect(decisions).toMatchObject([{ repeated: false }, { repeated: true }]);
  });

  it("tells what passed a gate unasked where that is asked for, and only then", async () => {
    const passed: Sketch = {
      kind: "call.passed",
      call: null,
      verified: { server: "files", tool: "read_text_file", arguments: "ab".repeat(32) },
      selfReported: claims,
      details: { rule: "allow read_text_file (the preset filesystem)" },
    };
    const { clock, run: runs } = await written(...push, passed, passed);
    const { out } = await runs(["show", "--outcome", "passed", "--tool", "read_text_file"]);
    const [first = "", ...others] = out.trimEnd().split("\n");
    expect(others).toEqual([first]);
    const rule = "allow read_text_file (the preset filesystem)";
    expect(first.split("\t")).toEqual([
      ...[
        new Date(clock.now()).toISOString(),
        "",
        "",
        "passed",
        "",
        "claude-code/git",
        "",
        "",
        "",
        "passed",
        "",
      ],
      ...[rule, "", "files · read_text_file"],
    ]);
    expect((await runs(["show"])).out.trimEnd().split("\n")).toHaveLength(1);
    expect((await runs(["show", "--outcome", "passed", "--tool", "write_file"])).out).toBe("");
  });

  it("breaks one decision between words where a terminal shows it whole", async () => {
    const { run: runs } = await written(...push, denied);
    const { out } = await runs(["show", "r234"], {});
    expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(out.replaceAll("\n", " ")).toContain(
      "git push origin main in /home/p/api; high; approved (cli terminal once) after 4 s by ask Bash(git push *) (policy.json:3); exit 0 after 1200 ms",
    );
    expect(out).not.toContain("rm -rf");
  });

  it("with an id names where the whole of an output lies that was cut, as long as it is kept", async () => {
    const cut = push.map((event) =>
      event.kind === "effect.finished" ? { ...event, details: { ...event.details, truncated: true } } : event,
    );
    const { home, run: runs } = await written(...cut);
    const outputs = join(home.path, "output");
    const whole = async (): Promise<string> => (await runs(["show", call], {})).out.replaceAll("\n", " ");
    expect(await whole()).toContain(
      "exit 0 after 1200 ms; its output was cut, and the whole is no longer kept",
    );
    mkdirSync(outputs, { mode: 0o700 });
    for (const name of [`${call}.stdout`, `${call}.2.stderr`, "zzzzzzzz.stdout", `${call}.stdout.old`])
      writeFileSync(join(outputs, name), "", { mode: 0o600 });
    // A path of a temporary directory may be wider than the terminal.
    expect((await whole()).replaceAll(" ", "")).toMatch(
      `thewholeofwhat${call}printed:${outputs}/${call}.2.stderr${outputs}/${call}.stdout`,
    );
    expect((await whole()).replaceAll(" ", "")).not.toMatch(/zzzzzzzz|old/);
    const { out } = await runs(["show", "--json", call]);
    expect(JSON.parse(out)).toMatchObject({ decisions: [{ effect: { truncated: true } }] });
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
    [["zzzzzzzz"], ["denied"]],
  ])("with %j tells what is asked for", async (words, expected) => {
    const { run: runs } = await written(...push, denied);
    const { exit, out, err } = await runs(["show", "--json", ...words]);
    const { decisions } = JSON.parse(out) as { decisions: readonly { readonly outcome: string }[] };
    expect([exit, decisions.map(({ outcome }) => outcome)]).toEqual([0, expected]);
    expect(err.includes("No such decision")).toBe(expected.length === 0);
  });

  it("ends with 3 where no decision has the id, and names those that have", async () => {
    const { run: runs } = await written(...push);
    for (const id of ["k7q", "aaaaaaaa", "k7q2\u001b"]) {
      const { exit, out, err } = await runs(["show", id]);
      expect([exit, out]).toEqual([3, ""]);
      expect(err).toMatch(/^No decision of (k7q|aaaaaaaa|k7q2\\u\{1b\}) stands in the audit log\.\n$/);
    }
    expect((await runs(["show", "k7q2"])).out).toContain("git push");
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
    const ran = await auditVerb(home, ["show"]);
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
