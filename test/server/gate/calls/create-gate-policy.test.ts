/** What becomes of a call at a gate: rules, then what is known of the server, then floors and pins. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { named } from "../../../support/attack-cases.js";
import { judgingGate, presetNamed, toolDefinition } from "../../../support/gate-calls.js";
import { acceptedHome, policyHome } from "../../../support/policy-home.js";
import { tempDirectory } from "../../../support/temp-home.js";

const hinted = toolDefinition("wipe", { isReadOnly: true });
const bound = { paths: ["$.path"], git: [], probe: null };

describe("a call of a server that nothing is known of", () => {
  it("asks where no rule speaks, and nothing says what is bound", () => {
    const ruling = judgingGate(policyHome())("write_file");
    expect(ruling).toMatchObject({
      verdict: { name: "ask", level: "moderate", maxScope: "session", rule: { list: "threshold" } },
      state: null,
      isBeyondReading: false,
    });
  });

  it("is denied, asked about and allowed by the person's rules, in this order", async () => {
    const home = await acceptedHome({
      deny: [{ rule: "mcp__fs__wipe", reason: "never" }],
      ask: [{ rule: "mcp__fs__w*", level: "high", state: { paths: ["$.path"] } }],
      allow: ["mcp__fs__*"],
    });
    const rule = judgingGate(home);
    expect(rule("wipe").verdict).toMatchObject({ name: "deny", denial: "never" });
    expect(rule("write")).toMatchObject({ verdict: { name: "ask", level: "high" }, state: bound });
    expect(rule("read").verdict).toMatchObject({ name: "allow", rule: { text: "mcp__fs__*" } });
  });

  it("is judged by the name of the gate and by its arguments", async () => {
    const home = await acceptedHome({
      allow: [{ rule: "mcp__fs__go", when: [{ arg: "$.to", equals: "here" }] }],
    });
    expect(judgingGate(home)("go", { to: "here" }).verdict.name).toBe("allow");
    expect(judgingGate(home)("go", { to: "there" }).verdict.name).toBe("ask");
    expect(judgingGate(home, { name: "other" })("go", { to: "here" }).verdict.name).toBe("ask");
  });
});

describe("a hint of the server", () => {
  test(`${named("case-062")} asks: a hint never lowers a gate`, () => {
    const { verdict } = judgingGate(policyHome())(hinted);
    expect(verdict.name).toBe("ask");
    expect(verdict.reasons).toContain("the server says that it only reads");
  });

  it("lets pass what no rule and no preset speaks of, where the person trusts it", async () => {
    const home = await acceptedHome({ ask: ["mcp__fs__wipe"] });
    const trusting = { areHintsTrusted: true };
    expect(judgingGate(policyHome(), trusting)(hinted).verdict).toMatchObject({
      name: "allow",
      rule: { list: "threshold" },
    });
    expect(judgingGate(policyHome(), trusting)("wipe").verdict.name).toBe("ask");
    expect(judgingGate(home, trusting)(hinted).verdict.name).toBe("ask");
    const write = toolDefinition("write_file", { isReadOnly: true });
    expect(judgingGate(policyHome(), { ...trusting, preset: "filesystem" })(write).verdict.name).toBe("ask");
  });

  it("lets nothing pass while a file of rules cannot be used, however much it is trusted", () => {
    const home = policyHome();
    home.write("{");
    const rule = judgingGate(home, { areHintsTrusted: true });
    expect(rule(hinted).verdict).toMatchObject({ name: "ask", isFaulty: true });
    home.write({ allow: ["mcp__other"] });
    expect(rule(hinted).verdict.name).toBe("allow");
  });

  it("proves nothing to a gate that only reads", () => {
    const gate = judgingGate(policyHome(), { areHintsTrusted: true, isReadOnly: true });
    expect(gate(hinted).isBeyondReading).toBe(true);
  });
});

describe("a preset", () => {
  it("lets its reads pass, and asks about the rest with a level and a state", () => {
    const rule = judgingGate(policyHome(), { preset: "filesystem", roots: ["/srv"] });
    expect(rule("read_text_file", { path: "/srv/x" }).verdict).toMatchObject({
      name: "allow",
      rule: { text: "mcp__filesystem__read_text_file", file: "the preset filesystem" },
    });
    expect(rule("create_directory", { path: "/srv/x" })).toMatchObject({
      verdict: { name: "ask", level: "low", reasons: ["the preset filesystem asks"] },
      state: bound,
    });
    expect(rule("rewrite_disk")).toMatchObject({ verdict: { name: "ask" }, state: null });
  });

  it("says why a read that leads out of the directories of its server asks", () => {
    const home = policyHome();
    const judging = (roots: readonly string[]) => judgingGate(home, { preset: "filesystem", roots });
    const reasonsOf = (roots: readonly string[], path: string) =>
      judging(roots)("read_text_file", { path }).verdict.reasons;
    const asks = "no rule speaks of it, so it asks";
    expect(reasonsOf([], "/etc/hostname")).toEqual([asks, `leads out of ${home.project}`]);
    expect(reasonsOf(["/opt"], "/etc/hostname")).toEqual([
      asks,
      "leads out of the 2 directories that its server's command names",
    ]);
    const none = presetNamed("filesystem").outsideIn({ tool: "read_file", arguments: { path: "/srv/x" } });
    expect(none).toContain("command names no directory");
    expect(judging([])("unheard_of", { path: "/etc/hostname" }).verdict.reasons).toEqual([asks]);
    expect(reasonsOf(["/srv"], "/srv/x")).toEqual(["the preset filesystem says that it only reads"]);
  });

  it("speaks only where no rule does", async () => {
    const home = await acceptedHome({
      deny: ["mcp__fs__read_media_file"],
      ask: ["mcp__fs__read_text_file", { rule: "mcp__fs__edit_file", level: "high" }],
      allow: ["mcp__fs__create_directory"],
    });
    const rule = judgingGate(home, { preset: "filesystem" });
    expect(rule("read_media_file").verdict.name).toBe("deny");
    expect(rule("read_text_file").verdict.name).toBe("ask");
    expect(rule("edit_file", { path: "x" })).toMatchObject({ verdict: { level: "high" }, state: null });
    expect(rule("create_directory", { path: "/srv/new" }).verdict.name).toBe("allow");
    expect(rule("list_directory").verdict.name).toBe("allow");
  });

  it("loses nothing by the file of a project", () => {
    const home = policyHome();
    home.writeProject({ ask: ["mcp__fs__*"] });
    const rule = judgingGate(home, { preset: "filesystem" });
    expect(rule("write_file", { path: "/srv/x" })).toMatchObject({ verdict: { name: "ask" }, state: bound });
    expect(rule("read_text_file", { path: "/srv/x" }).verdict.name).toBe("ask");
  });

  it("lets nothing pass while a file of rules cannot be used", () => {
    const home = policyHome();
    home.write("{");
    const { verdict } = judgingGate(home, { preset: "filesystem" })("read_text_file");
    expect(verdict).toMatchObject({ name: "ask", isFaulty: true, maxScope: "once" });
    home.write({ allow: ["mcp__other"] });
    expect(judgingGate(home, { preset: "filesystem" })("read_text_file").verdict.name).toBe("allow");
  });

  it("opens no path that the person closed by naming others", async () => {
    const home = await acceptedHome({
      allow: [{ rule: "mcp__fs__read_text_file", when: [{ arg: "$.path", glob: "/srv/**" }] }],
    });
    const rule = judgingGate(home, { preset: "filesystem" });
    expect(rule("read_text_file", { path: "/srv/a" }).verdict.name).toBe("allow");
    expect(rule("read_text_file", { path: "/etc/passwd" }).verdict.name).toBe("ask");
  });
});

describe("what a preset's state leaves open", () => {
  const open = "what stands in the files is not bound; it is staged as it is then";
  const asked = { repo_path: ".", files: ["a"] };

  it("is said wherever a yes rests on that state, also by a floor and beside a project's file", async () => {
    const home = policyHome();
    const rule = judgingGate(home, { preset: "git" });
    const many = { ...asked, files: Array.from({ length: 51 }, (_, at) => `f${at}`) };
    for (const given of [asked, many]) expect(rule("git_add", given).verdict.reasons).toContain(open);
    expect(rule("git_commit", asked).verdict.reasons).toEqual(["the preset git asks"]);
    home.writeProject({ ask: ["mcp__fs__git_add"] });
    expect(judgingGate(home, { preset: "git" })("git_add", asked).verdict.reasons).toContain(open);
  });

  it("is not said where the person's own rule says what is bound, or lets the call pass", async () => {
    const state = { paths: ["/srv/x"] };
    const home = await acceptedHome({ ask: [{ rule: "mcp__fs__git_add", state }] });
    expect(judgingGate(home, { preset: "git" })("git_add", asked).verdict.reasons).not.toContain(open);
    const allowing = await acceptedHome({ allow: ["mcp__fs__git_add"] });
    const { name, reasons } = judgingGate(allowing, { preset: "git" })("git_add", asked).verdict;
    expect([name, reasons.includes(open)]).toEqual(["allow", false]);
  });
});

describe("a floor", () => {
  it("asks over a rule that allows, with the state that the preset knows", async () => {
    const home = await acceptedHome({ allow: ["mcp__fs__*"] });
    const rule = judgingGate(home, { preset: "filesystem" });
    const full = join(home.project, "full.txt");
    writeFileSync(full, "text");
    const { verdict, state } = rule("write_file", { path: full, content: "x" });
    expect(verdict).toMatchObject({ name: "ask", level: "high", rule: { list: "floor" } });
    expect(verdict.reasons).toEqual(["replaces a file that is not empty"]);
    expect(state).toEqual(bound);
    const fresh = join(home.project, "new.txt");
    expect(rule("write_file", { path: fresh, content: "x" }).verdict.name).toBe("allow");
  });

  it("makes what asks graver, and denies nothing more", async () => {
    const home = await acceptedHome({ deny: ["mcp__gh__delete_file"] });
    const rule = judgingGate(home, { name: "gh", preset: "github" });
    const { verdict } = rule("run_workflow", { owner: "a", repo: "b" });
    expect(verdict).toMatchObject({ name: "ask", level: "high" });
    expect(verdict.reasons).toContain("runs a program elsewhere");
    expect(rule("delete_file").verdict.name).toBe("deny");
  });
});

describe("a path that only the server can place", () => {
  it("is refused where it is relative, whatever is allowed: a client names directories of its own to such a server", async () => {
    const docs = join(tempDirectory(), "docs");
    const home = await acceptedHome({ allow: ["mcp__fs__*"] });
    const rule = judgingGate(home, { preset: "filesystem", roots: [docs] });
    for (const path of ["root", "./x", "a/../x", ".", ["/x"], 7]) {
      expect(rule("read_media_file", { path }).verdict.name, String(path)).toBe("deny");
      expect(rule("write_file", { path, content: "" }).verdict.name, String(path)).toBe("deny");
    }
    expect(rule("read_multiple_files", { paths: [`${docs}/x`, "x"] }).verdict.name).toBe("deny");
    expect(rule("read_multiple_files", { paths: [`${docs}/x`] }).verdict.name).toBe("allow");
  });

  it("asks where it leads out of the directories of the command, also under a gate that only reads", () => {
    const docs = join(tempDirectory(), "docs");
    mkdirSync(docs);
    symlinkSync("/", join(docs, "way"));
    const rule = judgingGate(policyHome(), { preset: "filesystem", roots: [docs], isReadOnly: true });
    for (const path of ["/etc/passwd", `${docs}/../x`, `${docs}/way/etc`, `${docs}x`]) {
      const { verdict, isBeyondReading } = rule("read_text_file", { path });
      expect([verdict.name, isBeyondReading], String(path)).toEqual(["ask", true]);
    }
    const { verdict, isBeyondReading } = rule("read_text_file", { path: `${docs}/x` });
    expect([verdict.name, isBeyondReading]).toEqual(["allow", false]);
    expect(rule("list_allowed_directories").verdict.name).toBe("allow");
  });
});

describe("a path that a rule names by one argument", () => {
  const path = (glob: string, arg = "$.path") => ({ rule: "mcp__fs__*", when: [{ arg, glob }] });
  const source = "/srv/a/private/x";

  it("is denied at every argument that the preset knows as a path", async () => {
    for (const arg of ["$.path", "$.source", "$.paths[*]"]) {
      const home = await acceptedHome({ allow: ["mcp__fs__*"], deny: [path("/srv/a/private/**", arg)] });
      const rule = judgingGate(home, { preset: "filesystem", roots: ["/srv"] });
      const names = (tool: string, given: object) => rule(tool, { ...given }).verdict.name;
      expect(names("read_text_file", { path: source }), arg).toBe("deny");
      expect(names("read_multiple_files", { paths: ["/srv/b", source] }), arg).toBe("deny");
      expect(names("move_file", { source, destination: "/srv/b" }), arg).toBe("deny");
      expect(names("move_file", { source: "/srv/a/b", destination: source }), arg).toBe("deny");
      expect(names("read_multiple_files", { paths: ["/srv/b"] }), arg).toBe("allow");
      expect(names("move_file", { source: "/srv/a/b", destination: "/srv/a/c" }), arg).toBe("allow");
    }
  });

  it("is named by that argument alone where it is not known which others are paths, or the rule is about no path", async () => {
    const home = await acceptedHome({
      allow: ["mcp__fs__*"],
      deny: [path("/srv/a/private/**"), { rule: "mcp__fs__*", when: [{ arg: "$.path", equals: "/srv/k" }] }],
    });
    expect(judgingGate(home)("move_file", { source, destination: "/srv/b" }).verdict.name).toBe("allow");
    const rule = judgingGate(home, { preset: "filesystem", roots: ["/srv"] });
    expect(rule("write_file", { path: "/srv/b", content: source }).verdict.name).toBe("allow");
    expect(rule("read_multiple_files", { paths: ["/srv/k"] }).verdict.name).toBe("allow");
    expect(rule("read_multiple_files", { paths: [source] }).verdict.name).toBe("deny");
  });

  it("asks at the others, and takes nothing from what the preset says that a yes is about", async () => {
    const asks = { ...path("/srv/a/private/**"), level: "low" };
    const home = await acceptedHome({ ask: [asks], allow: ["mcp__fs__read_multiple_files"] });
    const rule = judgingGate(home, { preset: "filesystem", roots: ["/srv"] });
    expect(rule("read_multiple_files", { paths: [source] }).verdict).toMatchObject({
      name: "ask",
      rule: { list: "ask", text: "mcp__fs__*" },
    });
    expect(rule("read_multiple_files", { paths: ["/srv/b"] }).verdict.name).toBe("allow");
    expect(rule("move_file", { source, destination: "/srv/a/private/y" })).toMatchObject({
      verdict: { name: "ask", level: "moderate" },
      state: { paths: ["$.source", "$.destination"] },
    });
  });

  it("may lie in a directory that is moved, so that such a move asks whatever is allowed", async () => {
    const docs = tempDirectory();
    mkdirSync(join(docs, "a/b"), { recursive: true });
    writeFileSync(join(docs, "a/f"), "");
    const home = await acceptedHome({ allow: ["mcp__fs__*"] });
    const rule = judgingGate(home, { preset: "filesystem", roots: [docs] });
    const move = (name: string) =>
      rule("move_file", { source: join(docs, "a", name), destination: join(docs, "a/new") }).verdict;
    expect(move("b")).toMatchObject({ name: "ask", level: "high", rule: { list: "floor" } });
    expect(move("b").reasons).toContain("moves a directory, with all that is in it");
    expect(move("f").name).toBe("allow");
  });
});

describe("a name that is the same in normal form", () => {
  it.each([
    ["a sign that stands for a letter", "TASKS.md", "TAS\u212aS.md"],
    ["a letter in two pieces", "jos\u00e9", "jose\u0301"],
    ["a letter in one piece", "jose\u0301", "jos\u00e9"],
  ])("is refused where the directory has the other: %s", async (_what, name, written) => {
    const docs = tempDirectory();
    writeFileSync(join(docs, name), "kept");
    const home = await acceptedHome({ allow: ["mcp__fs__*"] });
    const rule = judgingGate(home, { preset: "filesystem", roots: [docs] });
    for (const path of [written, `${written}/x`, `a/../${written}`]) {
      expect(rule("write_file", { path: `${docs}/${path}`, content: "" }).verdict.name, path).toBe("deny");
      expect(rule("read_text_file", { path: `${docs}/${path}` }).verdict.name, path).toBe("deny");
    }
    expect(rule("read_text_file", { path: join(docs, name) }).verdict.name).toBe("allow");
    // Where both are there the server takes what was named.
    writeFileSync(join(docs, written), "");
    expect(rule("read_text_file", { path: join(docs, written) }).verdict.name).toBe("allow");
  });
});

describe("what no call reaches", () => {
  it("is refused before any rule is asked, also one that allows", async () => {
    const home = await acceptedHome({ allow: ["mcp__fs__*"] });
    const rule = judgingGate(home, { preset: "filesystem" });
    for (const path of [join(home.project, ".git/config"), "/home/x/.ssh/id", "a/.GIT/x", home.path]) {
      expect(rule("read_text_file", { path }).verdict, path).toMatchObject({
        name: "deny",
        rule: { list: "floor", file: null },
      });
    }
    expect(rule("read_text_file", { path: join(home.project, ".github/x") }).verdict.name).toBe("allow");
  });
});

describe("what was allowed of another definition or server", () => {
  const suspended = "the server says something else of this tool than before";

  test(`${named("case-061")} asks, with the reason, until it is approved again`, async () => {
    const home = await acceptedHome({ allow: [{ rule: "mcp__fs__read", state: { paths: ["$.path"] } }] });
    const { verdict, state } = judgingGate(home, { suspended: () => suspended })("read", { path: "/x" });
    expect(verdict).toMatchObject({ name: "ask", rule: { list: "floor", text: suspended } });
    expect(verdict.reasons).toEqual([suspended]);
    expect(state).toEqual(bound);
    expect(judgingGate(home)("read", { path: "/x" }).verdict.name).toBe("allow");
  });

  it("counts neither by a preset nor by a hint, and what asks says it as well", () => {
    const home = policyHome();
    const preset = judgingGate(home, { preset: "filesystem", suspended: () => suspended });
    expect(preset("read_text_file", { path: "/x" }).verdict.name).toBe("ask");
    expect(preset("write_file", { path: "/x" }).verdict.reasons).toContain(suspended);
    const trusting = judgingGate(home, { areHintsTrusted: true, suspended: () => suspended });
    expect(trusting(hinted).verdict.name).toBe("ask");
    expect(judgingGate(home, { preset: "filesystem" })("read_text_file").verdict.name).toBe("allow");
  });
});

describe("a gate that only reads", () => {
  it("goes beyond reading for all that nobody says only reads", async () => {
    const home = await acceptedHome({
      ask: ["mcp__fs__list_directory"],
      allow: ["mcp__fs__bare", { rule: "mcp__fs__look", readOnly: true }],
    });
    const rule = judgingGate(home, { preset: "filesystem", isReadOnly: true, roots: ["/srv"] });
    const beyond = (tool: string) => rule(tool, { path: "/srv/x" }).isBeyondReading;
    expect(["bare", "write_file", "unknown"].map(beyond)).toEqual([true, true, true]);
    expect(["look", "read_text_file", "list_directory"].map(beyond)).toEqual([false, false, false]);
  });

  it("says a denial as such", async () => {
    const home = await acceptedHome({ deny: ["mcp__fs__wipe"] });
    const ruling = judgingGate(home, { isReadOnly: true })("wipe");
    expect(ruling).toMatchObject({ verdict: { name: "deny" }, isBeyondReading: false });
  });
});
