/** What files of clients were, and how it is found again. */
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ensureHome, type Home } from "../../../src/broker/channel/home.js";
import {
  type BackedUp,
  backupsOf,
  dropBackup,
  keepBackup,
  originalOf,
} from "../../../src/broker/gates/backups.js";
import { isGateName } from "../../../src/broker/gates/gate-name.js";
import { rootSecretOf } from "../../../src/broker/identity/root-secret.js";
import { sha256Hex } from "../../../src/broker/request/long-text.js";
import { FakeClock } from "../../support/fake-clock.js";
import { tempHome } from "../../support/temp-home.js";

const changes = [{ below: null, was: null, now: { key: "args", raw: "[]" } }];
const what = { path: "/a/b.json", place: ["mcpServers", "fs"], changes };

function placeOf(home: Home) {
  const clock = new FakeClock();
  const place = { path: home.path, ensureHome: () => ensureHome(home, clock), clock };
  const keys = rootSecretOf(place);
  const keep = (one: BackedUp, before: string, after: string) =>
    keepBackup(place, keys, one, { before, after });
  const of = ({ path, place: at }: BackedUp = what) => backupsOf(home.path, keys, path, at);
  return { clock, keep, of };
}

describe("backups", () => {
  it("are found by file and entry, the newest first, with the text to the byte", async () => {
    const home = tempHome();
    const { clock, keep, of } = placeOf(home);
    expect(of()).toEqual({ found: [], unsealed: 0 });
    await keep(what, "\ufeffone\r\n", "two");
    clock.advance(1_000);
    await keep(what, "two", "three");
    await keep({ ...what, path: "/a/c.json" }, "x", "y");
    await keep({ ...what, place: ["mcpServers", "other"] }, "x", "y");
    const [newer, older, ...others] = of().found;
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
    const { keep, of } = placeOf(home);
    await keep(what, "one", "two");
    const [backup] = of().found;
    if (backup === undefined) throw new Error("not kept");
    const directory = join(home.path, "backups");
    writeFileSync(join(directory, `${backup.id}.original`), "other");
    expect(originalOf(home.path, backup)).toBeNull();
    writeFileSync(join(directory, "abcdefgh.json"), '{"v": 2}', { mode: 0o600 });
    writeFileSync(join(directory, "short.json"), "{}", { mode: 0o600 });
    symlinkSync(join(directory, `${backup.id}.json`), join(directory, "bcdefghj.json"));
    expect(of()).toEqual({ found: [backup], unsealed: 0 });
    writeFileSync(join(directory, `${backup.id}.original`), "one");
    expect(originalOf(home.path, backup)).toBe("one");
    dropBackup(home.path, backup);
    expect([of().found, originalOf(home.path, backup)]).toEqual([[], null]);
  });

  it("count only under the seal of their home, and only as themselves", async () => {
    const home = tempHome();
    const { keep, of } = placeOf(home);
    const { id } = await keep(what, "one", "two");
    const path = join(home.path, "backups", `${id}.json`);
    const written = readFileSync(path, "utf8");
    for (const altered of [
      written.replace('"raw":"[]"', '"raw":"[1]"'),
      written.replace(/"mac":"[0-9a-f]{8}/, '"mac":"00000000'),
    ]) {
      writeFileSync(path, altered);
      expect(of()).toEqual({ found: [], unsealed: 1 });
    }
    writeFileSync(path, written);
    writeFileSync(join(home.path, "backups", "abcdefgh.json"), written, { mode: 0o600 });
    expect(of()).toMatchObject({ found: [{ id }], unsealed: 1 });
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
