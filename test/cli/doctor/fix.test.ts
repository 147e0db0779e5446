/** What `wisp doctor --fix` repairs, and what it leaves as it is. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ownIdentity } from "../../../src/broker/identity/process.js";
import { openRememberedRules } from "../../../src/broker/policy/remembered-store.js";
import { ProvableLog } from "../../support/provable-log.js";
import { dayMs, ruleDraft } from "../../support/remembered.js";
import { rememberedOptions } from "../../support/remembered-home.js";
import { minutesAgo, plantJunk, runDoctor as run } from "../../support/run-doctor.js";
import { madeHome, tempDirectory, tempHome } from "../../support/temp-home.js";

describe("wisp doctor --fix", () => {
  it("closes our directories to others and moves old junk away", async () => {
    const home = madeHome();
    chmodSync(home.path, 0o755);
    chmodSync(home.pending, 0o770);
    writeFileSync(join(home.path, "format"), "wisp-broker 1\n", { mode: 0o600 });
    plantJunk(home, "oldjunk2.request.json", minutesAgo(2));
    plantJunk(home, "newjunk2.request.json", minutesAgo(0.5));
    const { exit, out, err } = await run({ fix: true }, { home });
    expect(exit).toBe(0);
    expect(statSync(home.path).mode & 0o777).toBe(0o700);
    expect(statSync(home.pending).mode & 0o777).toBe(0o700);
    expect(readdirSync(home.pending)).toEqual(["newjunk2.request.json"]);
    expect(readdirSync(home.rejected)).toEqual(["1.oldjunk2.request.json"]);
    expect(err).toContain(`closed to others: ${home.pending}\n`);
    expect(err).toContain("moved to rejected/: oldjunk2.request.json\n");
    const left = "left for now: a file that is no request and less than a minute old may still be written\n";
    expect(err).toContain(left);
    rmSync(join(home.pending, "newjunk2.request.json"));
    expect((await run({ fix: true }, { home })).err).not.toContain("left for now");
    expect(out).toContain("ok    home");
  });

  it("closes what lies in keys/ and audit/, and finds nothing to close the second time", async () => {
    const home = madeHome();
    writeFileSync(join(home.path, "format"), "wisp-broker 1\n", { mode: 0o600 });
    const sealed = join(home.path, "keys", "sealed");
    mkdirSync(sealed, { recursive: true, mode: 0o700 });
    mkdirSync(join(home.path, "audit"), { recursive: true, mode: 0o700 });
    const files = [
      join(home.path, "keys", "audit"),
      join(sealed, "config.json"),
      join(home.path, "audit", "log.jsonl"),
    ];
    for (const path of files) writeFileSync(path, "", { mode: 0o600 });
    const outside = join(tempDirectory(), "theirs");
    writeFileSync(outside, "");
    symlinkSync(outside, join(sealed, "policy.json"));
    for (const path of [...files, outside]) chmodSync(path, 0o644);
    chmodSync(sealed, 0o755);
    const { err } = await run({ fix: true }, { home });
    for (const path of [sealed, ...files]) {
      expect(err).toContain(`closed to others: ${path}\n`);
      expect(statSync(path).mode & 0o077).toBe(0);
    }
    expect(statSync(outside).mode & 0o777).toBe(0o644);
    expect((await run({ fix: true }, { home })).err).not.toContain("closed to others");
  });

  it("takes out remembered rules whose time is over and writes that down, and leaves those in force", async () => {
    const home = madeHome();
    writeFileSync(join(home.path, "format"), "wisp-broker 1\n", { mode: 0o600 });
    const rules = openRememberedRules(rememberedOptions(home.path));
    const now = Date.now();
    await rules.remember(ruleDraft(now - 40 * dayMs, { rule: "Bash(over)" }));
    await rules.remember(ruleDraft(now - dayMs, { rule: "Bash(lasts)" }));
    const { err } = await run({ fix: true }, { home });
    expect(err).toContain("taken out of what is remembered, its time is over: Bash(over)\n");
    const { rules: left, over } = rules.list();
    expect([left.map(({ rule }) => rule), over]).toEqual([["Bash(lasts)"], []]);
    expect(readFileSync(join(home.path, "audit", "log.jsonl"), "utf8")).toMatch(
      /"kind":"rule\.revoked".*"Bash\(over\)".*"expired"/,
    );
    expect((await run({ fix: true }, { home })).err).not.toContain("taken out");
  });

  it("removes the lock of the audit log that a dead process left, and no other", async () => {
    const home = madeHome();
    writeFileSync(join(home.path, "format"), "wisp-broker 1\n", { mode: 0o600 });
    const log = new ProvableLog(home.path);
    await log.write(1);
    const lock = join(log.directory, "lock");
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    const holds = (more: object): void =>
      writeFileSync(lock, JSON.stringify({ v: 1, token: "a".repeat(24), ...ownIdentity(), ...more }), {
        mode: 0o600,
      });
    const fixed = (): Promise<string> => run({ fix: true }, { home }).then(({ err }) => err);
    holds({ pid });
    expect(await fixed()).toContain("removed, its process is gone: audit/lock\n");
    expect(existsSync(lock)).toBe(false);
    // This process runs in the place of one that writes.
    holds({ pid: process.ppid, startedAt: "", namespace: "of a container" });
    expect(await fixed()).not.toContain("audit/lock");
    writeFileSync(lock, "junk", { mode: 0o600 });
    const { exit, out } = await run({ fix: true }, { home });
    expect([exit, existsSync(lock)]).toEqual([1, true]);
    expect(out).toMatch(/fail +audit +\S+lock does not say which/);
    expect(out).toContain(`fix: rm -f ${lock}\n`);
    rmSync(lock);
    expect((await run({ fix: true }, { home })).exit).toBe(0);
  });

  it("repairs nothing without a terminal as input", async () => {
    const home = madeHome();
    writeFileSync(join(home.path, "format"), "wisp-broker 1\n", { mode: 0o600 });
    chmodSync(home.pending, 0o755);
    const { exit, out } = await run({ fix: true }, { home, canAnswer: false });
    expect({ exit, out }).toEqual({ exit: 4, out: "" });
    expect(statSync(home.pending).mode & 0o777).toBe(0o755);
    expect((await run({ fix: true }, { home })).exit).toBe(0);
  });

  it("leaves another program's directory as it is", async () => {
    const home = madeHome();
    plantJunk(home, "theirone.request.json", minutesAgo(5));
    mkdirSync(join(home.path, "public"));
    chmodSync(join(home.path, "public"), 0o755);
    const { exit, out } = await run({ fix: true }, { home });
    expect(exit).toBe(8);
    expect(out).toContain("belongs to another program");
    expect(readdirSync(home.pending)).toEqual(["theirone.request.json"]);
    expect(statSync(join(home.path, "public")).mode & 0o777).toBe(0o755);
  });

  it("makes nothing where there is no home", async () => {
    const home = tempHome();
    expect((await run({ fix: true }, { home })).exit).toBe(0);
    expect(existsSync(home.path)).toBe(false);
  });
});
