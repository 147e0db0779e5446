import { chmodSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openConsumedStates } from "../../../src/broker/grants/consumed.js";
import { GrantsHome } from "../../support/grants-home.js";
import { tempDirectory } from "../../support/temp-home.js";

const nonce = "0123456789abcdefghijk_-A";
const other = "0123456789abcdefghijk_-B";
const lifeMs = 660_000;
const dayMs = 24 * 3_600_000;

function place() {
  const home = new GrantsHome(join(tempDirectory(), "home"));
  const directory = join(home.path, "keys", "consumed");
  return { home, directory, open: () => openConsumedStates(home.options()) };
}

test("a nonce is used once, over all processes; another one is not used by that", async () => {
  const { open, directory } = place();
  const all = await Promise.all(
    [open(), open(), open()].flatMap((states) => [
      states.consume(nonce, lifeMs),
      states.consume(nonce, lifeMs),
    ]),
  );
  expect(all.filter((isFirst) => isFirst)).toHaveLength(1);
  expect(await open().consume(nonce, lifeMs)).toBe(false);
  expect(await open().consume(other, lifeMs)).toBe(true);
  expect(readdirSync(directory).sort()).toEqual([nonce, other]);
});

test.each([
  "",
  ".",
  "..",
  "../../keys/root",
  "a/b",
  "short",
  "x".repeat(87),
  `${nonce}\0`,
  `${nonce}=`,
  ".tmp.aaaaaaaaaaaaaaaaaaaaaa",
])("what is no nonce of ours is never the first, and touches nothing: %j", async (text) => {
  const { home, open } = place();
  expect(await open().consume(text, lifeMs)).toBe(false);
  expect(readdirSync(home.path)).toEqual([]);
  expect(await open().consume(nonce, lifeMs)).toBe(true);
});

test("a name that was removed does not make its nonce new for the process that used it", async () => {
  const { open, directory } = place();
  const states = open();
  expect(await states.consume(nonce, lifeMs)).toBe(true);
  rmSync(join(directory, nonce));
  expect(await states.consume(nonce, lifeMs)).toBe(false);
  expect(await states.consume(other, lifeMs)).toBe(true);
});

test("a name goes two days after its state, by the uptime, and what cannot be read as ours stays", async () => {
  const { home, open, directory } = place();
  await open().consume(nonce, lifeMs);
  writeFileSync(join(directory, other), "junk", { mode: 0o600 });
  home.clock.jumpWallClock(10 * dayMs);
  home.clock.advance(2 * dayMs + lifeMs);
  expect(open().sweep()).toBe(0);
  expect(await open().consume(nonce, lifeMs)).toBe(false);
  home.clock.advance(1);
  expect([open().sweep(), open().sweep()]).toEqual([1, 0]);
  expect(readdirSync(directory)).toEqual([other]);
});

test("a clock that is set back after another start brings no name to an end", async () => {
  const { home, open, directory } = place();
  await open().consume(nonce, lifeMs);
  home.reboot();
  home.clock.jumpWallClock(-dayMs);
  expect(open().sweep()).toBe(0);
  expect(readdirSync(directory)).toEqual([nonce]);
  home.clock.advance(4 * dayMs);
  expect(open().sweep()).toBe(1);
});

test("a nonce that cannot be written down is not used, and counts as used", async () => {
  const { home, open } = place();
  await open().consume(other, lifeMs);
  chmodSync(join(home.path, "keys"), 0o755);
  const states = open();
  await expect(states.consume(nonce, lifeMs)).rejects.toMatchObject({ code: "channel_unsafe" });
  chmodSync(join(home.path, "keys"), 0o700);
  expect(await states.consume(nonce, lifeMs)).toBe(false);
  expect(await open().consume(nonce, lifeMs)).toBe(true);
});
