/** What a look at the end of a log finds, where to look at all of it would take too long. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { emptyHead } from "../../../src/broker/audit/head.js";
import { headDoubt } from "../../../src/broker/audit/head-doubt.js";
import { keysOf } from "../../support/audit-logs.js";
import { ProvableLog } from "../../support/provable-log.js";
import { spoil } from "../../support/spoiled-log.js";

const otherHash = "1".repeat(64);

it.each<readonly [string, (log: ProvableLog) => void, string]>([
  [
    "with a line before its end that is no record",
    (log) => {
      log.sign(1);
      log.put(log.lines().toSpliced(1, 1, "{}\n").join(""));
    },
    "a line of it is no record",
  ],
  [
    "from whose end, past the head, a record was taken away",
    (log) => {
      log.sign(1);
      log.put(log.lines().toSpliced(1, 1).join(""));
    },
    "record 3 does not follow the one before it",
  ],
  [
    "past whose head another record stands than was signed",
    (log) => log.sign(2, otherHash),
    "record 2 is not the one that was signed",
  ],
  [
    "of which nothing is kept but what does not follow the head",
    (log) => {
      log.sign(1);
      log.put(log.lines().slice(2).join(""));
    },
    "the records past its signed head do not follow it",
  ],
  [
    "of which nothing is kept but what follows another record than was signed",
    (log) => {
      log.sign(2, otherHash);
      log.put(log.lines().slice(2).join(""));
    },
    "the records past its signed head do not follow it",
  ],
  [
    "whose last record was taken away",
    (log) => log.put(log.lines().slice(0, 2).join("")),
    "records are missing at its end",
  ],
  ["of which nothing is left", (log) => rmSync(log.path), "records are missing"],
  [
    "whose end is no record",
    (log) => log.put(`${log.read()}{}\n`),
    "its last record has not the form of one",
  ],
  [
    "whose head is another",
    (log) => log.put("{}", "head.json"),
    "its signed head is not right (head_unreadable)",
  ],
  ["without a head", (log) => rmSync(join(log.directory, "head.json")), "it has no signed head"],
  [
    "to which somebody added a record under its right hash",
    spoil.addsRecord,
    "record 4 was not written by this home",
  ],
  [
    "whose last record is written anew under the hash that was signed",
    spoil.keepsHash,
    "record 3 is not what was written",
  ],
  [
    "whose last record is written anew under its right hash",
    spoil.rightsHash,
    "its last record is not the one that was signed",
  ],
])("a log %s is doubted, until it is as it was", async (_what, change, said) => {
  const log = new ProvableLog();
  await log.write(3);
  const files = ["log.jsonl", "head.json"].map((name) => [name, log.read(name)] as const);
  change(log);
  expect(headDoubt(log.home, keysOf(log.home))).toBe(said);
  for (const [name, text] of files) log.put(text, name);
  expect(headDoubt(log.home, keysOf(log.home))).toBeNull();
});

it("records past the head are no doubt with the secret, and one without it", async () => {
  const log = new ProvableLog();
  await log.write(2);
  const head = log.read("head.json");
  await log.write(1);
  log.put(head, "head.json");
  expect(headDoubt(log.home, keysOf(log.home))).toBeNull();
  const noKeys = { existingKey: () => null };
  expect(headDoubt(log.home, noKeys)).toBe("records at its end cannot be proved without the secret in keys/");
});

it("records that follow the last one that the head names are no doubt, though that one is put away", async () => {
  const log = new ProvableLog();
  await log.write(3);
  log.sign(2);
  const lines = log.lines();
  log.put(lines.slice(2).join(""));
  expect(headDoubt(log.home, keysOf(log.home))).toBeNull();
  log.put("");
  expect(headDoubt(log.home, keysOf(log.home))).toBe("records are missing");
  log.sign(emptyHead.seq, emptyHead.hash);
  expect(headDoubt(log.home, keysOf(log.home))).toBeNull();
  log.put(lines.join(""));
  expect(headDoubt(log.home, keysOf(log.home))).toBeNull();
});

it("a log that was never written is no doubt", () => {
  const { home } = new ProvableLog();
  expect(headDoubt(home, keysOf(home))).toBeNull();
});
