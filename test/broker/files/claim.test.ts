import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claimFile } from "../../../src/broker/files/claim.js";
import { publishDurably } from "../../../src/broker/files/publish.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { FakeClock } from "../../support/fake-clock.js";
import { tempDirectory } from "../../support/temp-home.js";

function place() {
  const directory = tempDirectory();
  const spent = join(directory, "spent");
  mkdirSync(spent, { mode: 0o700 });
  const path = join(directory, "name");
  writeFileSync(path, "text", { mode: 0o600 });
  return { directory, spent, path };
}

test("of many claims of one file one succeeds, and the file stands under its second name", async () => {
  const { spent, path } = place();
  const all = await Promise.all(Array.from({ length: 20 }, () => claimFile(path, spent)));
  expect(all.sort()).toEqual(["claimed", ...Array<string>(19).fill("taken")]);
  expect(readFileSync(join(spent, "name"), "utf8")).toBe("text");
});

test("a name that was claimed stays taken, whatever comes to stand under the first one", async () => {
  const { spent, path } = place();
  expect(await claimFile(path, spent)).toBe("claimed");
  rmSync(path);
  expect(await claimFile(path, spent)).toBe("gone");
  for (const restore of [() => writeFileSync(path, "text"), () => symlinkSync("/dev/null", path)]) {
    rmSync(path, { force: true });
    restore();
    expect(await claimFile(path, spent)).toBe("taken");
  }
});

test("a directory that is missing claims nothing and is told apart from a file that is gone", async () => {
  const { spent, path } = place();
  rmSync(spent, { recursive: true });
  await expect(claimFile(path, spent)).rejects.toMatchObject({ code: "channel_unavailable" });
  mkdirSync(spent, { mode: 0o700 });
  expect(await claimFile(path, spent)).toBe("claimed");
});

test("what is published durably is whole, private and alone, and never replaces anything", async () => {
  const directory = tempDirectory();
  const path = join(directory, "name");
  expect(await publishDurably(directory, "name", new Uint8Array([0, 255, 10]), systemClock)).toBe(true);
  expect(await publishDurably(directory, "name", "text", systemClock)).toBe(false);
  expect([...readFileSync(path)]).toEqual([0, 255, 10]);
  expect(statSync(path).mode & 0o7777).toBe(0o600);
  expect(await publishDurably(directory, "other", "text", systemClock)).toBe(true);
  expect(readFileSync(join(directory, "other"), "utf8")).toBe("text");
});

/** A clock on which this much passes with each look at it. */
function passing(...steps: readonly number[]): FakeClock {
  let [now, looks] = [0, 0];
  return Object.assign(Object.create(new FakeClock()) as FakeClock, {
    monotonic: () => {
      now += steps[looks++ % steps.length] ?? 0;
      return now;
    },
    randomBytes: (size: number) => new Uint8Array(size).fill(looks),
  });
}

test("a durable publish that took too long is made once more, for its process may have been busy with something else", async () => {
  const directory = tempDirectory();
  expect(await publishDurably(directory, "name", "text", passing(0, 10_001, 0, 10_000))).toBe(true);
  expect(readdirSync(directory)).toEqual(["name"]);
});

test("a durable publish that took too long twice, or has nowhere to write, publishes nothing", async () => {
  const directory = tempDirectory();
  const slow = passing(0, 10_001);
  const unavailable = expect.objectContaining({ code: "channel_unavailable" });
  await expect(publishDurably(directory, "name", "text", slow)).rejects.toEqual(unavailable);
  await expect(publishDurably(join(directory, "none"), "name", "text", systemClock)).rejects.toEqual(
    unavailable,
  );
  expect(await publishDurably(directory, "name", "text", systemClock)).toBe(true);
});
