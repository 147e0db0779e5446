/** What a path leads to, looked at name by name: the same that the system says of it as a whole. */
import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { callLook } from "../../../src/broker/policy/call-look.js";
import { landingOf, pathLook } from "../../../src/broker/policy/path-look.js";

function place(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "wisp-look-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "a/b"), { recursive: true });
  writeFileSync(join(root, "a/file"), "x");
  writeFileSync(join(root, "a/second"), "x");
  linkSync(join(root, "a/second"), join(root, "a/other"));
  symlinkSync(join(root, "a"), join(root, "to-a"));
  symlinkSync("b", join(root, "a/to-b"));
  symlinkSync("nowhere/x", join(root, "a/dangling"));
  symlinkSync("loop", join(root, "a/loop"));
  return root;
}

const below = [
  ...[
    "",
    "/",
    "/a",
    "/a/",
    "/a/b",
    "/a/file",
    "/a/second",
    "/a/other",
    "/a/file/x",
    "/a/none",
    "/a/none/x/y",
  ],
  ...[
    "/to-a",
    "/to-a/",
    "/to-a/b",
    "/to-a/to-b",
    "/to-a/to-b/x",
    "/a/to-b/../file",
    "/to-a/..",
    "/a/./b",
    "/a//b",
  ],
  ...["/a/dangling", "/a/dangling/x", "/a/loop", "/a/loop/x", "/none/../a", "/a/\0", `/a/${"n".repeat(300)}`],
  ...[`/none/${"n".repeat(300)}`, `/none/${"n/".repeat(2_100)}x`, "/a/...", "/a/.b", "/a/b..", "/a/\ud800"],
];

describe("a look for one call", () => {
  it("says of each path what the system says of it", () => {
    const root = place();
    const paths = [...below.map((path) => `${root}${path}`), "/", "//", "/.", "/..", "", ".", "a/b"];
    const all = callLook();
    for (const path of paths) {
      for (const look of [all, callLook()]) {
        expect(look.real(path), path).toBe(pathLook.real(path));
        expect(look.landing(path), path).toBe(landingOf(path));
        expect(look.isLink(path), path).toBe(pathLook.isLink(path));
        expect(look.hasOtherNames(path), path).toBe(pathLook.hasOtherNames(path));
      }
    }
  });

  it("knows a directory under each of its names, and nothing that is not there", () => {
    const root = place();
    const look = callLook();
    const names = ["/a/b", "/to-a/b", "/a/to-b", "/to-a/to-b"].map((path) => `${root}${path}`);
    for (const one of names) {
      for (const other of names) {
        expect(look.isWithin(one, other)).toBe(true);
        expect(look.isWithin(`${one}/none/x`, other)).toBe(true);
      }
    }
    for (const path of ["/a", "/a/none", "/a/dangling", "/a/loop", "/a/file/x"]) {
      expect(look.isWithin(`${root}${path}`, join(root, "a/b")), path).toBe(false);
    }
    expect(look.isWithin(join(root, "a"), "/")).toBe(true);
    expect(look.isWithin(join(root, "none"), join(root, "none"))).toBe(false);
    const found = ["/a/b", "/a/dangling", "/none", "/a/file/x"].filter((path) =>
      look.isFound(`${root}${path}`),
    );
    expect(found).toEqual(["/a/b"]);
  });

  it("does not take two directories for one because their numbers cannot be told apart", () => {
    const root = place();
    // As 64-bit inodes beyond 2^53 come to: the same number for both.
    const look = callLook((path) => {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      return stats && Object.assign(stats, { dev: 1, ino: 2 ** 60 });
    });
    expect(look.isWithin(join(root, "a"), join(root, "a/b"))).toBe(false);
    expect(look.isWithin(join(root, "a/b"), join(root, "a/b"))).toBe(true);
  });

  it("looks at each name once", () => {
    const root = place();
    const looked: string[] = [];
    const look = callLook((path) => {
      looked.push(path);
      return lstatSync(path, { throwIfNoEntry: false });
    });
    for (const path of below) look.landing(`${root}${path}`);
    for (const path of below) look.isLink(`${root}${path}`);
    expect(new Set(looked).size).toBe(looked.length);
    expect(look.real(join(root, "a/b"))).toBe(join(root, "a/b"));
  });
});
