import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hashesIn, readSpooled, spoolTexts, unspool } from "../../../src/broker/channel/spool.js";
import { composeRequest } from "../../../src/broker/request/binding.js";
import { type LongText, sha256Hex, shortened } from "../../../src/broker/request/long-text.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { approvalRequest, commandSubject, filingFacts } from "../../support/builders.js";
import { factDraft } from "../../support/request-kinds.js";
import { madeHome } from "../../support/temp-home.js";

const text = "é".repeat(10_000);
const stand = shortened(text) as LongText;

test("a text is read back only whole and unchanged", () => {
  const home = madeHome();
  const path = join(home.spool, stand.sha256);
  expect(readSpooled(home, stand)).toBeNull();
  writeFileSync(path, text.slice(1), { mode: 0o600 });
  expect(readSpooled(home, stand)).toBeNull();
  writeFileSync(path, "è".repeat(10_000), { mode: 0o600 });
  expect(readSpooled(home, stand)).toBeNull();
  writeFileSync(path, text, { mode: 0o600 });
  expect(readSpooled(home, stand)).toBe(text);
  rmSync(path);
  mkdirSync(path);
  expect(readSpooled(home, stand)).toBeNull();
});

test("the hashes of a request are those of its long texts, wherever they stand", () => {
  const other = shortened("x".repeat(20_000)) as LongText;
  const subject = commandSubject({ line: stand, command: "short", argv: ["short", other] });
  expect(hashesIn(approvalRequest({ subject }))).toEqual([stand.sha256, other.sha256]);
  expect(hashesIn(approvalRequest({ subject: commandSubject({ argv: null }) }))).toEqual([]);
  expect(hashesIn(composeRequest(factDraft(), filingFacts()))).toEqual([]);
});

test("only hashes are removed from the spool, and what is not there is no error", () => {
  const home = madeHome();
  spoolTexts(home, [text], systemClock);
  writeFileSync(join(home.path, "victim"), "mine");
  unspool(home, ["../victim", "", sha256Hex("never spooled")]);
  expect(readdirSync(home.spool)).toEqual([stand.sha256]);
  unspool(home, [stand.sha256]);
  expect([readdirSync(home.spool), readdirSync(home.path).includes("victim")]).toEqual([[], true]);
});

test("only requests keep a text: not temporaries, answers or what cannot be read", () => {
  const home = madeHome();
  spoolTexts(home, [text], systemClock);
  const naming = JSON.stringify({ sha256: stand.sha256 });
  for (const name of [".tmp.abc", "abcdefgh.answer.json"])
    writeFileSync(join(home.pending, name), naming, { mode: 0o600 });
  mkdirSync(join(home.pending, "dir23456.request.json"));
  const request = join(home.pending, "abcdefgh.request.json");
  writeFileSync(request, naming, { mode: 0o600 });
  unspool(home, [stand.sha256]);
  expect(readdirSync(home.spool)).toEqual([stand.sha256]);
  rmSync(request);
  unspool(home, [stand.sha256]);
  expect(readdirSync(home.spool)).toEqual([]);
});
