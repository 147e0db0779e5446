import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { homeAt } from "../../../src/broker/channel/home.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { recordHome } from "../../../src/server/mcp/record-home.js";
import { makePlaces } from "../../support/mcp-server.js";

function homes() {
  const { root, remove } = makePlaces();
  onTestFinished(remove);
  const named = homeAt(join(root, "named"), false);
  const standard = homeAt(join(root, "standard"), true);
  return { root, named, standard, records: recordHome(named, standard, systemClock).make };
}

function codeOf(act: () => unknown): string | null {
  try {
    act();
    return null;
  } catch (error) {
    return error instanceof WispError ? error.code : String(error);
  }
}

test("a home that can be used holds the records, and the default one is not made", () => {
  const { named, standard, records } = homes();
  expect(existsSync(named.path)).toBe(false);
  expect(records()).toBe(named.path);
  expect(existsSync(standard.path)).toBe(false);
});

test("a home that was never named leaves the records to the default one", () => {
  const { standard } = homes();
  expect(recordHome(null, standard, systemClock).make()).toBe(standard.path);
});

test("a home of another program is left alone, and the records go to the default one from then on", () => {
  const { named, standard, records } = homes();
  mkdirSync(named.path, { mode: 0o700 });
  writeFileSync(join(named.path, "format"), "somebody else\n", { mode: 0o600 });
  expect(records()).toBe(standard.path);
  expect(readdirSync(named.path)).toEqual(["format"]);
  rmSync(named.path, { recursive: true });
  expect(records()).toBe(standard.path);
});

test("a home that turns bad later never diverts the records; repaired it holds them again", () => {
  const { named, standard, records } = homes();
  records();
  chmodSync(named.path, 0o755);
  expect(codeOf(records)).toBe("channel_unsafe");
  expect(existsSync(standard.path)).toBe(false);
  chmodSync(named.path, 0o700);
  expect(records()).toBe(named.path);
});

test("a home that cannot be made for want of anything but safety does not divert the records", () => {
  const { root, standard } = homes();
  const tooLong = homeAt(join(root, "x".repeat(300)), false);
  expect(codeOf(recordHome(tooLong, standard, systemClock).make)).toBe("channel_unavailable");
  expect(existsSync(standard.path)).toBe(false);
});
