/** One key of config.json, read without the rest. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { configuredKeepSeconds } from "../../../src/broker/config/keep-seconds.js";
import { tempDirectory } from "../../support/temp-home.js";

it.each([
  ['{"questions":{"keepSeconds":0}}', 0],
  ['{"questions":{"keepSeconds":90},"approval":{}}', 90],
  ['{"questions":{}}', null],
  ['{"questions":[0]}', null],
  ['{"questions":{"keepSeconds":-1}}', null],
  ['{"questions":{"keepSeconds":"0"}}', null],
  ["{", null],
])("of %s is %j", (text, seconds) => {
  const home = tempDirectory();
  writeFileSync(join(home, "config.json"), text, { mode: 0o600 });
  expect(configuredKeepSeconds(home)).toBe(seconds);
});

it("is none where there is no such file, or no file", () => {
  const home = tempDirectory();
  expect(configuredKeepSeconds(home)).toBeNull();
  mkdirSync(join(home, "config.json"));
  expect(configuredKeepSeconds(home)).toBeNull();
});
