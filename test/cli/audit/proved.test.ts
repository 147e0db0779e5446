/** What the verbs that show a log make of records that none of our processes wrote. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { auditVerb } from "../../support/audit-verbs.js";
import { ProvableLog, rewritten } from "../../support/provable-log.js";
import { madeHome } from "../../support/temp-home.js";

const noMac = (body: string): string => body.replace(/"mac":"[0-9a-f]{64}"/, `"mac":"${"0".repeat(64)}"`);
const leftOut = ".\n  Left out, because this home did not write them: 1";

it.each<readonly [string, (lines: readonly string[]) => readonly string[], readonly string[], string]>([
  [
    "changed in the middle under its right hash",
    ([one = "", two = "", ...rest]) => [
      one,
      rewritten(two, (body) => body.replace("push 1", "push 7")),
      ...rest,
    ],
    ["git push 0", "git push 2", "git push 3"],
    `audit/log.jsonl:3 (record 3): it does not follow the record before it${leftOut}`,
  ],
  [
    "added in the middle without a mac of ours",
    ([one = "", ...rest]) => [
      one,
      rewritten(one, (body) => noMac(body.replace('"seq":1', '"seq":2').replace("push 0", "push --force"))),
      ...rest,
    ],
    ["git push 0", "git push 1", "git push 2", "git push 3"],
    `audit/log.jsonl:2 (record 2): it does not follow the record before it${leftOut}`,
  ],
  [
    "copied to another place",
    (lines) => [...lines.slice(0, 3), lines[0] ?? "", ...lines.slice(3)],
    ["git push 0", "git push 1", "git push 2", "git push 0", "git push 3"],
    "audit/log.jsonl:4 (record 1): it stands there twice, or elsewhere",
  ],
  [
    "taken out of the middle",
    (lines) => lines.filter((_line, index) => index !== 1),
    ["git push 0", "git push 2", "git push 3"],
    "audit/log.jsonl:2 (record 3): records are missing before it",
  ],
  [
    "taken from its beginning",
    (lines) => lines.slice(2),
    ["git push 2", "git push 3"],
    "audit/log.jsonl:1 (record 3): records are missing before it",
  ],
])(
  "of a record that was %s show, stats and export tell what this home wrote, and that something is wrong",
  async (_what, change, told, said) => {
    const home = madeHome();
    const log = new ProvableLog(home.path);
    await log.write(4);
    const whole = log.read();
    log.put(change(log.lines().filter((line) => line !== "")).join(""));
    const shown = await auditVerb(home, ["show", "--json"]);
    const { decisions } = JSON.parse(shown.out) as {
      readonly decisions: readonly { readonly what: string }[];
    };
    expect(decisions.map(({ what }) => what)).toEqual(told);
    for (const words of [["show"], ["stats"], ["export", "--csv"], ["export", "--json"]]) {
      const { exit, out, err } = await auditVerb(home, words);
      expect(exit).toBe(0);
      expect(err).toContain(`wisp: The audit log does not verify.\n  ${said}`);
      expect(out).not.toMatch(/push (7|--force)/);
    }
    expect((await auditVerb(home, ["verify"])).exit).toBe(1);
    log.put(whole);
    expect(await auditVerb(home, ["show"])).toMatchObject({ exit: 0, err: "" });
  },
);

it("without the secret all is shown, and it is said that nothing of it is proved", async () => {
  const home = madeHome();
  const log = new ProvableLog(home.path);
  await log.write(3);
  rmSync(join(home.path, "keys", "root"));
  for (const words of [["show"], ["stats"], ["export", "--csv"]]) {
    const { exit, out, err } = await auditVerb(home, words);
    expect([exit, out === ""]).toEqual([0, false]);
    expect(err).toContain("Without keys/root nothing of it is proved.");
  }
  expect((await auditVerb(home, ["show"])).out).toContain("git push 2");
});

it("a log that goes on in several files is read in order, and one that is gone is said", async () => {
  const home = madeHome();
  const log = new ProvableLog(home.path);
  for (let round = 0; round < 4; round += 1)
    await log.write(1, { rotation: () => ({ rotateBytes: 1, keep: 2 }) });
  expect(log.files().length).toBeGreaterThan(2);
  expect(await auditVerb(home, ["show"])).toMatchObject({ exit: 0, err: "" });
  const [oldest = ""] = log.files();
  const text = log.read(oldest);
  rmSync(join(log.directory, oldest));
  expect((await auditVerb(home, ["show"])).err).toContain("records are missing before it");
  log.put(text, oldest);
  expect(await auditVerb(home, ["show"])).toMatchObject({ exit: 0, err: "" });
});
