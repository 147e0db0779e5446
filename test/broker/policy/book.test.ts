/** Whose files count, when, and what becomes of those that cannot be used. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { sealedPath } from "../../../src/broker/files/sealed.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { named } from "../../support/attack-cases.js";
import { looksBelow } from "../../support/fs-counter.js";
import { acceptedHome, type PolicyHome, policyHome } from "../../support/policy-home.js";

const base = { deny: ["Bash(bad *)"], ask: ["Bash(odd *)"], allow: ["Bash(ls *)"] };
const fileOf = (home: PolicyHome): string => join(home.path, "policy.json");

/** Puts something else in the place of a file. */
function instead(path: string, make: () => void): void {
  rmSync(path);
  make();
}

describe("the person's file", () => {
  it("denies and asks at once, and allows once it was accepted", async () => {
    const home = policyHome();
    home.write(base);
    expect(home.line("bad")).toMatchObject({ name: "deny" });
    expect(home.line("ls")).toMatchObject({
      name: "ask",
      notices: ["policy.json: 1 looser rule waits for: wisp accept"],
    });
    await home.accept();
    expect(home.line("ls")).toMatchObject({
      name: "allow",
      notices: [],
      rule: { file: "policy.json", line: 10 },
    });
  });

  it("that was changed since counts by the stricter of both", async () => {
    const home = await acceptedHome(base);
    home.write({ deny: ["Bash(ls *)"], allow: ["Bash(bad *)", "Bash(odd *)", "Bash(cat *)"] });
    for (const [line, name] of [
      ["ls", "deny"],
      ["bad", "deny"],
      ["odd", "ask"],
      ["cat", "ask"],
    ] as const) {
      expect(home.line(line), line).toMatchObject({ name });
    }
    expect(home.line("ls").notices).toEqual(["policy.json: 5 looser rules wait for: wisp accept"]);
    expect(home.policy.standing().files[0]).toMatchObject({ looser: 5, tighter: 2, rules: 4, fault: null });
    home.write(base);
    expect(home.line("ls")).toMatchObject({ name: "allow", notices: [] });
  });

  it("that was changed in its order alone keeps the stricter level and the narrower yes", async () => {
    const high = { rule: "Bash(odd *)", level: "high", maxScope: "once" };
    const low = { rule: "Bash(odd x)", level: "low" };
    const home = await acceptedHome({ ask: [high, low] });
    home.write({ ask: [low, high] });
    expect(home.line("odd x")).toMatchObject({ level: "high", maxScope: "once" });
    expect(home.line("odd x").notices).toEqual([
      "policy.json: another order of rules waits for: wisp accept",
    ]);
    expect(home.policy.standing().files[0]).toMatchObject({ looser: 0, waits: "another order of rules" });
    await home.accept();
    expect(home.line("odd x")).toMatchObject({ level: "low", maxScope: "always", notices: [] });
  });

  it("that was changed in its order beside what is tighter says both, and keeps the stricter level", async () => {
    const high = { rule: "Bash(odd *)", level: "high" };
    const low = { rule: "Bash(odd x)", level: "low" };
    const home = await acceptedHome({ ask: [high, low], allow: ["Bash(ls)"] });
    home.write({ deny: ["Bash(bad *)"], ask: [low, high], allow: ["Bash(ls)", "Bash(cat)"] });
    expect(home.line("odd x")).toMatchObject({ level: "high" });
    expect(home.line("bad")).toMatchObject({ name: "deny" });
    expect(home.line("ls").notices).toEqual([
      "policy.json: 1 looser rule and another order of rules wait for: wisp accept",
    ]);
  });

  it("in which a rule that asks takes the place of a stricter one keeps that until it is accepted", async () => {
    const home = await acceptedHome({ ask: [{ rule: "Bash(odd *)", maxScope: "once" }] });
    home.write({ ask: ["Bash(odd *)", { rule: "Bash(odd *)", maxScope: "once" }] });
    expect(home.line("odd x")).toMatchObject({
      maxScope: "once",
      notices: ["policy.json: 1 rule that may be looser waits for: wisp accept"],
    });
    home.write({
      ask: [
        { rule: "Bash(odd *)", maxScope: "once" },
        { rule: "Bash(ls)", level: "low" },
      ],
    });
    expect(home.policy.standing().files[0]).toMatchObject({ waits: "1 rule that may be looser" });
    home.write({ ask: [{ rule: "Bash(odd *)", maxScope: "once" }, "Bash(ls)"] });
    expect(home.policy.standing().files[0]).toMatchObject({ waits: null, tighter: 1 });
    home.write({
      ask: [
        { rule: "Bash(odd *)", maxScope: "once" },
        { rule: "Bash(ls)", level: "high" },
      ],
    });
    expect(home.policy.standing().files[0]).toMatchObject({ waits: null, tighter: 1 });
  });

  it("that says the same rules again, or denies and allows in another order, waits for nothing", async () => {
    const home = await acceptedHome({
      deny: ["Bash(bad)", "Bash(bad *)"],
      allow: ["Bash(ls *)", "Bash(cat)"],
    });
    home.write({
      deny: ["Bash(bad *)", "Bash(bad)", "Bash(bad)"],
      allow: ["Bash(cat)", "Bash(ls *)", "Bash(ls *)", "Bash(cat)"],
    });
    expect(home.line("ls")).toMatchObject({ name: "allow", notices: [] });
    expect(home.policy.standing().files[0]).toMatchObject({ waits: null, looser: 0, tighter: 0 });
  });

  it("that was removed still denies what it denied, and allows nothing", async () => {
    const home = await acceptedHome(base);
    rmSync(fileOf(home));
    expect(home.line("bad")).toMatchObject({ name: "deny", rule: { file: "policy.json", line: null } });
    expect(home.line("ls")).toMatchObject({ name: "ask" });
    home.write(base);
    expect(home.line("ls")).toMatchObject({ name: "allow" });
  });

  test.each<[string, (path: string) => void, string]>([
    [
      "half written",
      (path) => writeFileSync(path, '{ "permissions": { "allow": ['),
      "policy.json:1: not JSON",
    ],
    ["huge", (path) => truncateSync(path, 2 * 1024 * 1024), "too large"],
    ["with an unknown key", (path) => writeFileSync(path, '{ "permissions": {}, "x": 1 }'), "x is no key"],
    ["a link", (path) => instead(path, () => symlinkSync("/etc/hostname", path)), "symbolic link"],
    [
      "a FIFO",
      (path) => instead(path, () => execFileSync("mkfifo", ["-m", "600", path])),
      "not a regular file",
    ],
    ["a directory", (path) => instead(path, () => mkdirSync(path)), "not a regular file"],
    ["open to others", (path) => chmodSync(path, 0o644), "open to others"],
    ["not UTF-8", (path) => writeFileSync(path, Buffer.from([0x7b, 0xff])), "not valid UTF-8"],
    [
      "with a failing self-test",
      (path) =>
        writeFileSync(
          path,
          JSON.stringify({ permissions: { allow: [{ rule: "Bash(ls)", match: ["cat"] }] } }),
        ),
      "does not match cat",
    ],
  ])("that is %s makes everything ask, once, and what was denied is denied", async (_what, spoil, why) => {
    const home = await acceptedHome(base);
    spoil(fileOf(home));
    const verdict = home.line("ls");
    expect(verdict).toMatchObject({ name: "ask", maxScope: "once", isFaulty: true, offers: [] });
    expect(verdict.reasons).toContain("a file of rules cannot be used");
    expect(verdict.notices.join()).toContain(why);
    expect(home.line("bad")).toMatchObject({ name: "deny" });
    expect(home.policy.standing().files[0]?.fault).toMatchObject({ code: "policy_invalid" });
    rmSync(fileOf(home), { recursive: true, force: true });
    home.write(base);
    expect(home.line("ls")).toMatchObject({ name: "allow", isFaulty: false });
  });

  it.runIf(process.geteuid?.() === 0)("that belongs to another account makes everything ask", async () => {
    const home = await acceptedHome(base);
    chownSync(fileOf(home), 12_345, 12_345);
    expect(home.line("ls").notices.join()).toContain("another owner");
    chownSync(fileOf(home), 0, 0);
    expect(home.line("ls")).toMatchObject({ name: "allow" });
  });

  it("is read again as long as a change may have left no trace, and not after that", async () => {
    for (const [now, isRead] of [
      [0, true],
      [Number.MAX_SAFE_INTEGER, false],
    ] as const) {
      const home = await acceptedHome(base, { clock: { ...systemClock, now: () => now } });
      const allowed = () => expect(home.line("ls")).toMatchObject({ name: "allow" });
      allowed();
      expect(looksBelow(home.path, allowed).opened > 0, String(now)).toBe(isRead);
    }
  });

  test.each<[string, string, (sealed: string) => void | Promise<void>]>([
    ["removed", "1 looser rule waits", (sealed) => rmSync(sealed)],
    ["edited", "not as wisp writes it", (sealed) => writeFileSync(sealed, "{}")],
    ["open to others", "open to others", (sealed) => chmodSync(sealed, 0o644)],
    [
      "of another home",
      "its seal is not ours",
      async (sealed) => copyFileSync(sealedPath((await acceptedHome(base)).path, "policy.json"), sealed),
    ],
  ])("counts as never accepted where its sealed copy is %s, and says so", async (_what, why, spoil) => {
    const home = await acceptedHome(base);
    expect(home.line("ls")).toMatchObject({ name: "allow", notices: [] });
    await spoil(sealedPath(home.path, "policy.json"));
    expect(home.line("ls")).toMatchObject({ name: "ask" });
    expect(home.line("ls").notices.join()).toContain(why);
    expect(home.line("bad")).toMatchObject({ name: "deny" });
    await home.accept();
    expect(home.line("ls")).toMatchObject({ name: "allow", notices: [] });
  });
});

