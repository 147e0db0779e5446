import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadConfig, readConfig } from "../../../src/broker/config/load.js";
import { configKeys, configSchema, notBuilt } from "../../../src/broker/config/schema.js";
import { type AcceptedValues, acceptedValuesOf } from "../../../src/broker/config/sealed-keys.js";
import { defaultSettings, strictestSettings } from "../../../src/broker/config/settings.js";
import { rootSecretOf } from "../../../src/broker/identity/root-secret.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { brokenConfigs, sealConfig, writeConfig } from "../../support/config-files.js";
import { tempDirectory } from "../../support/temp-home.js";

const defaults = defaultSettings.approval;

describe("a home without a file", () => {
  test("has the defaults without fault, and nothing is made", () => {
    const home = join(tempDirectory(), "home");
    expect(readConfig(home)).toEqual({ settings: defaultSettings, fault: null });
    expect(existsSync(home)).toBe(false);
  });

  test("has what a file that says nothing has", () => {
    const home = tempDirectory();
    for (const content of [{}, { approval: {} }, { approval: { require: {}, clients: {} } }]) {
      writeConfig(home, content);
      expect(readConfig(home)).toEqual({ settings: defaultSettings, fault: null });
    }
  });
});

describe("a good file", () => {
  test.each([
    { outOfBand: false },
    { timeoutSeconds: 0 },
    { timeoutSeconds: 86_400 },
    { unseenAnswerMs: 0 },
    { unseenAnswerMs: 10_000 },
    { declineMemorySeconds: 0 },
    { declineMemorySeconds: 3_600 },
    { bannerDelaySeconds: 0 },
    { bannerDelaySeconds: 599 },
    { timeoutSeconds: 0, bannerDelaySeconds: 3_600 },
    { timeoutSeconds: 30, bannerDelaySeconds: 29 },
    { ancestry: "never" },
    { clients: { x: { unseenDecline: "cancel", dialog: false, shell: true }, "": {} } },
    { holdSeconds: 70, clients: { x: { holdSeconds: 0 }, y: { holdSeconds: "auto" } } },
    { timeoutSeconds: 0, unseenAnswerMs: 10_000 },
    { persistDays: 1 },
    { persistDays: 365 },
    { threshold: "dangerous" },
  ])("of %j changes that and nothing else", (approval) => {
    const home = tempDirectory();
    writeConfig(home, { approval });
    const settings = { ...defaultSettings, approval: { ...defaults, ...approval } };
    expect(readConfig(home)).toEqual({ settings, fault: null });
  });

  test.each([
    { enabled: false },
    { command: ["tell"] },
    { command: ["/usr/local/bin/tell", "", "--to=me", "two words"] },
    { perMinute: 0 },
    { perMinute: 60 },
  ])("of %j for banners changes that and nothing else", (notify) => {
    const home = tempDirectory();
    writeConfig(home, { notify });
    const settings = { ...defaultSettings, notify: { ...defaultSettings.notify, ...notify } };
    expect(readConfig(home)).toEqual({ settings, fault: null });
  });

  test.each<[key: "questions" | "facts" | "audit" | "gate", object]>([
    ["questions", { holdSeconds: 0 }],
    ["questions", { holdSeconds: 86_400 }],
    ["questions", { keepSeconds: 0 }],
    ["questions", { keepSeconds: 86_400 }],
    ["questions", {}],
    ["facts", { keepDays: 1 }],
    ["facts", { keepDays: 30 }],
    ["audit", { rotateBytes: 1_048_576 }],
    ["audit", { keep: 0 }],
    ["gate", { trustAnnotations: false }],
    ["gate", { asksPerMinute: 1 }],
    ["gate", { maxConcurrentWrites: 256 }],
    ["gate", { maxFrameBytes: 65_536 }],
  ])("for %s of %j changes that and nothing else", (key, said) => {
    const home = tempDirectory();
    writeConfig(home, { [key]: said });
    const settings = { ...defaultSettings, [key]: { ...defaultSettings[key], ...said } };
    expect(readConfig(home)).toEqual({ settings, fault: null });
  });

  test.each([
    [20, 10],
    [19, 9],
    [5, 2],
    [1, 0],
    [0, 10],
  ])("of a wait of %d s and no word on the delay leaves a dialog alone for %d s", (timeoutSeconds, delay) => {
    const home = tempDirectory();
    writeConfig(home, { approval: { timeoutSeconds } });
    const { settings, fault } = readConfig(home);
    expect([settings.approval.bannerDelaySeconds, fault]).toEqual([delay, null]);
  });

  test("may require a terminal at one level alone", () => {
    const home = tempDirectory();
    writeConfig(home, { approval: { require: { dangerous: "terminal" } } });
    expect(readConfig(home).settings.approval.require).toEqual({
      low: "dialog",
      moderate: "dialog",
      high: "dialog",
      dangerous: "terminal",
    });
  });
});

