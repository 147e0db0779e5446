import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { eachLastLine } from "../../../src/broker/files/last-lines.js";
import { tempDirectory } from "../../support/temp-home.js";

function linesOf(path: string, mostBytes: number, most = Number.POSITIVE_INFINITY): readonly string[] {
  const lines: string[] = [];
  const result = eachLastLine(path, mostBytes, (line) => {
    lines.push(Buffer.from(line).toString("latin1"));
    return lines.length < most;
  });
  expect(result).toEqual({ kind: "read" });
  return lines;
}

/** Texts around the size of a piece, so that pieces begin and end everywhere in lines. */
const longText = fc
  .record({ length: fc.integer({ min: 0, max: 600_000 }), letter: fc.constantFrom("a", "b") })
  .map(({ length, letter }) => letter.repeat(length));
const texts = fc.array(
  fc.oneof({ weight: 4, arbitrary: fc.stringMatching(/^[a-z]{0,12}$/) }, { weight: 1, arbitrary: longText }),
  { maxLength: 12 },
);

test("all whole lines come, the last one first, whatever their length and however the file ends", () => {
  const path = join(tempDirectory(), "log");
  fc.assert(
    fc.property(texts, fc.stringMatching(/^[a-z]{0,5}$/), (lines, torn) => {
      writeFileSync(path, lines.map((line) => `${line}\n`).join("") + torn, { mode: 0o600 });
      expect(linesOf(path, 100_000_000)).toEqual([...lines].reverse());
    }),
    { numRuns: 60 },
  );
});

test("of what stands before the bytes that may be read no line comes, and none that is cut", () => {
  const path = join(tempDirectory(), "log");
  fc.assert(
    fc.property(texts, fc.integer({ min: 0, max: 1_500_000 }), (lines, most) => {
      writeFileSync(path, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
      const size = lines.reduce((sum, line) => sum + line.length + 1, 0);
      let left = most;
      const expected = [...lines].reverse().filter((line, index) => {
        left -= line.length + 1;
        // The newline before a line is read to know that it begins there, but for the first of all.
        return left >= (index === lines.length - 1 ? 0 : 1);
      });
      expect(linesOf(path, most)).toEqual(most >= size ? [...lines].reverse() : expected);
    }),
    { numRuns: 60 },
  );
});

test("nothing more is read once there is enough", () => {
  const path = join(tempDirectory(), "log");
  writeFileSync(path, "one\ntwo\nthree\n", { mode: 0o600 });
  expect(linesOf(path, 1_000, 2)).toEqual(["three", "two"]);
});

test("a link, a directory, a file that others can read are refused, and a private file is read", () => {
  const directory = tempDirectory();
  const path = join(directory, "log");
  const kindOf = (): unknown => eachLastLine(path, 1_000, () => true);
  expect(kindOf()).toEqual({ kind: "missing" });
  symlinkSync("/etc/hostname", path);
  expect(kindOf()).toMatchObject({ kind: "refused", objection: "symbolic link" });
  const folder = join(directory, "folder");
  mkdirSync(folder);
  expect(eachLastLine(folder, 1_000, () => true)).toMatchObject({ objection: "not a regular file" });
  const file = join(directory, "file");
  writeFileSync(file, "a\n", { mode: 0o600 });
  chmodSync(file, 0o640);
  expect(eachLastLine(file, 1_000, () => true)).toMatchObject({ objection: "open to others" });
  chmodSync(file, 0o600);
  expect(linesOf(file, 1_000)).toEqual(["a"]);
});
