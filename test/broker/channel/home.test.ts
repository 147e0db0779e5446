import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ensureHome, homeAt, isHomeMade, judgeHome, resolveHome } from "../../../src/broker/channel/home.js";
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

test.each(["", "relative/home"])("HOME=%j does not put the home into the working directory", (named) => {
  const before = process.env.HOME;
  process.env.HOME = named;
  try {
    expect(resolveHome({}, "/").path).toBe(join(userInfo().homedir, ".wisp"));
  } finally {
    process.env.HOME = before;
  }
});

test("a home inside a work tree around the repository of the working directory is refused", () => {
  const outer = tempDirectory();
  const inner = join(outer, "vendor", "inner");
  mkdirSync(join(outer, ".git"));
  mkdirSync(join(inner, ".git"), { recursive: true });
  expect(() => resolveHome({ WISP_HOME: join(outer, "home") }, inner)).toThrow(unsafe);
  expect(resolveHome({ WISP_HOME: `${outer}-beside` }, inner).path).toBe(`${outer}-beside`);
});

test("a directory that is not ours is not to be repaired: another is to be named", () => {
  const path = mkdtempSync(join(tempDirectory(), "theirs-"));
  chmodSync(path, 0o755);
  writeFileSync(join(path, "notes.txt"), "");
  const home = homeAt(path, false);
  const fix = "Set WISP_HOME to a directory of your own, or unset it.";
  expect(() => ensureHome(home, systemClock)).toThrow(
    expect.objectContaining({ code: "channel_unsafe", fix }),
  );
  expect(() => judgeHome(home)).toThrow(expect.objectContaining({ code: "channel_unsafe", fix }));
  writeFileSync(join(path, "format"), "wisp-broker 1\n", { mode: 0o600 });
  expect(() => judgeHome(home)).toThrow(expect.objectContaining({ fix: `chmod 700 ${path}` }));
});

test.each([[[]], [["policy.json"]], [["config.json", "policy.json"]]])(
  "a directory of the person's own that is open to others, with %j in it, is to be closed, and is a home then",
  (names) => {
    const path = mkdtempSync(join(tempDirectory(), "mine-"));
    for (const name of names) writeFileSync(join(path, name), "{}", { mode: 0o600 });
    chmodSync(path, 0o755);
    const home = homeAt(path, false);
    for (const judge of [() => ensureHome(home, systemClock), () => judgeHome(home)]) {
      expect(judge).toThrow(expect.objectContaining({ code: "channel_unsafe", fix: `chmod 700 ${path}` }));
    }
    chmodSync(path, 0o700);
    expect(ensureHome(home, systemClock)).toBe(path);
  },
);

test("a mark that others can read says so and how to close it, not that the home is somebody else's", () => {
  const home = tempHome();
  ensureHome(home, systemClock);
  const mark = join(home.path, "format");
  chmodSync(mark, 0o644);
  expect(() => ensureHome(home, systemClock)).toThrow(
    expect.objectContaining({ message: `${mark}: open to others.`, fix: `chmod 600 ${mark}` }),
  );
  chmodSync(mark, 0o600);
  expect(ensureHome(home, systemClock)).toBe(home.path);
});

test("a home that is a dangling link is there and refused, not absent", () => {
  const home = tempHome();
  symlinkSync("/nowhere", home.path);
  expect(isHomeMade(home)).toBe(true);
  expect(() => judgeHome(home)).toThrow(unsafe);
});
