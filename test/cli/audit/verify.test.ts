/** `wisp audit verify`, what `show` says of a log that does not hold, and the check by hand that docs/audit.md prints. */
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { auditCheckByHand } from "../../../scripts/audit-check.js";
import type { Home } from "../../../src/broker/channel/home.js";
import { checkLog } from "../../../src/cli/doctor/log.js";
import { keysOf } from "../../support/audit-logs.js";
import { auditVerb } from "../../support/audit-verbs.js";
import { ProvableLog } from "../../support/provable-log.js";
import type { Ran } from "../../support/run-verb.js";
import { spoil } from "../../support/spoiled-log.js";
import { madeHome, tempDirectory, tempHome } from "../../support/temp-home.js";

function run(home: Home, name: string, ...words: readonly string[]): Promise<Ran> {
  return auditVerb(home, [name, ...words]);
}

async function written(count: number): Promise<{ readonly home: Home; readonly log: ProvableLog }> {
  const home = madeHome();
  const log = new ProvableLog(home.path);
  await log.write(count);
  return { home, log };
}

/** What the check by hand prints of the log of `home`. */
function byHand(home: Home): string {
  const cwd = join(home.path, "audit");
  const { status, stdout, stderr } = spawnSync("sh", ["-c", auditCheckByHand], { cwd, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout;
}

describe("wisp audit verify", () => {
  it("says that a log holds, and makes no home where there is none", async () => {
    const { home } = await written(3);
    const good = { exit: 0, out: "3 records, each as it was written.\n", err: "" };
    expect(await run(home, "verify")).toEqual(good);
    expect((await run(home, "verify", "--json")).out).toBe('{"schemaVersion":1,"ok":true,"records":3}\n');
    expect(await run(tempHome(), "verify")).toMatchObject({ exit: 0, out: "Nothing is written down yet.\n" });
  });

  it("ends with 1 and names the first record that was changed, in three lines of 80 columns", async () => {
    const { home, log } = await written(3);
    const text = log.read();
    log.put(text.replace("git push 1", "git push 7"));
    const { exit, out, err } = await run(home, "verify");
    expect([exit, out]).toEqual([1, ""]);
    expect(err).toMatch(/^wisp: audit\/log\.jsonl:2 \(record 2\): it is not what was written\.\n/);
    expect(err.trimEnd().split("\n")).toHaveLength(3);
    expect(err.split("\n").filter((line) => line.length > 80)).toEqual([]);
    const json = await run(home, "verify", "--json");
    expect(JSON.parse(json.out)).toEqual({
      schemaVersion: 1,
      ok: false,
      records: 1,
      firstBad: { file: "log.jsonl", line: 2, seq: 2 },
      fault: "hash_mismatch",
    });
    log.put(text);
    expect(await run(home, "verify")).toMatchObject({ exit: 0, err: "" });
  });
});

describe("wisp audit verify and doctor", () => {
  it.each<readonly [string, (log: ProvableLog) => void, string, string]>([
    [
      "without a head",
      (log) => rmSync(join(log.directory, "head.json")),
      "audit/head.json",
      "it is missing, so it is not known where the log ended",
    ],
    ["with a head that is none", (log) => log.put("{}", "head.json"), "audit/head.json", "it is no head"],
    [
      "without its file",
      (log) => rmSync(log.path),
      "audit/log.jsonl:1 (record 1)",
      "it is missing, and records with it",
    ],
    [
      "without its directory",
      (log) => rmSync(log.directory, { recursive: true }),
      "audit/log.jsonl:1 (record 1)",
      "it is missing, and records with it",
    ],
    [
      "whose end was cut off",
      (log) => log.put(log.lines().slice(0, 2).join("")),
      "audit/log.jsonl:3 (record 3)",
      "records are missing from here on",
    ],
    [
      "with a record that stands there twice",
      (log) =>
        log.put(
          log
            .lines()
            .flatMap((line) => [line, line])
            .join(""),
        ),
      "audit/log.jsonl:2 (record 1)",
      "it stands there twice, or elsewhere",
    ],
    [
      "without the key of its head",
      (log) => rmSync(join(log.home, "keys", "audit")),
      "audit/head.json",
      "keys/audit is missing: nothing proves who signed it",
    ],
    [
      "without the keys",
      (log) => rmSync(join(log.home, "keys"), { recursive: true }),
      "audit/log.jsonl:1 (record 1)",
      "keys/root is missing: nothing is proved",
    ],
  ])(
    "say of a log %s what is missing or wrong, until it is as it was",
    async (_what, change, place, says) => {
      const { home, log } = await written(3);
      const kept = join(tempDirectory(), "kept");
      cpSync(home.path, kept, { recursive: true });
      change(log);
      const { exit, err } = await run(home, "verify");
      expect([exit, err.split("\n")[0]]).toEqual([1, `wisp: ${place}: ${says}.`]);
      expect(err.split("\n").filter((line) => line.length > 80)).toEqual([]);
      const where = { environment: { WISP_HOME: home.path } };
      expect(checkLog(home, keysOf(home.path), where)).toMatchObject({
        status: "fail",
        detail: expect.stringContaining(`but ${place.replace(/ \(.*/, "")}: ${says} (`) as string,
      });
      rmSync(home.path, { recursive: true });
      cpSync(kept, home.path, { recursive: true });
      expect(await run(home, "verify")).toMatchObject({ exit: 0, err: "" });
      expect(checkLog(home, keysOf(home.path), where).status).toBe("ok");
    },
  );
});

describe("a log that does not hold", () => {
  it.each<readonly [string, (log: ProvableLog) => void, string]>([
    [
      "whose last record was taken away",
      (log) => log.put(log.lines().slice(0, -1).join("")),
      "audit/log.jsonl:3 (record 3): records are missing from here on",
    ],
    [
      "whose end is no record",
      (log) => log.put(`${log.read()}{}\n`),
      "audit/log.jsonl:4 (record 4): it is not what was written",
    ],
    ["whose head is another", (log) => log.put("{}", "head.json"), "audit/head.json: it is no head"],
    [
      "whose head was changed",
      (log) => log.put(swapped(log.read("head.json")), "head.json"),
      "audit/head.json: it was not signed by this home",
    ],
    [
      "to which somebody added a record under its right hash",
      spoil.addsRecord,
      "audit/log.jsonl:4 (record 4): it was not written by this home",
    ],
    [
      "whose last record is written anew under the hash that was signed",
      spoil.keepsHash,
      "audit/log.jsonl:3 (record 3): it is not what was written",
    ],
    [
      "whose last record is written anew under its right hash",
      spoil.rightsHash,
      "audit/log.jsonl:3 (record 3): it is not the record that was signed",
    ],
  ])("%s says so with every verb that shows it, until it is repaired", async (_title, change, said) => {
    const { home, log } = await written(3);
    const files = ["log.jsonl", "head.json"].map((name) => [name, log.read(name)] as const);
    change(log);
    for (const words of [["show"], ["export", "--csv"], ["stats"]]) {
      const [name = "", ...rest] = words;
      const { exit, err } = await run(home, name, ...rest);
      expect([exit, err.split("\n").slice(0, 2)]).toEqual([
        0,
        ["wisp: The audit log does not verify.", `  ${said}.`],
      ]);
    }
    expect((await run(home, "verify")).exit).toBe(1);
    for (const [name, text] of files) log.put(text, name);
    expect(await run(home, "show")).toMatchObject({ exit: 0, err: "" });
  });
});

describe("the check by hand", () => {
  it("stands in docs/audit.md", () => {
    const page = fileURLToPath(new URL("../../../docs/audit.md", import.meta.url));
    expect(readFileSync(page, "utf8")).toContain(auditCheckByHand);
  });

  it("prints nothing of a log that holds, and each record of another that does not", async () => {
    const { home, log } = await written(4);
    expect(byHand(home)).toBe("");
    const lines = log.lines();
    log.put([lines[0], lines[1]?.replace("push 1", "push 7"), lines[2], lines[3]].join(""));
    expect(byHand(home)).toBe("log.jsonl:2: hash\n");
    log.put([lines[0], lines[2], lines[3]].join(""));
    expect(byHand(home)).toBe("log.jsonl:2: prev\n");
    log.put(lines.join(""));
    expect(byHand(home)).toBe("");
  });
});

function swapped(head: string): string {
  return head.replace(/"seq":\d+/, '"seq":2');
}
