/** Files that a call names: what it replaces, and where it moves things. */
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { crossesTop, isBelowRoots, mayReplace } from "../../../../src/broker/policy/presets/files-meant.js";
import { placeOfFiles } from "../../../support/place-of-files.js";

test("a file that is not empty is replaced, and so is whatever cannot be told", () => {
  const around = placeOfFiles();
  const { root } = around;
  writeFileSync(join(root, "full"), "x");
  writeFileSync(join(root, "empty"), "");
  symlinkSync(join(root, "full"), join(root, "link"));
  symlinkSync(join(root, "nothing"), join(root, "hanging"));
  for (const name of ["full", "link", "hanging", "full/below"]) {
    expect(mayReplace(join(root, name), around), name).toBe(true);
  }
  // Where a relative path starts, the server says.
  for (const path of ["full", "empty", 7, null, "/x\0"]) expect(mayReplace(path, around)).toBe(true);
  expect(mayReplace(join(root, "new"), { ...around, areFilesHere: false })).toBe(true);
  for (const name of ["empty", "new"]) expect(mayReplace(join(root, name), around), name).toBe(false);
});

test("a move crosses where it leaves its directory of the first level", () => {
  const around = placeOfFiles();
  const at = (name: string): string => join(around.root, name);
  expect(crossesTop(at("a/x"), at("a/b/x"), around)).toBe(false);
  expect(crossesTop(at("x"), at("y"), around)).toBe(false);
  expect(crossesTop(at("a/x"), at("c/x"), around)).toBe(true);
  expect(crossesTop(at("x"), at("a/x"), around)).toBe(true);
  expect(crossesTop(at("a/x"), "/tmp/x", around)).toBe(true);
  // What is of the first level elsewhere nobody says; a directory there may be all of a person's.
  expect(crossesTop("/opt/x", "/opt/y", around)).toBe(true);
  expect(crossesTop("/opt/x", at("a/x"), around)).toBe(true);
  expect(crossesTop(at("a"), at("d"), around)).toBe(true);
  expect(crossesTop(around.root, at("a/x"), around)).toBe(true);
  expect(crossesTop(at("a/b"), at("a/d"), around)).toBe(false);
  for (const path of ["a/x", 7, null]) expect(crossesTop(path, at("a/x"), around)).toBe(true);
  symlinkSync(at("c"), at("a/link"));
  expect(crossesTop(at("a/x"), at("a/link/x"), around)).toBe(true);
});

test("a path is below the roots of a server by where it leads, or as it reads where its files are not here", () => {
  const around = placeOfFiles();
  const at = (name: string): string => join(around.root, name);
  symlinkSync("/opt", at("out"));
  symlinkSync("round", at("round"));
  for (const path of [around.root, at("a"), at("new/x"), at("a/../c")])
    expect(isBelowRoots(path, around), path).toBe(true);
  for (const path of [
    "/opt",
    at("out/x"),
    at("round/x"),
    `${around.root}x`,
    at("../x"),
    "a",
    `${at("a")}\0`,
    7,
    null,
  ])
    expect(isBelowRoots(path, around), String(path)).toBe(false);
  const elsewhere = { ...around, areFilesHere: false };
  expect([at("out/x"), at("../x"), "a"].map((path) => isBelowRoots(path, elsewhere))).toEqual([
    true,
    false,
    false,
  ]);
});

test("a move of what nobody can tell where it leads crosses", () => {
  const around = placeOfFiles();
  const at = (name: string): string => join(around.root, name);
  symlinkSync("round", at("round"));
  expect(crossesTop(at("round/x"), at("a/x"), around)).toBe(true);
  const roots = [...around.roots, at("round")];
  expect(crossesTop(at("a/x"), at("a/y"), { ...around, roots })).toBe(false);
});
