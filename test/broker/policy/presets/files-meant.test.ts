/** Files that a call names: what it may not reach, what it replaces, and where it moves things. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  crossesTop,
  type FileSurroundings,
  guardedPlaceOf,
  mayReplace,
} from "../../../../src/broker/policy/presets/files-meant.js";
import { tempDirectory } from "../../../support/temp-home.js";

function place(): FileSurroundings & { readonly root: string } {
  const homeDirectory = tempDirectory();
  const root = join(homeDirectory, "root");
  for (const name of ["root/a/b", "root/c", ".wisp", ".ssh"]) {
    mkdirSync(join(homeDirectory, name), { recursive: true });
  }
  return {
    home: join(homeDirectory, ".wisp"),
    homeDirectory,
    directory: root,
    roots: [root],
    areFilesHere: true,
    root,
  };
}

test("guarded places are found in every spelling, behind links, and as they read", () => {
  const around = place();
  const { root } = around;
  symlinkSync(around.home, join(root, "way"));
  symlinkSync(join(around.homeDirectory, ".ssh"), join(root, "keys"));
  const guarded = [
    ...[".git", "a/.git/config", "/x/.GIT/y", ".git./x", ".Git ", "a\\.git\\x", ".git/../a"],
    ...[
      "~/.ssh/id",
      join(around.homeDirectory, ".SSH"),
      "keys/id",
      "~/.wisp",
      "../.wisp/x",
      "way/policy.json",
    ],
  ];
  for (const path of guarded) expect(guardedPlaceOf(path, around), path).not.toBeNull();
  const open = ["a", ".gitignore", ".github/x", "x.git", "ssh", "~/.wisper", "~", "", 7, null];
  for (const path of open) expect(guardedPlaceOf(path, around), String(path)).toBeNull();
});

test("a file that is not empty is replaced, and so is whatever cannot be told", () => {
  const around = place();
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
  const around = place();
  const at = (name: string): string => join(around.root, name);
  expect(crossesTop(at("a/x"), at("a/b/x"), around)).toBe(false);
  expect(crossesTop(at("x"), at("y"), around)).toBe(false);
  expect(crossesTop(at("a/x"), at("c/x"), around)).toBe(true);
  expect(crossesTop(at("x"), at("a/x"), around)).toBe(true);
  expect(crossesTop(at("a/x"), "/tmp/x", around)).toBe(true);
  expect(crossesTop("/opt/x", "/opt/y", around)).toBe(false);
  expect(crossesTop("/opt/x", "/opt/z/y", around)).toBe(true);
  for (const path of ["a/x", 7, null]) expect(crossesTop(path, at("a/x"), around)).toBe(true);
  symlinkSync(at("c"), at("a/link"));
  expect(crossesTop(at("a/x"), at("a/link/x"), around)).toBe(true);
});
