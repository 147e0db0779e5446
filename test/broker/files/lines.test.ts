import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { eachLineWith } from "../../../src/broker/files/lines.js";
import { tempDirectory } from "../../support/temp-home.js";

function linesWith(path: string, text: string): readonly (readonly [string, boolean])[] {
  const found: (readonly [string, boolean])[] = [];
  const result = eachLineWith(path, text, (line, isWhole) =>
    found.push([Buffer.from(line).toString("utf8"), isWhole]),
  );
  expect(result).toEqual({ kind: "read" });
  return found;
}

test("every line that holds the text is found once, in order, wherever it stands in the file", () => {
  const path = join(tempDirectory(), "log");
  const lines = fc.array(fc.constantFrom("", "x", "ID", "a ID b", "IDID", "ünïcödé ID"), { maxLength: 12 });
  fc.assert(
    fc.property(lines, fc.constantFrom("", "ID", "no"), (whole, rest) => {
      writeFileSync(path, whole.map((line) => `${line}\n`).join("") + rest, { mode: 0o600 });
      const expected = whole.filter((line) => line.includes("ID")).map((line) => [line, true]);
      expect(linesWith(path, "ID")).toEqual(rest === "ID" ? [...expected, [rest, false]] : expected);
    }),
  );
});

test("a line that is longer than what is read at once, and one across two pieces, are found whole", () => {
  const path = join(tempDirectory(), "log");
  const long = `${"x".repeat(3 * 1024 * 1024)}ID`;
  const across = `${"y".repeat(1024 * 1024 - 3)}\nIDID`;
  writeFileSync(path, `${long}\n${across}\nlast\n`, { mode: 0o600 });
  expect(linesWith(path, "ID")).toEqual([
    [long, true],
    ["IDID", true],
  ]);
});

test("a link is refused, a missing file is missing, and a private file is read", () => {
  const directory = tempDirectory();
  const path = join(directory, "log");
  const nothing = (): void => expect.unreachable();
  expect(eachLineWith(path, "x", nothing)).toEqual({ kind: "missing" });
  writeFileSync(path, "x\n", { mode: 0o600 });
  symlinkSync(path, join(directory, "link"));
  expect(eachLineWith(join(directory, "link"), "x", nothing)).toMatchObject({ objection: "symbolic link" });
  expect(linesWith(path, "x")).toEqual([["x", true]]);
});
