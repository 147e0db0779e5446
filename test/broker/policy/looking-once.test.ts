/** What one verdict sees of paths is what a look at each of them would show. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { landingOf, lookingOnce, pathLook } from "../../../src/broker/policy/path-look.js";

const directory = realpathSync(mkdtempSync(join(tmpdir(), "wisp-look-")));
mkdirSync(join(directory, "a/b"), { recursive: true });
writeFileSync(join(directory, "a/b/file"), "x");
symlinkSync(join(directory, "a"), join(directory, "link"));
symlinkSync("nowhere", join(directory, "a/broken"));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("each path leads where it leads, whatever was looked at before, and is looked at once", () => {
  const asked: string[] = [];
  const counting = {
    ...pathLook,
    real(path: string) {
      asked.push(path);
      return pathLook.real(path);
    },
  };
  const names = [
    "a/b/file",
    "link/b/file",
    "link",
    "link/broken",
    "a/none",
    "link/none/x",
    "a/b/..",
    "a/b/.",
  ];
  const paths = names.map((name) => `${directory}/${name}`);
  const look = lookingOnce(counting);
  for (const path of [...paths, ...paths]) {
    expect(look.isLink(path), path).toBe(pathLook.isLink(path));
    expect(look.real(path), path).toBe(pathLook.real(path));
    const above = path.slice(0, path.lastIndexOf("/"));
    expect(look.real(above), above).toBe(pathLook.real(above));
  }
  expect(new Set(asked).size).toBe(asked.length);
});

test("nobody can tell where something comes to stand below what is no directory, or behind a link in a circle", () => {
  const root = mkdtempSync(join(realpathSync(tmpdir()), "wisp-look-"));
  try {
    writeFileSync(join(root, "file"), "x");
    symlinkSync("round", join(root, "round"));
    for (const name of ["file/x", "file/x/y", "round", "round/x"])
      expect(landingOf(join(root, name)), name).toBeNull();
    expect(landingOf(join(root, "new/x"))).toBe(join(root, "new/x"));
    expect(landingOf("/")).toBe("/");
  } finally {
    rmSync(root, { recursive: true });
  }
});
