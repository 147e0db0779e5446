/** What files of clients were, and how it is found again. */
import { readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ensureHome, type Home } from "../../../src/broker/channel/home.js";
import { backupsOf, dropBackup, keepBackup, originalOf } from "../../../src/broker/gates/backups.js";
import { isGateName } from "../../../src/broker/gates/gate-name.js";
import { sha256Hex } from "../../../src/broker/request/long-text.js";
import { FakeClock } from "../../support/fake-clock.js";
import { tempHome } from "../../support/temp-home.js";

const changes = [{ was: null, now: { key: "args", raw: "[]" } }];
const what = { path: "/a/b.json", place: ["mcpServers", "fs"], changes };

function placeOf(home: Home) {
  const clock = new FakeClock();
  return { clock, place: { path: home.path, ensureHome: () => ensureHome(home, clock), clock } };
}

describe("backups", () => {
  it("are found by file and entry, the newest first, with the text to the byte", async () => {
    const home = tempHome();
    const { clock, place } = placeOf(home);
    expect(backupsOf(home.path, what.path, what.place)).toEqual([]);
    await keepBackup(place, what, "\ufeffone\r\n", "two");
    clock.advance(1_000);
    await keepBackup(place, what, "two", "three");
    await keepBackup(place, { ...what, path: "/a/c.json" }, "x", "y");
    await keepBackup(place, { ...what, place: ["mcpServers", "other"] }, "x", "y");
    const [newer, older, ...others] = backupsOf(home.path, what.path, what.place);
    expect(others).toEqual([]);
    expect([newer?.after, older?.after]).toEqual([sha256Hex("three"), sha256Hex("two")]);
    expect(older === undefined ? null : originalOf(home.path, older)).toBe("\ufeffone\r\n");
    expect(older?.changes).toEqual(changes);
    const directory = join(home.path, "backups");
    const modes = readdirSync(directory).map((name) => statSync(join(directory, name)).mode & 0o777);
    expect([statSync(directory).mode & 0o777, new Set(modes)]).toEqual([0o700, new Set([0o600])]);
  });

  it("that were altered, or are none, are not put back", async () => {
    const home = tempHome();
    const { place } = placeOf(home);
    await keepBackup(place, what, "one", "two");
    const [backup] = backupsOf(home.path, what.path, what.place);
    if (backup === undefined) throw new Error("not kept");
    const directory = join(home.path, "backups");
    writeFileSync(join(directory, `${backup.id}.original`), "other");
    expect(originalOf(home.path, backup)).toBeNull();
    writeFileSync(join(directory, "abcdefgh.json"), '{"v": 2}', { mode: 0o600 });
    writeFileSync(join(directory, "short.json"), "{}", { mode: 0o600 });
    symlinkSync(join(directory, `${backup.id}.json`), join(directory, "bcdefghj.json"));
    expect(backupsOf(home.path, what.path, what.place)).toEqual([backup]);
    writeFileSync(join(directory, `${backup.id}.original`), "one");
    expect(originalOf(home.path, backup)).toBe("one");
    dropBackup(home.path, backup);
    expect([backupsOf(home.path, what.path, what.place), originalOf(home.path, backup)]).toEqual([[], null]);
  });
});

it.each([
  ["fs", true],
  ["0-a", true],
  ["a".repeat(32), true],
  ["a".repeat(33), false],
  ["-a", false],
  ["", false],
  ["A", false],
  ["a_b", false],
  ["a\n", false],
])("%j may name a gate: %j", (name, expected) => {
  expect(isGateName(name)).toBe(expected);
});