describe("a project's file", () => {
  it("denies and asks in its directory and below it, also by a link into it", async () => {
    const home = await acceptedHome(base);
    home.writeProject({ deny: ["Bash(ls *)"], ask: [{ rule: "Bash(cat *)", level: "high" }] });
    const below = join(home.project, "a/b");
    mkdirSync(below, { recursive: true });
    symlinkSync(below, join(home.homeDirectory, "link"));
    for (const directory of [home.project, below, join(home.homeDirectory, "link")]) {
      expect(home.line("ls", { directory }), directory).toMatchObject({
        name: "deny",
        rule: { file: join(home.project, ".wisp/policy.json"), line: 4 },
      });
    }
  });

  it("counts where the server was started, too, and no longer once it is gone", async () => {
    const home = await acceptedHome(base);
    const path = home.writeProject({ deny: ["Bash(ls *)"] });
    expect(home.line("ls", { directory: "/" })).toMatchObject({ name: "deny" });
    rmSync(path);
    expect(home.line("ls", { directory: "/" })).toMatchObject({ name: "allow" });
  });

  test.each([
    ["a list", JSON.stringify({ permissions: { allow: ["*"], deny: ["Bash(cat *)"] } })],
    [
      "an object",
      JSON.stringify({ permissions: { allow: [{ rule: "*", when: 1 }], deny: ["Bash(cat *)"] } }),
    ],
  ])(
    `${named("case-066")} as %s: it only makes stricter, and what would loosen is named`,
    async (_what, text) => {
      const home = await acceptedHome({ ...base, ask: ["Bash(x *)"] });
      const path = home.writeProject(text);
      expect(home.line("npm test")).toMatchObject({ name: "ask" });
      expect(home.line("npm test").notices).toEqual([`${path}:1: a project's file allows nothing: *`]);
      expect(home.line("cat x")).toMatchObject({ name: "deny" });
      expect(home.line("ls")).toMatchObject({ name: "allow" });
    },
  );

  it("raises a level and narrows a yes, and never the other way round", async () => {
    const home = await acceptedHome({
      ask: [{ rule: "Bash(x *)", level: "high", maxScope: "session" }, "Bash(y *)"],
    });
    home.writeProject({
      ask: [
        { rule: "Bash(x *)", level: "low", maxScope: "always" },
        { rule: "Bash(y *)", level: "high", maxScope: "once" },
      ],
    });
    expect(home.line("x")).toMatchObject({
      level: "high",
      maxScope: "session",
      rule: { file: "policy.json" },
    });
    expect(home.line("y")).toMatchObject({ level: "high", maxScope: "once" });
  });

  it.each([
    ["faulty", (path: string) => writeFileSync(path, "{")],
    ["with an allow list beside permissions", (path: string) => writeFileSync(path, '{"allow": ["*"]}')],
    ["a link", (path: string) => instead(path, () => symlinkSync("/etc/hostname", path))],
    ["a FIFO", (path: string) => instead(path, () => execFileSync("mkfifo", [path]))],
    ["huge", (path: string) => truncateSync(path, 300 * 1024)],
  ])("that is %s makes everything ask there", async (_what, spoil) => {
    const home = await acceptedHome(base);
    const path = home.writeProject({ deny: ["Bash(x)"] });
    spoil(path);
    expect(home.line("ls")).toMatchObject({ name: "ask", isFaulty: true, maxScope: "once" });
    expect(home.line("ls").notices.join()).toContain(path);
    expect(home.line("bad")).toMatchObject({ name: "deny" });
    rmSync(path);
    expect(home.line("ls")).toMatchObject({ name: "allow" });
  });

  it("is never the home of wisp itself", async () => {
    const home = await acceptedHome(base);
    const own = join(home.homeDirectory, ".wisp");
    mkdirSync(own);
    writeFileSync(join(own, "policy.json"), "{");
    expect(home.line("ls")).toMatchObject({ name: "allow", isFaulty: false });
  });
});

