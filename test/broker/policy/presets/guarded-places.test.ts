/** Places that no call reaches. */
import { linkSync, lstatSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { callLook } from "../../../../src/broker/policy/call-look.js";
import {
  guardedPlaceBelow,
  guardedPlaceOf,
  holdsGuarded,
  isWrittenOtherwise,
} from "../../../../src/broker/policy/presets/guarded-places.js";
import { presetNamed } from "../../../support/gate-calls.js";
import { placeOfFiles } from "../../../support/place-of-files.js";

test("guarded places are found in every spelling, behind links, and as they read", () => {
  const around = placeOfFiles();
  const { root } = around;
  symlinkSync(around.home, join(root, "way"));
  symlinkSync(join(around.homeDirectory, ".ssh"), join(root, "keys"));
  const guarded = [
    ...["GIT~1/hooks", "a/git~12/x", "SSH~1", ".git::$INDEX_ALLOCATION/x", ".g\u200cit/x"],
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
  const open = [
    "git~",
    "git~1x",
    "a:.git",
    "a",
    ".gitignore",
    ".github/x",
    "x.git",
    "ssh",
    "~/.wisper",
    "~",
    "",
    7,
    null,
  ];
  for (const path of open) expect(guardedPlaceOf(path, around), String(path)).toBeNull();
});

test("a link that leads nowhere yet is followed to where a file would come to stand", () => {
  const around = placeOfFiles();
  const { root } = around;
  const at = (name: string): string => join(root, name);
  mkdirSync(at("hidden"));
  symlinkSync("a/.git/hooks/pre-commit", at("notes.txt"));
  symlinkSync("notes.txt", at("further"));
  symlinkSync(join(around.home, "policy.json"), at("rules"));
  symlinkSync(at("gone/.ssh"), at("way"));
  symlinkSync("round", at("round"));
  symlinkSync("a/new.txt", at("open"));
  for (const name of ["notes.txt", "further", "rules", "way/id", "way"]) {
    expect(guardedPlaceOf(name, around), name).not.toBeNull();
    expect(guardedPlaceOf(at(name), around), name).not.toBeNull();
  }
  for (const name of ["open", "round", "a/new", "gone/new"])
    expect(guardedPlaceOf(at(name), around), name).toBeNull();
});

test("the home of wisp is the same directory under any name that leads there", () => {
  const around = placeOfFiles();
  const other = join(around.homeDirectory, "WISP~1");
  renameSync(around.home, other);
  symlinkSync(other, around.home);
  expect(guardedPlaceOf(join(other, "policy.json"), around)).toBe("the home of wisp");
  expect(guardedPlaceOf(join(around.homeDirectory, "wisp-1"), around)).toBeNull();
});

test("what is moved takes along what lies below it", () => {
  const around = placeOfFiles();
  const { root, homeDirectory } = around;
  for (const path of [homeDirectory, dirname(homeDirectory), "/", "..", "~"]) {
    expect(guardedPlaceBelow(path, around), path).toBe("the home of wisp");
  }
  expect(guardedPlaceBelow("~", { ...around, home: "/nowhere/wisp" })).toBe("the home of wisp");
  expect(guardedPlaceBelow("~/.ssh", around)).toBe(".ssh");
  for (const path of [root, "a", 7, null]) expect(guardedPlaceBelow(path, around)).toBeNull();
  mkdirSync(join(root, "c/deep/.git"), { recursive: true });
  expect(["c", "c/deep"].map((name) => holdsGuarded(join(root, name), around))).toEqual([true, true]);
  expect(["a", "a/b", "new"].map((name) => holdsGuarded(join(root, name), around))).toEqual(
    Array(3).fill(false),
  );
  // Only the server knows where it starts.
  expect(holdsGuarded("a", around)).toBe(true);
});

test("what cannot be looked through to its end counts as a tree that holds one", () => {
  const around = placeOfFiles();
  const { root } = around;
  symlinkSync("round", join(root, "round"));
  expect(holdsGuarded(join(root, "round"), around)).toBe(true);
  writeFileSync(join(root, "a/file"), "x");
  expect(holdsGuarded(join(root, "a"), around)).toBe(false);
  expect(holdsGuarded(join(root, "a/file"), around)).toBe(false);
  for (let index = 0; index < 5_000; index += 1) linkSync(join(root, "a/file"), join(root, `c/${index}`));
  expect(holdsGuarded(join(root, "c"), around)).toBe(false);
  mkdirSync(join(root, "c/0.more"));
  expect(holdsGuarded(join(root, "c"), around)).toBe(true);
});

test("a name is written otherwise where its directory has the same one in other characters alone", () => {
  const around = placeOfFiles();
  const { root } = around;
  const [composed, parted] = ["caf\u00e9", "cafe\u0301"];
  writeFileSync(join(root, parted), "x");
  expect(isWrittenOtherwise(join(root, composed), around)).toBe(true);
  expect(isWrittenOtherwise(join(root, composed, "below"), around)).toBe(true);
  for (const path of [join(root, parted), join(root, "cafe"), join(root, parted, "x"), "x", 7])
    expect(isWrittenOtherwise(path, around), String(path)).toBe(false);
});

test("a move of a tree that holds one is refused or always asks", () => {
  const around = placeOfFiles();
  const { root, homeDirectory } = around;
  mkdirSync(join(root, "a/b/.git"));
  const preset = presetNamed("filesystem", around);
  const move = (source: string, destination: string) => ({
    tool: "move_file",
    arguments: { source, destination },
  });
  expect(preset.guardedIn(move(homeDirectory, "/tmp/zz"))?.place).toBe("the home of wisp");
  const repository = move(join(root, "a/b"), join(root, "a/d"));
  expect(preset.guardedIn(repository)).toBeNull();
  const whys = (call: typeof repository) => preset.floorsOf(call).map(({ why }) => why);
  const carried = "moves a directory, with all that is in it";
  expect(whys(repository)).toEqual([carried, expect.stringContaining("moves a .git or .ssh along")]);
  mkdirSync(join(root, "a/e"));
  expect(whys(move(join(root, "a/e"), join(root, "a/f")))).toEqual([carried]);
  writeFileSync(join(root, "a/f"), "");
  expect(whys(move(join(root, "a/f"), join(root, "a/g")))).toEqual([]);
});

test("for one call each place is looked at once, from however many starts it is named", () => {
  const around = placeOfFiles();
  const starts = { ...around, roots: [around.root, around.directory, around.root] };
  const looked: string[] = [];
  const look = callLook((path) => {
    looked.push(path);
    return lstatSync(path, { throwIfNoEntry: false });
  });
  const path = join(around.root, "a/b");
  expect(guardedPlaceOf(path, starts, look)).toBeNull();
  expect(isWrittenOtherwise(path, starts, look)).toBe(false);
  expect(guardedPlaceBelow(path, starts, look)).toBeNull();
  expect(looked).toContain(path);
  expect(new Set(looked).size).toBe(looked.length);
  expect(guardedPlaceOf(join(around.home, "x"), starts, look)).toBe("the home of wisp");
});

test("the usual home is one of them, too, where another is in use", () => {
  const around = placeOfFiles();
  const home = join(around.root, "elsewhere");
  const usual = join(around.homeDirectory, ".wisp");
  for (const path of [join(usual, "keys/root"), join(home, "keys/root")])
    expect(guardedPlaceOf(path, { ...around, home }), path).toBe("the home of wisp");
  expect(guardedPlaceBelow(around.homeDirectory, { ...around, home })).toBe("the home of wisp");
  expect(guardedPlaceOf(join(around.root, "a/b"), { ...around, home })).toBeNull();
});
