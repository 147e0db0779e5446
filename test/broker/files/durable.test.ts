import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { appendLines } from "../../../src/broker/files/durable.js";
import { tempDirectory } from "../../support/temp-home.js";

test("lines are appended in the order of the calls, whether durable or not", async () => {
  const path = join(tempDirectory(), "log");
  await Promise.all(
    Array.from({ length: 50 }, (_, index) => appendLines(path, `${index}\n`, index % 2 === 0)),
  );
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines).toEqual(Array.from({ length: 50 }, (_, index) => String(index)));
  expect(statSync(path).mode & 0o7777).toBe(0o600);
});

test("a line that was torn by a crash does not swallow the next one", async () => {
  const path = join(tempDirectory(), "log");
  writeFileSync(path, '{"torn', { mode: 0o600 });
  await appendLines(path, "whole\n", true);
  expect(readFileSync(path, "utf8")).toBe('{"torn\nwhole\n');
});

test("a link and a file open to others are refused, and a private file is still appended to", async () => {
  const directory = tempDirectory();
  writeFileSync(join(directory, "open"), "", { mode: 0o600 });
  chmodSync(join(directory, "open"), 0o644);
  symlinkSync(join(directory, "target"), join(directory, "link"));
  await expect(appendLines(join(directory, "open"), "x\n", true)).rejects.toThrow("not a private file");
  await expect(appendLines(join(directory, "link"), "x\n", true)).rejects.toThrow();
  await appendLines(join(directory, "own"), "x\n", true);
  expect(readFileSync(join(directory, "own"), "utf8")).toBe("x\n");
});
