/** `wisp policy check` says what a gate would make of a call of its server. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { check } from "../../src/cli/policy-verbs.js";
import { acceptedHome, type PolicyHome } from "../support/policy-home.js";
import { startVerb } from "../support/run-verb.js";

const rules = { ask: ["Bash(git push *)"] };

const run = (home: PolicyHome, ...words: readonly string[]) =>
  startVerb(check, words, {
    columns: 200,
    environment: { WISP_HOME: home.path, HOME: home.homeDirectory, PATH: "/usr/bin:/bin" },
  }).ended;

describe("wisp policy check of a call", () => {
  it("of a server says what the preset that is called like it says, where no rule speaks", async () => {
    const home = await acceptedHome({ deny: [{ rule: "mcp__filesystem__read_file", reason: "never" }] });
    const path = join(home.project, "there");
    writeFileSync(path, "held");
    const of = async (tool: string, args: object, ...more: string[]) =>
      (await run(home, "--tool", `mcp__${tool}`, "--args", JSON.stringify(args), ...more)).out;
    expect(await of("filesystem__list_directory", { path })).toMatch(
      /^allow: it runs .*the preset filesystem says that it only reads.*\nrule: allow mcp__filesystem__list_directory \(the preset filesystem\)\n/,
    );
    const asked = await of("filesystem__create_directory", { path });
    expect(asked).toContain("the preset filesystem asks");
    expect(asked).toContain("\na yes is about: the arguments, what is at $.path\n");
    expect(asked).toContain("\nwhat would change it: an allow rule in policy.json, then: ");
    expect(await of("filesystem__read_file", { path })).toContain("deny: it is refused");
    expect(await of("filesystem__read_text_file", { path: join(home.path, "keys/root") })).toMatch(
      /^deny: it is refused .*no call through a gate reaches the home of wisp.*\nwhat would change it: nothing: no file removes this\n/s,
    );
    expect(await of("fs__list_directory", { path })).toMatch(/^ask: .*warning: state not bound/s);
    expect(await of("fs__list_directory", { path }, "--preset", "filesystem")).toMatch(/^allow: /);
    const unknown = await of("fs__unheard_of", {}, "--preset", "filesystem");
    expect(unknown).toMatch(/^ask: .*warning: state not bound: a yes is about the arguments alone\n/s);
  });

  it("of a server says that a read hangs on the directories of its command where it does", async () => {
    const home = await acceptedHome(rules);
    const of = async (path: string) =>
      (await run(home, "--tool", "mcp__filesystem__list_directory", "--args", JSON.stringify({ path }))).out;
    const note = "\nnote: a gate whose command names no directory above the paths asks\n";
    // Where it is started says nothing of what its command names.
    for (const path of ["/usr/lib", home.project]) {
      const said = await of(path);
      expect(said, path).toMatch(/^allow: /);
      expect(said, path).toContain(note);
    }
    const allowed = (await run(home, "--tool", "mcp__filesystem__list_allowed_directories")).out;
    expect(allowed).toMatch(/^allow: /);
    expect(allowed).not.toContain(note);
    expect(await of(join(home.path, "keys"))).toMatch(/^deny: /);
    expect(await of("relative")).toMatch(/^deny: .* by a relative path/);
  });

  it("of a server judges as the gate that a client starts under its name, and says which that is", async () => {
    const home = await acceptedHome(rules);
    const [path, outside] = [join(home.project, "there"), join(home.homeDirectory, "there")];
    const file = join(home.homeDirectory, ".claude.json");
    const start = (servers: object) => writeFileSync(file, JSON.stringify({ mcpServers: servers }));
    const gate = (...words: string[]) => ({ command: "node", args: ["/w/wisp.cjs", "gate", ...words] });
    const server = ["--", "npx", "-y", "@modelcontextprotocol/server-filesystem", home.project];
    const of = async (tool: string, at: string) =>
      (await run(home, "--tool", `mcp__${tool}`, "--args", JSON.stringify({ path: at }))).out;
    const none = await of("files__read_text_file", path);
    expect(none).toMatch(/^ask: /);
    expect(none).toMatch(
      /\ngate: no client's file here starts one called files; judged without a preset: --preset NAME names one of .*filesystem/,
    );
    start({ "my files": gate("--name", "files", ...server), other: gate("--name", "two", ...server) });
    const known = await of("files__read_text_file", path);
    expect(known).toMatch(/^allow: /);
    expect(known).toContain(`\ngate: my files in ${file}, preset filesystem\n`);
    expect(known).not.toContain("names no directory above");
    expect(await of("files__read_text_file", outside)).toMatch(/^ask: /);
    expect(await of("filesystem__read_text_file", path)).toContain("; judged by the preset of this name\n");
    start({ plain: gate(...server), github: gate("--name", "github", "--", "node", "x.js") });
    expect(await of("filesystem__read_text_file", path)).toContain(
      `\ngate: plain in ${file}, preset filesystem\n`,
    );
    // Its name is a preset's, and its command is another's.
    const other = await of("github__get_me", path);
    expect(other).toMatch(/^ask: /);
    expect(other).toContain(`\ngate: github in ${file}, no preset is for it\n`);
    start({ a: gate("--name", "files", "--read-only", ...server), b: gate("--name", "files", "--", "x") });
    const reading = await of("files__create_directory", join(home.project, "new"));
    expect(reading).toContain("\nnote: the gate is started with --read-only, and refuses this call\n");
    expect(reading).toContain("preset filesystem; another entry starts a gate of this name otherwise\n");
  });

  it("of a server promises no session where the call itself ends it, and no rule where a floor asks anyway", async () => {
    const home = await acceptedHome(rules);
    const [held, fresh] = [join(home.project, "held"), join(home.project, "fresh")];
    writeFileSync(held, "held");
    const of = async (tool: string, at: string) =>
      (await run(home, "--tool", `mcp__filesystem__${tool}`, "--args", JSON.stringify({ path: at }))).out;
    const floored = await of("write_file", held);
    expect(floored).toContain("\na yes counts at most: once\n");
    expect(floored).toContain("\nwhat would change it: nothing: no file removes this\n");
    const written = await of("write_file", fresh);
    expect(written).toContain("\na yes counts at most: once\n");
    expect(written).toContain("\nwhat would change it: an allow rule in policy.json, then: ");
    expect(await of("unheard_of", fresh)).toContain("\na yes counts at most: session\n");
  });

  it("of a server says that a floor of its preset asks, whatever a rule allows", async () => {
    const home = await acceptedHome({ allow: ["mcp__filesystem__write_file"] });
    const path = join(home.project, "there");
    writeFileSync(path, "held");
    const of = async (at: string) =>
      JSON.parse(
        (
          await run(
            home,
            "--json",
            ...["--tool", "mcp__filesystem__write_file", "--args", JSON.stringify({ path: at })],
          )
        ).out,
      );
    expect(await of(path)).toMatchObject({
      verdict: "ask",
      level: "high",
      rule: { list: "floor", text: "always asks: replaces a file that is not empty" },
      state: { paths: ["$.path"] },
    });
    expect(await of(join(home.project, "new"))).toMatchObject({ verdict: "allow" });
  });
});
