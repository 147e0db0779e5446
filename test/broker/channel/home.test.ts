import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ensureHome, resolveHome } from "../../../src/broker/channel/home.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { tempDirectory, tempHome } from "../../support/temp-home.js";

const unsafe = expect.objectContaining({ code: "channel_unsafe" });

test("without the variable, or with an empty one, the home is ~/.wisp", () => {
  const standard = join(homedir(), ".wisp");
  expect(resolveHome({}, "/")).toMatchObject({ path: standard, isDefault: true });
  expect(resolveHome({ WISP_HOME: "" }, "/")).toMatchObject({ path: standard, isDefault: true });
  expect(resolveHome({ WISP_HOME: standard }, "/")).toMatchObject({ path: standard, isDefault: true });
});

test("an absolute path elsewhere is a home of its own, with every place inside it", () => {
  const home = resolveHome({ WISP_HOME: "/var/x/../wisp" }, "/");
  expect(home).toMatchObject({ path: "/var/wisp", isDefault: false, pending: "/var/wisp/pending" });
});

test.each(["wisp", "./wisp", "~/wisp", " /wisp"])("WISP_HOME=%j is refused: it is not absolute", (named) => {
  expect(() => resolveHome({ WISP_HOME: named }, "/")).toThrow(unsafe);
});

test("a home inside the git work tree of the working directory is refused, also through a link", () => {
  const tree = tempDirectory();
  mkdirSync(join(tree, ".git"));
  mkdirSync(join(tree, "src"));
  symlinkSync(tree, `${tree}.link`);
  try {
    for (const named of [
      tree,
      join(tree, "home"),
      join(tree, "src", "deep", "home"),
      join(`${tree}.link`, "home"),
    ]) {
      expect(() => resolveHome({ WISP_HOME: named }, join(tree, "src"))).toThrow(unsafe);
    }
    expect(resolveHome({ WISP_HOME: `${tree}-beside` }, join(tree, "src")).path).toBe(`${tree}-beside`);
    expect(resolveHome({ WISP_HOME: join(tree, "home") }, tmpdir()).path).toBe(join(tree, "home"));
  } finally {
    rmSync(`${tree}.link`);
  }
});

test("the home is marked when it is made, and the mark is read again", () => {
  const home = tempHome();
  expect(ensureHome(home, systemClock)).toBe(home.path);
  expect(readFileSync(join(home.path, "format"), "utf8")).toBe("wisp-broker 1\n");
  expect(ensureHome(home, systemClock)).toBe(home.path);
});

test.each(["wisp-broker 2\n", "another program\n", "", "wisp-broker 1 and more"])(
  "a home marked %j is refused",
  (mark) => {
    const home = tempHome();
    mkdirSync(home.path, { mode: 0o700 });
    writeFileSync(join(home.path, "format"), mark, { mode: 0o600 });
    expect(() => ensureHome(home, systemClock)).toThrow(unsafe);
    writeFileSync(join(home.path, "format"), "wisp-broker 1");
    expect(ensureHome(home, systemClock)).toBe(home.path);
  },
);

test("an unmarked home with nothing foreign in it becomes ours", () => {
  const path = mkdtempSync(join(tempDirectory(), "home-"));
  const home = { ...tempHome(), path, pending: join(path, "pending") };
  mkdirSync(home.pending, { mode: 0o700 });
  writeFileSync(join(home.pending, "notes.txt"), "");
  expect(ensureHome(home, systemClock)).toBe(path);
});
