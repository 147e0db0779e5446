/** One key of config.json, read without the rest. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { keepsNoAnswers } from "../../../src/broker/config/keeps-answers.js";
import { tempDirectory } from "../../support/temp-home.js";

it.each([
  ['{"questions":{"keepSeconds":0}}', true],
  ['{"questions":{"keepSeconds":90},"approval":{}}', false],
  ['{"questions":{}}', false],
  ['{"questions":[0]}', false],
  ['{"questions":{"keepSeconds":-1}}', false],
  ['{"questions":{"keepSeconds":"0"}}', false],
  ["{", false],
])("of %s is %j", (text, isNone) => {
  const home = tempDirectory();
  writeFileSync(join(home, "config.json"), text, { mode: 0o600 });
  expect(keepsNoAnswers(home)).toBe(isNone);
});

it("is none where there is no such file, or no file", () => {
  const home = tempDirectory();
  expect(keepsNoAnswers(home)).toBe(false);
  mkdirSync(join(home, "config.json"));
  expect(keepsNoAnswers(home)).toBe(false);
});
