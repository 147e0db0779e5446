/** What a person changes of the configuration, and what that takes. */
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runConfig } from "../../../src/cli/config/main.js";
import { brokenConfigs, writeConfig } from "../../support/config-files.js";
import { change, inForceIn, logIn, set, start, textIn } from "../../support/configuring.js";
import { fakeTerminal } from "../../support/fake-terminal.js";
import { startOn } from "../../support/run-verb.js";
import { tempHome } from "../../support/temp-home.js";
import { atTerminal } from "../../support/witnesses.js";

describe("wisp config set", () => {
  it("makes the file for this person alone, and it is in force", async () => {
    const home = tempHome();
    expect(await set(home, "approval.bannerDelaySeconds", "20")).toEqual({
      exit: 0,
      out: "approval.bannerDelaySeconds = 20\n",
      err: "",
      asked: 0,
    });
    expect(JSON.parse(textIn(home))).toEqual({ approval: { bannerDelaySeconds: 20 } });
    expect(statSync(join(home.path, "config.json")).mode & 0o777).toBe(0o600);
    expect(inForceIn(home).settings.approval.bannerDelaySeconds).toBe(20);
    expect(logIn(home)).toMatchObject([
      { kind: "config.changed", details: { keys: ["approval.bannerDelaySeconds"], waiting: [] } },
    ]);
  });

  it("writes down who was seen to change it, and what of a key that can loosen was accepted before and is now", async () => {
    const home = tempHome();
    await set(home, "approval.timeoutSeconds", "900");
    await set(home, "approval.timeoutSeconds", null);
    await set(home, "notify.command", '["/usr/bin/tell","token"]');
    await set(home, "facts.keepDays", "9");
    const key = "approval.timeoutSeconds";
    expect(logIn(home).map(({ kind, verified, details }) => ({ kind, verified, details }))).toEqual(
      [
        [key, [{ key, before: "600", after: "900" }]],
        [key, [{ key, before: "900", after: "600" }]],
        ["notify.command", []],
        ["facts.keepDays", []],
      ].map(([changed, accepted]) => ({
        kind: "config.changed",
        verified: { pid: 4711 },
        details: { how: "set", keys: [changed], accepted, waiting: [], fault: null },
      })),
    );
  });

  it("keeps everything else as it was written", async () => {
    const home = tempHome();
    writeConfig(home.path, '{\n\t"notify": {"perMinute":   3},\n\t"facts": {\n\t\t"keepDays": 2\n\t}\n}\n');
    await set(home, "facts.keepDays", "9");
    expect(textIn(home)).toBe(
      '{\n\t"notify": {"perMinute":   3},\n\t"facts": {\n\t\t"keepDays": 9\n\t}\n}\n',
    );
    await set(home, "facts.keepDays", null);
    expect(textIn(home)).toContain('"notify": {"perMinute":   3}');
    expect(inForceIn(home).settings.facts.keepDays).toBe(7);
  });

  it("refuses a delay that is longer than the wait, with the reason, and the file is as it was", async () => {
    const home = tempHome();
    writeConfig(home.path, '{ "facts": {} }');
    const { exit, out, err } = await set(home, "approval.bannerDelaySeconds", "700");
    expect([exit, out]).toEqual([78, ""]);
    expect(err).toMatch(
      /^wisp: approval\.bannerDelaySeconds was not changed: must be shorter than approval\.timeoutSeconds\.\n/,
    );
    expect([textIn(home), existsSync(join(home.path, "audit"))]).toEqual(['{ "facts": {} }', false]);
    expect((await set(home, "approval.bannerDelaySeconds", "70")).exit).toBe(0);
  });

  it.each<[typed: string, value: string, says: string]>([
    ["approval.zebra", "1", "approval.zebra is no key"],
    ["approval.timeoutSecond", "1", "the nearest is approval.timeoutSeconds"],
    ["gate.choices", "[]", "gate.choices is not built yet"],
    ["gate.asksPerMinut", "1", "the nearest is gate.asksPerMinute"],
    ["approval.clients.x.shel", "true", "is no key; the nearest is approval.clients.NAME.shell"],
    ["__proto__.x", "1", "is no key"],
    ["", "1", "is no key"],
  ])("ends with 2 for %j, which is no key", async (typed, value, says) => {
    const home = tempHome();
    const { exit, err } = await set(home, typed, value);
    expect([exit, err]).toEqual([2, expect.stringContaining(says)]);
    expect(existsSync(join(home.path, "config.json"))).toBe(false);
    expect((await set(home, "facts.keepDays", "9")).exit).toBe(0);
  });

  it.each<[typed: string, value: string]>([
    ["approval.timeoutSeconds", "soon"],
    ["approval.timeoutSeconds", "-1"],
    ["approval.holdSeconds", "never"],
    ["approval.require.high", "signed"],
    ["notify.command", "tell"],
    ["notify.command", '["./tell"]'],
    ["approval.clients.x", '{"__proto__": {}}'],
    ["approval.clients.__proto__.shell", "true"],
    ["approval", "7"],
  ])("ends with 78 for %s of %j", async (typed, value) => {
    const home = tempHome();
    expect((await set(home, typed, value)).exit).toBe(78);
    expect(existsSync(join(home.path, "config.json"))).toBe(false);
    expect((await set(home, "facts.keepDays", "9")).exit).toBe(0);
  });

  it.each<[typed: string, value: string, says: string]>([
    ["approval.timeoutSeconds", "soon", "must be a whole number from 0 to 86400."],
    ["approval.timeoutSeconds", "86401", "must be a whole number from 0 to 86400."],
    ["approval.threshold", "never", 'must be "low", "moderate", "high" or "dangerous".'],
    ["approval.outOfBand", "no", "must be true or false."],
    ["approval.require.high", "file", 'must be "dialog" or "terminal".'],
    ["notify.command", "tell", "must be a list of 1 to 64 words, or null."],
    ["notify.command", "[]", "must be a list of 1 to 64 words, or null."],
    ["approval", "7", "must hold an object."],
  ])("says of %s as %j in its own words what it takes, and no more", async (typed, value, says) => {
    const home = tempHome();
    const { err } = await set(home, typed, value);
    const why = "  The file is as it was.\n  Give another value.\n";
    expect(err).toBe(`wisp: ${typed} was not changed: ${says}\n${why}`);
    expect((await set(home, "facts.keepDays", "9")).exit).toBe(0);
  });

  it("says of what else is wrong in the file where it stands, and to correct that", async () => {
    const home = tempHome();
    const path = writeConfig(home.path, '{\n"approval": {"zebra": 1}}');
    const { err } = await set(home, "facts.keepDays", "9");
    expect(err).toBe(
      `wisp: facts.keepDays was not changed: approval.zebra is no key.\n  The file is as it was.\n  Correct ${path}.\n`,
    );
    writeConfig(home.path, {});
    expect((await set(home, "facts.keepDays", "9")).exit).toBe(0);
  });

  it("says what is looser and puts it in force after a y, with its seal", async () => {
    const home = tempHome();
    const done = await set(home, "approval.timeoutSeconds", "900");
    expect(done).toMatchObject({ exit: 0, out: "approval.timeoutSeconds = 900\n", asked: 1 });
    expect(done.err).toBe(
      "approval.timeoutSeconds: 600 -> 900\n  looser: a request waits longer for a yes\n",
    );
    expect(inForceIn(home)).toMatchObject({ settings: { approval: { timeoutSeconds: 900 } }, waiting: [] });
    expect(await set(home, "approval.timeoutSeconds", "900")).toMatchObject({ exit: 0, asked: 0 });
  });

  it.each([
    ["n", 7],
    ["", 7],
    ["yes", 7],
    [null, 130],
  ] as const)("leaves everything as it was where %j is typed", async (answer, exit) => {
    const home = tempHome();
    expect(await set(home, "approval.ancestry", "never", answer)).toMatchObject({ exit, out: "", asked: 1 });
    expect(existsSync(join(home.path, "config.json"))).toBe(false);
    expect(existsSync(join(home.path, "keys"))).toBe(false);
    expect((await set(home, "approval.ancestry", "never")).exit).toBe(0);
    expect(inForceIn(home).settings.approval.ancestry).toBe("never");
  });

  it("seals what is stricter at once, so that it stays when the file is edited", async () => {
    const home = tempHome();
    expect(await set(home, "approval.require.high", "terminal")).toMatchObject({ exit: 0, asked: 0 });
    writeConfig(home.path, {});
    expect(inForceIn(home).settings.approval.require.high).toBe("terminal");
    const back = await set(home, "approval.require.high", null);
    expect(back).toMatchObject({ exit: 0, out: 'approval.require.high = "dialog" (default)\n', asked: 1 });
    expect(inForceIn(home).settings.approval.require.high).toBe("dialog");
  });

  it("accepts its own key alone: what was written by hand beside it waits on, and that is said", async () => {
    const home = tempHome();
    writeConfig(home.path, { approval: { ancestry: "never" }, notify: { command: ["tell"] } });
    const { exit, err } = await set(home, "approval.timeoutSeconds", "30");
    expect([exit, err]).toEqual([
      0,
      `config.json: approval.ancestry, notify.command wait for: WISP_HOME=${home.path} wisp accept\n`,
    ]);
    expect(inForceIn(home).settings).toMatchObject({
      approval: { ancestry: "known" },
      notify: { command: null },
    });
    const all = await set(home, "approval.clients.x.shell", "false");
    expect(all.err).toContain('approval.clients: {} -> {"x":{"shell":false}}\n');
  });

  it("calls looser only what surely is, and asks for nothing that is stricter", async () => {
    const home = tempHome();
    for (const [key, value] of [
      ["approval.ancestry", "always"],
      ["approval.clients.x.shell", "true"],
      ["approval.clients.x.dialog", "false"],
    ] as const) {
      expect(await set(home, key, value)).toMatchObject({ exit: 0, asked: 0, err: "" });
    }
    const other = await set(home, "approval.outOfBand", "false");
    expect(other).toMatchObject({ exit: 0, asked: 1 });
    expect(other.err).toContain("  may be looser: whether you are asked outside");
    expect((await set(home, "approval.ancestry", "known")).err).toContain("  looser: other terminals");
  });

  it("beside a copy that counts for nothing loosens its own key alone, and the others stay the strictest", async () => {
    const home = tempHome();
    await set(home, "approval.require.high", "terminal");
    rmSync(join(home.path, "keys", "sealed", "config.json"));
    writeConfig(home.path, {});
    const listed = await start({ verb: "list", isJson: false }, home).ended;
    expect(listed.err).toContain("the accepted copy of config.json counts for nothing: it is gone");
    expect(listed.out).toMatch(
      /approval.require.low +"terminal" +strictest;\s+"dialog"\s+waits\s+for:\s+WISP_HOME=\S+(?:\s+\S+)?\s+wisp\s+accept/,
    );
    const done = await set(home, "approval.require.low", "dialog");
    expect(done).toMatchObject({ exit: 0, asked: 1 });
    expect(inForceIn(home)).toMatchObject({
      distrust: null,
      settings: {
        approval: { ancestry: "always", require: { low: "dialog", moderate: "terminal", high: "terminal" } },
      },
    });
  });

  it("takes a client's name with dots and blanks", async () => {
    const home = tempHome();
    for (const typed of ["approval.clients.my.own.shell", 'approval.clients."a b".shell']) {
      expect((await set(home, typed, "true")).exit).toBe(0);
    }
    expect(inForceIn(home).settings.approval.clients).toEqual({
      "my.own": { shell: true },
      "a b": { shell: true },
    });
  });

  it.each(brokenConfigs.filter(({ what }) => /^(a |open|half$|huge|of a (key twice|forbidden))/.test(what)))(
    "changes no file that is $what, and loses nothing of it",
    async ({ plant, says }) => {
      const home = tempHome();
      plant(home.path);
      const { exit, err } = await set(home, "facts.keepDays", "9");
      expect([exit, err]).toEqual([78, expect.stringContaining(says)]);
      expect(existsSync(join(home.path, "audit"))).toBe(false);
      writeConfig(home.path, {});
      expect((await set(home, "facts.keepDays", "9")).exit).toBe(0);
    },
  );

  it("corrects a file whose keys are wrong, where the whole is right then", async () => {
    const home = tempHome();
    writeConfig(home.path, { approval: { bannerDelaySeconds: 700 } });
    expect((await set(home, "facts.keepDays", "9")).exit).toBe(78);
    expect((await set(home, "approval.bannerDelaySeconds", "7")).exit).toBe(0);
    expect(inForceIn(home)).toMatchObject({ fault: null, settings: { approval: { bannerDelaySeconds: 7 } } });
  });

  it("writes nothing over a file that was changed while the question stood there", async () => {
    const home = tempHome();
    const { terminal, ended } = start(change("approval.timeoutSeconds", "900"), home);
    await expect.poll(() => terminal.questions.length).toBe(1);
    writeConfig(home.path, { facts: { keepDays: 3 } });
    terminal.type("y");
    const { exit, err } = await ended;
    expect([exit, err]).toEqual([78, expect.stringContaining("was changed meanwhile")]);
    expect(textIn(home)).toBe('{"facts":{"keepDays":3}}');
    expect(inForceIn(home).settings.approval.timeoutSeconds).toBe(600);
    expect((await set(home, "approval.timeoutSeconds", "900")).exit).toBe(0);
    expect(inForceIn(home).settings).toMatchObject({
      approval: { timeoutSeconds: 900 },
      facts: { keepDays: 3 },
    });
  });

  it("that is cut off before the seal leaves what was in force, in force", async () => {
    const home = tempHome();
    const copy = join(home.path, "keys", "sealed", "config.json");
    // Nothing can take the place of a directory that holds something.
    mkdirSync(join(copy, "full"), { recursive: true, mode: 0o700 });
    expect((await set(home, "approval.timeoutSeconds", "900")).exit).not.toBe(0);
    expect(JSON.parse(textIn(home))).toEqual({ approval: { timeoutSeconds: 900 } });
    expect(inForceIn(home).settings.approval.timeoutSeconds).toBe(600);
    expect(inForceIn(home).waiting.map(({ key }) => key)).toContain("approval.timeoutSeconds");
    rmSync(copy, { recursive: true });
    expect((await set(home, "approval.timeoutSeconds", "900")).exit).toBe(0);
    expect(inForceIn(home).settings.approval.timeoutSeconds).toBe(900);
  });

  it("changes nothing that cannot be written down, neither file nor seal, and does once it can", async () => {
    const home = tempHome();
    await set(home, "facts.keepDays", "9");
    const before = textIn(home);
    rmSync(join(home.path, "audit"), { recursive: true });
    writeFileSync(join(home.path, "audit"), "", { mode: 0o600 });
    expect((await set(home, "approval.timeoutSeconds", "900")).exit).not.toBe(0);
    expect(textIn(home)).toBe(before);
    expect(existsSync(join(home.path, "keys", "sealed", "config.json"))).toBe(false);
    rmSync(join(home.path, "audit"));
    expect((await set(home, "approval.timeoutSeconds", "900")).exit).toBe(0);
    expect(inForceIn(home).settings.approval.timeoutSeconds).toBe(900);
  });

  it("is for a person at a terminal alone", async () => {
    const home = tempHome();
    const piped = await start(change("facts.keepDays", "9"), home, { canAnswer: false }).ended;
    expect([piped.exit, piped.err]).toEqual([4, expect.stringContaining("wisp config set facts.keepDays 9")]);
    const within = await startOn(fakeTerminal({ home }), (terminal) =>
      runConfig(change("facts.keepDays", "9"), terminal, () => ({
        ...atTerminal,
        seen: { within: "claude" },
        shortfall: "within_client",
      })),
    ).ended;
    expect(within.exit).toBe(10);
    expect(existsSync(join(home.path, "config.json"))).toBe(false);
    expect((await set(home, "facts.keepDays", "9")).exit).toBe(0);
  });
});
