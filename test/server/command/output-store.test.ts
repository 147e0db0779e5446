import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { outputStore } from "../../../src/server/command/output-store.js";
import { tempDirectory } from "../../support/temp-home.js";

let home: string;
beforeEach(() => {
  home = tempDirectory();
});

const modeOf = (path: string) => lstatSync(path).mode & 0o7777;

function keep(id: string, text: string): string {
  const file = outputStore(home, id).create("stdout");
  file.append(Buffer.from(text));
  file.append(Buffer.from(text));
  file.close();
  return file.path;
}

describe("a whole output", () => {
  it("is a private file named after its request, in a private directory", () => {
    const path = keep("k7q2mx9d", "text\n");
    expect(path).toBe(join(home, "output", "k7q2mx9d.stdout"));
    expect(readFileSync(path, "utf8")).toBe("text\ntext\n");
    expect(modeOf(path)).toBe(0o600);
    expect(modeOf(join(home, "output"))).toBe(0o700);
  });

  it("of each run that one yes allowed is a file of its own, and none is lost", () => {
    const paths = ["first\n", "second\n", "third\n"].map((text) => keep("k7q2mx9d", text));
    expect(paths.map((path) => path.slice(join(home, "output").length + 1))).toEqual([
      "k7q2mx9d.stdout",
      "k7q2mx9d.2.stdout",
      "k7q2mx9d.3.stdout",
    ]);
    expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual([
      "first\nfirst\n",
      "second\nsecond\n",
      "third\nthird\n",
    ]);
  });

  it("makes nothing before there is one", () => {
    outputStore(home, "k7q2mx9d");
    expect(existsSync(join(home, "output"))).toBe(false);
  });

  it.each([0o000, 0o777])("has the same modes under a mask of %o", (mask) => {
    const before = process.umask(mask);
    try {
      keep("k7q2mx9d", "text\n");
    } finally {
      process.umask(before);
    }
    expect(modeOf(join(home, "output", "k7q2mx9d.stdout"))).toBe(0o600);
    expect(modeOf(join(home, "output"))).toBe(0o700);
  });

  it.each(["../../x", "", "K7Q2MX9D", "a/b", "short"])("is never kept under the id %j", (id) => {
    expect(() => keep(id, "text\n")).toThrow(TypeError);
    expect(existsSync(join(home, "output"))).toBe(false);
    keep("k7q2mx9d", "text\n");
  });

  it("makes room by removing the oldest of more than 20, and nothing that is no file", () => {
    mkdirSync(join(home, "output", "directory"), { recursive: true, mode: 0o700 });
    chmodSync(join(home, "output"), 0o700);
    const ids = Array.from({ length: 22 }, (_, index) => `k7q2mx${String(index).padStart(2, "0")}`);
    for (const [index, id] of ids.entries()) utimesSync(keep(id, "text\n"), index, index);
    const kept = readdirSync(join(home, "output")).sort();
    expect(kept).toEqual(["directory", ...ids.slice(2).map((id) => `${id}.stdout`)]);
  });

  it("goes beside a file or a link that stands there, never into it", () => {
    mkdirSync(join(home, "output"), { mode: 0o700 });
    writeFileSync(join(home, "victim"), "mine");
    symlinkSync(join(home, "victim"), join(home, "output", "k7q2mx9d.stdout"));
    writeFileSync(join(home, "output", "m7q2mx9d.stdout"), "mine");
    for (const id of ["k7q2mx9d", "m7q2mx9d"]) expect(keep(id, "text\n"), id).toMatch(`${id}.2.stdout`);
    expect(readFileSync(join(home, "victim"), "utf8")).toBe("mine");
    expect(readFileSync(join(home, "output", "m7q2mx9d.stdout"), "utf8")).toBe("mine");
    keep("n7q2mx9d", "text\n");
  });

  it("never goes into a directory that others can open", () => {
    mkdirSync(join(home, "open"), { mode: 0o700 });
    mkdirSync(join(home, "output"), { mode: 0o755 });
    expect(() => keep("k7q2mx9d", "text\n")).toThrow(/open to other/);
    home = join(home, "open");
    keep("k7q2mx9d", "text\n");
  });
});
