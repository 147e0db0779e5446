import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type ConfigChange, changedKeys, settingsSource } from "../../../src/broker/config/live.js";
import { defaultSettings, strictestSettings } from "../../../src/broker/config/settings.js";
import { sealedPath, writeAccepted } from "../../../src/broker/files/sealed.js";
import { sealedNamesPath } from "../../../src/broker/files/sealed-names.js";
import { rootSecretOf } from "../../../src/broker/identity/root-secret.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { sealConfig, writeConfig } from "../../support/config-files.js";
import { looksBelow } from "../../support/fs-counter.js";
import { tempDirectory } from "../../support/temp-home.js";

/** `now` far behind the files: each of them may have changed since. */
function source(home = tempDirectory(), now = Number.MAX_SAFE_INTEGER) {
  const changes: ConfigChange[] = [];
  const keys = rootSecretOf({ path: home, ensureHome: () => home, clock: systemClock });
  const clock = { now: () => now };
  const made = settingsSource({ home, keys, clock, onChange: (change) => changes.push(change) });
  const seconds = (): number => made.current().settings.approval.timeoutSeconds;
  return { home, changes, current: made.current, seconds };
}

describe("the configuration in force", () => {
  test("is that of the file at each use, and each change is told once", () => {
    const { home, changes, seconds } = source();
    expect(seconds()).toBe(600);
    writeConfig(home, { approval: { timeoutSeconds: 50 } });
    expect([seconds(), seconds()]).toEqual([50, 50]);
    rmSync(join(home, "config.json"));
    expect(seconds()).toBe(600);
    const change = { keys: ["approval.timeoutSeconds"], waiting: [], fault: null, distrust: null };
    expect(changes).toEqual([change, change]);
  });

  test("is not read again where nothing changed", () => {
    const { home, current } = source();
    writeConfig(home, {});
    sealConfig(home, { "approval.timeoutSeconds": 900 });
    expect(current()).toBe(current());
  });

  test("is read again as long as a change may have left no trace", () => {
    const { home, seconds } = source(tempDirectory(), 0);
    const path = writeConfig(home, { approval: { timeoutSeconds: 51 } });
    expect(seconds()).toBe(51);
    // By its bytes: a coarse clock may give two writes in a row one time, which no test can order.
    expect(looksBelow(home, seconds).opened).toBeGreaterThan(0);
    writeFileSync(path, '{"approval":{"timeoutSeconds":52}}');
    expect(seconds()).toBe(52);
    const later = source(home);
    expect(later.seconds()).toBe(52);
    expect(looksBelow(home, later.seconds).opened).toBe(0);
  });

  test("notices a file of the same length and times, and one that took the place of another", () => {
    const { home, seconds } = source();
    const path = writeConfig(home, { approval: { timeoutSeconds: 51 } });
    utimesSync(path, 1, 1);
    expect(seconds()).toBe(51);
    const other = join(home, "other.json");
    writeFileSync(other, '{"approval":{"timeoutSeconds":52}}', { mode: 0o600 });
    utimesSync(other, 1, 1);
    renameSync(other, path);
    expect(seconds()).toBe(52);
  });

  test.each<[what: string, spoil: (path: string) => void]>([
    ["half-written", (path) => writeFileSync(path, '{"approval": {"timeoutSe')],
    [
      "a link",
      (path) => {
        renameSync(path, `${path}.old`);
        symlinkSync(`${path}.old`, path);
      },
    ],
    ["open to others", (path) => chmodSync(path, 0o644)],
    [
      "a directory",
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
  ])("is the strictest while the file is %s, and the file's as soon as it is good again", (_what, spoil) => {
    const { home, changes, current, seconds } = source();
    const good = { approval: { timeoutSeconds: 50 } };
    const path = writeConfig(home, good);
    expect(seconds()).toBe(50);
    spoil(path);
    const { settings, fault } = current();
    expect([settings, fault?.code]).toEqual([strictestSettings, "config_invalid"]);
    current();
    writeConfig(home, good);
    expect([seconds(), current().fault]).toEqual([50, null]);
    expect(changes.map((change) => change.fault?.code ?? null)).toEqual(["config_invalid", null]);
  });

  test("follows what was accepted, and tells what waits", () => {
    const { home, changes, current, seconds } = source();
    current();
    writeConfig(home, { approval: { timeoutSeconds: 900, ancestry: "never" } });
    expect(seconds()).toBe(600);
    sealConfig(home, { "approval.timeoutSeconds": 900 });
    expect(seconds()).toBe(900);
    rmSync(join(home, "keys"), { recursive: true });
    expect(seconds()).toBe(600);
    const usual = { fault: null, distrust: null };
    expect(changes).toEqual([
      { keys: [], waiting: ["approval.timeoutSeconds", "approval.ancestry"], ...usual },
      { keys: ["approval.timeoutSeconds"], waiting: ["approval.ancestry"], ...usual },
      {
        keys: ["approval.timeoutSeconds"],
        waiting: ["approval.timeoutSeconds", "approval.ancestry"],
        ...usual,
      },
    ]);
  });

  test("is the strictest at the next use where the accepted copy was taken away, and tells it once", async () => {
    const { home, changes, current } = source();
    const place = { path: home, ensureHome: () => home, clock: systemClock };
    await writeAccepted(place, "config.json", {}, rootSecretOf(place));
    const before = current();
    const seal = sealedPath(home, "config.json");
    renameSync(seal, `${seal}.away`);
    expect(current().settings).toEqual(strictestSettings);
    current();
    expect(changes).toMatchObject([{ fault: null, distrust: "it is gone" }]);
    renameSync(`${seal}.away`, seal);
    expect(current()).toEqual(before);
  });

  test("reads anew what could not be trusted, without any sign that it can be now", () => {
    const { home, seconds } = source();
    writeConfig(home, { approval: { timeoutSeconds: 900 } });
    sealConfig(home, { "approval.timeoutSeconds": 900 });
    const root = join(home, "keys", "root");
    renameSync(root, `${root}.away`);
    expect(seconds()).toBe(600);
    renameSync(`${root}.away`, root);
    expect(seconds()).toBe(900);
  });

  test("follows what is said of which copies there are", async () => {
    const { home, current } = source();
    const place = { path: home, ensureHome: () => home, clock: systemClock };
    await writeAccepted(place, "config.json", {}, rootSecretOf(place));
    const [seal, names] = [sealedPath(home, "config.json"), sealedNamesPath(home)];
    for (const path of [seal, names]) renameSync(path, `${path}.away`);
    expect([current().settings, current().distrust]).toEqual([defaultSettings, null]);
    renameSync(`${names}.away`, names);
    expect([current().settings, current().distrust]).toEqual([strictestSettings, "it is gone"]);
    renameSync(`${seal}.away`, seal);
    expect([current().settings, current().distrust]).toEqual([defaultSettings, null]);
  });

  test("never throws, whatever became of the home", () => {
    const { home, current } = source();
    rmSync(home, { recursive: true });
    expect(current()).toEqual({ ...{ settings: defaultSettings, fault: null }, waiting: [], distrust: null });
    writeFileSync(home, "");
    expect(current().settings).toEqual(defaultSettings);
    rmSync(home);
    mkdirSync(home, { mode: 0o700 });
  });
});

test("what changed is named by its key, and what is said of clients as one", () => {
  const { approval, notify } = defaultSettings;
  const require = { ...approval.require, high: "terminal" as const };
  const clients = { "a b": { shell: true } };
  const after = {
    ...defaultSettings,
    approval: { ...approval, require, clients, ttlSeconds: 5 },
    notify: { ...notify, command: ["tell", "me"] },
  };
  expect(changedKeys(defaultSettings, after)).toEqual([
    "approval.ttlSeconds",
    "approval.require.high",
    "approval.clients",
    "notify.command",
  ]);
  expect(changedKeys(after, after)).toEqual([]);
});
