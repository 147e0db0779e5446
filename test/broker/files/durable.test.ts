import { chmodSync, closeSync, openSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { appendWhole, openAppending } from "../../../src/broker/files/durable.js";
import { tempDirectory } from "../../support/temp-home.js";

function append(path: string, text: string): void {
  const { file, stats } = openAppending(path);
  appendWhole(file, Number(stats.size), text);
  closeSync(file);
}

test("text is appended to a file that is made with mode 0600", () => {
  const path = join(tempDirectory(), "log");
  append(path, "1\n");
  append(path, "2\n");
  expect(readFileSync(path, "utf8")).toBe("1\n2\n");
  expect(statSync(path).mode & 0o7777).toBe(0o600);
});

test("a file that cannot be written stays as it was", () => {
  const path = join(tempDirectory(), "log");
  append(path, "whole\n");
  const file = openSync(path, "r");
  expect(() => appendWhole(file, 6, "more\n")).toThrow("EBADF");
  closeSync(file);
  append(path, "next\n");
  expect(readFileSync(path, "utf8")).toBe("whole\nnext\n");
});

test("a link and a file open to others are refused, and a private file is still appended to", () => {
  const directory = tempDirectory();
  writeFileSync(join(directory, "open"), "", { mode: 0o600 });
  chmodSync(join(directory, "open"), 0o644);
  symlinkSync(join(directory, "target"), join(directory, "link"));
  expect(() => append(join(directory, "open"), "x\n")).toThrow("not a private file");
  expect(() => append(join(directory, "link"), "x\n")).toThrow();
  append(join(directory, "own"), "x\n");
  expect(readFileSync(join(directory, "own"), "utf8")).toBe("x\n");
});