describe("a path in a rule", () => {
  it("is judged as the file that it leads to, under one name only", async () => {
    const home = await acceptedHome({
      allow: [
        "Read(~/project/**)",
        { rule: "mcp__fs__read", when: [{ arg: "$.path", glob: "~/project/**" }] },
      ],
    });
    const secret = join(home.homeDirectory, "secret");
    writeFileSync(secret, "x");
    writeFileSync(join(home.project, "good"), "x");
    symlinkSync(secret, join(home.project, "link"));
    symlinkSync(join(home.homeDirectory, "not-there"), join(home.project, "dangling"));
    linkSync(secret, join(home.project, "second-name"));
    symlinkSync("/etc", join(home.project, "up"));
    const read = (name: string): string => home.tool("Read", { file_path: name }).name;
    const server = (path: unknown): string => home.tool("mcp__fs__read", { path }).name;
    for (const name of [
      "link",
      "dangling",
      "second-name",
      "up/hosts",
      "../secret",
      "up/../good",
      "/etc/hosts",
      "~/project/good",
      "",
    ]) {
      expect([name, read(name), server(name)]).toEqual([name, "ask", "ask"]);
    }
    for (const name of ["good", "./good", join(home.project, "good"), "new/one"]) {
      expect([name, read(name), server(name)]).toEqual([name, "allow", "allow"]);
    }
    expect(server(["good"])).toBe("ask");
    expect(server(undefined)).toBe("ask");
  });

  it("that makes stricter is meant as it reads and as it leads, with all below it, for all tools that do the same", async () => {
    const home = await acceptedHome({
      deny: [
        "Read(~/.ssh)",
        "Edit(~/project/locked/**)",
        { rule: "mcp__fs", when: [{ arg: "$.path", glob: "~/.ssh/**" }] },
      ],
      allow: ["Read", "Grep", "Write", "mcp__fs"],
    });
    mkdirSync(join(home.homeDirectory, ".ssh"));
    symlinkSync(join(home.homeDirectory, ".ssh"), join(home.project, "keys"));
    for (const path of [
      "~/.ssh/id",
      "keys/id",
      "../.ssh/id",
      "x/../../.ssh/id",
      join(home.homeDirectory, ".ssh"),
    ]) {
      expect([path, home.tool("Read", { file_path: path }).name]).toEqual([path, "deny"]);
      expect([path, home.tool("mcp__fs__read", { path: [path] }).name]).toEqual([path, "deny"]);
    }
    expect(home.tool("Grep", { path: "keys" }).name).toBe("deny");
    expect(home.tool("Write", { file_path: "locked/x" }).name).toBe("deny");
    expect(home.tool("Read", { file_path: "good" }).name).toBe("allow");
    expect(home.tool("Write", { file_path: "good" }).name).toBe("allow");
  });
});
