import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { chainLabel } from "../../../src/broker/audit/chain.js";
import { emptyHead } from "../../../src/broker/audit/head.js";
import { startAfter } from "../../../src/broker/audit/row.js";
import { keysOf } from "../../support/audit-logs.js";
import { ProvableLog } from "../../support/provable-log.js";

/** Every record makes a file of its own, and all are kept. */
const tiny = { rotation: () => ({ rotateBytes: 1, keep: 20 }) };

let log: ProvableLog;
let oldest: string;
let middle: string;
beforeEach(async () => {
  log = new ProvableLog();
  for (let round = 0; round < 4; round += 1) await log.write(1, tiny);
  [oldest = "", middle = ""] = log.files();
});

/** The number with which the log begins once one turn is kept. */
function begins(): number {
  const key = keysOf(log.home).existingKey(chainLabel);
  return startAfter(log.directory, emptyHead.start, 1, key ?? new Uint8Array()).seq;
}

it.each<readonly [string, () => void]>([
  ["holds no line", () => log.put("")],
  ["begins with a record that was altered", () => log.put(log.read().replace("test", "tset"))],
  ["follows a file with a line that is not ours", () => log.put(`${log.read(middle)}{}\n`, middle)],
  ["follows a file that is another one of ours", () => log.put(log.read(oldest), middle)],
  ["follows a file that is open to others", () => chmodSync(join(log.directory, middle), 0o644)],
  ["follows a file that is gone", () => rmSync(join(log.directory, middle))],
])("of a log that %s nothing is let go of, and of the whole one what is too much", (_, spoil) => {
  const files = ["log.jsonl", middle].map((name) => [name, log.read(name)] as const);
  spoil();
  expect(begins()).toBe(1);
  for (const [name, text] of files) {
    rmSync(join(log.directory, name), { force: true });
    log.put(text, name);
  }
  expect(begins()).toBeGreaterThan(1);
});
