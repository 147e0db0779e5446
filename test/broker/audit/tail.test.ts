import { createHash } from "node:crypto";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { beforeFirst, type HeadFault, lineOf } from "../../../src/broker/audit/chain.js";
import { firstLineOf, tailOf, tornIn } from "../../../src/broker/audit/tail.js";
import { sketched } from "../../support/sketched.js";
import { tempDirectory } from "../../support/temp-home.js";

/** An open file that holds `text`. */
function opened(text: string): number {
  const path = join(tempDirectory(), "log.jsonl");
  writeFileSync(path, text);
  const file = openSync(path, "r");
  onTestFinished(() => closeSync(file));
  return file;
}

it("a torn end of a file that gets shorter while it is read is hashed as far as it goes", () => {
  const torn = "torn";
  const file = opened(torn);
  expect(tornIn(file, 100)).toEqual({
    at: 0,
    bytes: 100,
    sha256: createHash("sha256").update(torn).digest("hex"),
  });
  expect(tornIn(file, 4)).toMatchObject({ at: 0, bytes: 4 });
});

it.each([1, 65_535, 65_536, 200_000])("the first line is found whole where it has %i bytes", (length) => {
  const line = "x".repeat(length);
  expect(firstLineOf(opened(`${line}\nsecond\n`))).toEqual(Buffer.from(line));
  expect(firstLineOf(opened(line))).toBeNull();
});

it("a stamp that this version does not know is one all the same", () => {
  const key = new Uint8Array(32);
  const stamped = (headFault: string | null) => {
    const parts = { ts: 1, session: "test", headFault: headFault as HeadFault | null, key };
    const { line } = lineOf(sketched({ kind: "approval.decided", call: null }), beforeFirst, parts);
    return tailOf(opened(line), line.length, key).headFault;
  };
  expect([stamped("head_missing"), stamped("head_of_a_later_version"), stamped(null)]).toEqual([
    "head_missing",
    "records_not_ours",
    null,
  ]);
});