describe("a file that cannot be used", () => {
  test.each(brokenConfigs)("because it is $what leaves the strictest there is", ({ plant, says }) => {
    const home = tempDirectory();
    plant(home);
    const { settings, fault } = readConfig(home);
    expect(settings).toEqual(strictestSettings);
    expect(fault).toMatchObject({ code: "config_invalid", details: { path: join(home, "config.json") } });
    expect(fault?.message).toContain(`config.json cannot be used: `);
    expect(fault?.message).toContain(says);
    expect(fault?.why).toContain("only a terminal outside the client answers");
    writeConfig(home, { approval: { timeoutSeconds: 50 } });
    expect(readConfig(home)).toEqual({
      settings: { ...defaultSettings, approval: { ...defaults, timeoutSeconds: 50 } },
      fault: null,
    });
  });

  test("names the command that repairs its mode, and otherwise the file, quoted for a shell", () => {
    const home = join(tempDirectory(), "it's");
    const quoted = `'${join(home, "config.json").replace("'", "'\\''")}'`;
    for (const { what, plant } of brokenConfigs) {
      plant(home);
      const isMode = what === "open to its group";
      expect(readConfig(home).fault?.fix).toBe(
        isMode ? `chmod 600 ${quoted}` : `Correct ${quoted}, or remove it.`,
      );
    }
  });

  test("says five things that are wrong and counts the rest, and repeats no value of the file", () => {
    const home = tempDirectory();
    const wrong = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`zebra${index}`, "secret"]));
    writeConfig(home, { approval: { ...wrong, ancestry: "secret" } });
    const message = readConfig(home).fault?.message ?? "";
    expect(message.split("; ")).toHaveLength(6);
    expect(message).toMatch(/and 5 more$/);
    expect(message).not.toContain("secret");
  });

  test.each<[content: string, says: string]>([
    ['{\n  "approval": {\n', "config.json:3: not JSON"],
    ['{\n  // seconds\n  "approval": {} }', "config.json:2: not JSON"],
    ["", "config.json:1: not JSON"],
    ['{"approval": {},\n"approval": {}}', "config.json:2: duplicate key"],
    [
      '{"approval": {\n"timeoutSeconds": "soon",\n"colour": 1 },\n"notify": {"command": [\n"./tell"] } }',
      "config.json:2: approval.timeoutSeconds: must be a whole number from 0 to 86400; config.json:3: approval.colour is no key; config.json:5: notify.command.0: must be",
    ],
    [
      '{"approval": {\n"require": {"high": "terminal"},\n"outOfBand": false } }',
      "config.json:2: approval.require.high: ",
    ],
  ])("of %j names the line", (content, says) => {
    const home = tempDirectory();
    writeConfig(home, content);
    expect(readConfig(home).fault?.message).toContain(`config.json cannot be used: ${says}`);
    writeConfig(home, {});
    expect(readConfig(home).fault).toBeNull();
  });

  test("cuts a key that is longer than any", () => {
    const home = tempDirectory();
    writeConfig(home, { approval: { [`${"x".repeat(5_000)}`]: 1 } });
    expect(readConfig(home).fault?.message).toBe(
      `config.json cannot be used: config.json:1: approval.${"x".repeat(64)} is no key`,
    );
  });
});

describe("what is in force of a home", () => {
  const noSecret = { existingKey: () => null };
  const keysOf = (home: string) => rootSecretOf({ path: home, ensureHome: () => home, clock: systemClock });

  test("without a file and without a copy is the defaults, and nothing is made", () => {
    const home = join(tempDirectory(), "home");
    expect(loadConfig(home, keysOf(home))).toEqual({
      settings: defaultSettings,
      fault: null,
      waiting: [],
      distrust: null,
    });
    expect(existsSync(home)).toBe(false);
  });

  test("is what the file says where that was accepted, and what was accepted where the file is looser", () => {
    const home = tempDirectory();
    writeConfig(home, { approval: { timeoutSeconds: 900, holdSeconds: 5 } });
    const waits = loadConfig(home, keysOf(home));
    expect(waits.settings.approval).toEqual({ ...defaults, holdSeconds: 5 });
    expect(waits.waiting).toEqual([{ key: "approval.timeoutSeconds", accepted: 600, file: 900 }]);
    sealConfig(home, { "approval.timeoutSeconds": 900 });
    const { settings, waiting } = loadConfig(home, keysOf(home));
    expect([settings.approval.timeoutSeconds, waiting]).toEqual([900, []]);
  });

  test("keeps what was accepted stricter when the file is removed", () => {
    const home = tempDirectory();
    sealConfig(home, { "approval.require.high": "terminal", "approval.timeoutSeconds": 900 });
    const { settings, waiting } = loadConfig(home, keysOf(home));
    expect(settings.approval.require.high).toBe("terminal");
    expect(settings.approval.timeoutSeconds).toBe(600);
    expect(waiting).toEqual([{ key: "approval.require.high", accepted: "terminal", file: "dialog" }]);
  });

  test.each<[what: string, spoil: (seal: string, home: string) => void, why: string]>([
    [
      "edited",
      (seal) => writeFileSync(seal, readFileSync(seal, "utf8").replace("never", "known")),
      "its seal",
    ],
    ["half", (seal) => writeFileSync(seal, "{"), "not JSON"],
    ["open to others", (seal) => chmodSync(seal, 0o644), "open to others"],
    ["without the secret", (_, home) => rmSync(join(home, "keys", "root")), "its seal is not ours"],
  ])("is the strictest where the copy is %s, and stricter where the file is", (_what, spoil, why) => {
    const home = tempDirectory();
    const wanted = { ancestry: "never", timeoutSeconds: 30, threshold: "high", require: { low: "dialog" } };
    writeConfig(home, { approval: wanted, notify: { command: ["tell"] }, audit: { keep: 0 } });
    sealConfig(home, acceptedValuesOf(readConfig(home).settings));
    expect(loadConfig(home, keysOf(home))).toMatchObject({ distrust: null, waiting: [] });
    spoil(join(home, "keys", "sealed", "config.json"), home);
    const { settings, distrust, waiting } = loadConfig(home, keysOf(home));
    expect(distrust).toContain(why);
    const { approval } = strictestSettings;
    expect(settings).toEqual({
      ...strictestSettings,
      approval: { ...approval, timeoutSeconds: 30, bannerDelaySeconds: 10 },
    });
    expect(waiting.map(({ key }) => key)).toEqual(
      expect.arrayContaining(["approval.ancestry", "audit.keep"]),
    );
    rmSync(join(home, "keys", "sealed", "config.json"));
    sealConfig(home, { "approval.ancestry": "never" });
    expect(loadConfig(home, keysOf(home))).toMatchObject({
      distrust: null,
      settings: { approval: { ancestry: "never" } },
    });
  });

  test("is the strictest of a file that cannot be used, too, where the copy counts for nothing", () => {
    const home = tempDirectory();
    writeConfig(home, "{");
    sealConfig(home, { "approval.timeoutSeconds": 5 });
    expect(loadConfig(home, noSecret)).toMatchObject({
      settings: strictestSettings,
      distrust: "its seal is not ours",
      waiting: [],
    });
    expect(loadConfig(home, keysOf(home)).settings.approval.timeoutSeconds).toBe(5);
  });

  test("is what the defaults allow where the copy holds what no version takes", () => {
    const home = tempDirectory();
    writeConfig(home, { approval: { ancestry: "never" } });
    sealConfig(home, { "approval.ancestry": "often", "approval.later": true } as AcceptedValues);
    expect(loadConfig(home, keysOf(home)).settings.approval.ancestry).toBe("known");
    for (const nothing of ["", "text", "null"]) {
      sealConfig(home, nothing);
      expect(loadConfig(home, keysOf(home)).settings.approval.ancestry).toBe("known");
    }
  });

  test("of a file that cannot be used lets nobody have longer than was accepted", () => {
    const home = tempDirectory();
    writeConfig(home, "{");
    sealConfig(home, { "approval.timeoutSeconds": 5, "approval.ancestry": "never" });
    const { settings, fault, waiting } = loadConfig(home, keysOf(home));
    const { approval } = strictestSettings;
    expect(settings.approval).toEqual({ ...approval, timeoutSeconds: 5, bannerDelaySeconds: 2 });
    expect([fault?.code, waiting]).toEqual(["config_invalid", []]);
    sealConfig(home, { "approval.timeoutSeconds": 0 });
    expect(loadConfig(home, keysOf(home)).settings).toEqual(strictestSettings);
  });
});

test("the strictest settings rule dialogs out everywhere and terminals within every client", () => {
  expect(strictestSettings.approval).toEqual({
    ...defaults,
    persistDays: 1,
    ancestry: "always",
    require: { low: "terminal", moderate: "terminal", high: "terminal", dangerous: "terminal" },
  });
});

test("a key that is built is not called not built, and every key with a default is listed", () => {
  expect(configKeys().filter((key) => notBuilt.has(key))).toEqual([]);
  expect(Object.keys(configSchema().parse({}).approval).sort()).toEqual(Object.keys(defaults).sort());
  expect(configKeys()).toEqual(expect.arrayContaining(Object.keys(defaults).map((key) => `approval.${key}`)));
});
