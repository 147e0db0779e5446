import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { auditVerbs } from "../../src/cli/audit-verbs.js";
import { configVerbs } from "../../src/cli/config-verbs.js";
import { factVerbs } from "../../src/cli/fact-verbs.js";
import { keptVerbs } from "../../src/cli/kept-verbs.js";
import { policyVerbs } from "../../src/cli/policy-verbs.js";
import { runProgram } from "../../src/cli/program.js";
import { questionVerbs } from "../../src/cli/question-verbs.js";
import { approvalVerbs } from "../../src/cli/verbs.js";
import { approvalDraft } from "../support/builders.js";
import { type FakeTerminalOptions, fakeTerminal } from "../support/fake-terminal.js";
import { type Ran, startOn, startVerb } from "../support/run-verb.js";
import { openAsker, tempHome } from "../support/temp-home.js";

const run = (words: readonly string[], options: FakeTerminalOptions = {}): Promise<Ran> =>
  startOn(fakeTerminal(options), (terminal) => runProgram(words, terminal)).ended;

describe("wisp", () => {
  it("alone on a terminal is a look at what waits", async () => {
    const home = tempHome();
    openAsker(home).channel.file(approvalDraft(), []);
    const { exit, out } = await run([], { home });
    expect(exit).toBe(0);
    expect(out).toContain("git push origin main");
  });

  it.each([
    { canAnswer: false, isTerminal: true },
    { canAnswer: true, isTerminal: false },
  ])("alone without a terminal is wrong usage: %j", async (options) => {
    const { exit, out, err } = await run([], options);
    expect({ exit, out }).toEqual({ exit: 2, out: "" });
    expect(err).toContain("Usage: wisp COMMAND");
  });

  it("--help lists exactly what there is", async () => {
    const { exit, out, err } = await run(["--help"]);
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    const commands =
      out
        .split("Commands:\n")[1]
        ?.split("\n\n")[0]
        ?.matchAll(/^ {2}(\w+)/gm) ?? [];
    expect([...commands].map((match) => match[1])).toEqual([
      "mcp",
      "accept",
      "gate",
      "approvals",
      "facts",
      "questions",
      "config",
      "audit",
      "policy",
      "doctor",
      "chat",
      "tui",
      "demo",
      "completion",
      "help",
    ]);
  });

  it("--help names every variable that is read", async () => {
    const { out } = await run(["--help"]);
    const [, environment = ""] = out.split("\nEnvironment:\n");
    const source = fileURLToPath(new URL("../../src", import.meta.url));
    const text = readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(join(source, name), "utf8"))
      .join("");
    const read = new Set([...text.matchAll(/(?:environment|env)\.([A-Z][A-Z_]+)/g)].map((match) => match[1]));
    // What every terminal, shell and desktop sets: nobody looks that up here.
    for (const usual of ["TERM", "PATH", "HOME", "XDG_RUNTIME_DIR"]) read.delete(usual);
    expect([...read].sort()).toEqual([
      "FORCE_COLOR",
      "NO_COLOR",
      "WISP_ELICITATION",
      "WISP_HOME",
      "WISP_LOG",
    ]);
    for (const name of read) expect(environment).toContain(name);
    expect(environment).toMatch(/FORCE_COLOR +colours also where TERM=dumb; not in wisp tui\n/);
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("approvals --help lists its verbs and every exit code", async () => {
    const { exit, out } = await run(["approvals", "--help"]);
    expect(exit).toBe(0);
    const verbs = [
      "pending ",
      "show ID ",
      "approve ID ",
      "deny ID ",
      "wait ID ",
      "granted ",
      "revoke ID ",
      "clear ",
    ];
    for (const verb of verbs) {
      expect(out).toContain(`\n  ${verb}`);
    }
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    const codes = [...(out.split("Exit codes:")[1]?.matchAll(/(?:^|\s)(\d+) [a-z]/g) ?? [])];
    expect(codes.map((match) => Number(match[1]))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 78, 130]);
    expect(out).toContain("128+n ended by signal n");
    expect(out).toContain("wisp tui is left by Ctrl-C with 0");
    expect(out).toMatch(/\n {2}7 denied, dropped, declined, timed out,/);
  });

  it.each<[readonly string[]]>([[["help", "foo"]], [["approvals", "help", "foo"]]])(
    "%j is wrong usage: there is no such command",
    async (words) => {
      expect(await run(words)).toEqual({
        exit: 2,
        out: "",
        err: "wisp: There is no command foo.\n  wisp --help\n",
      });
      const known = words.length === 2 ? "doctor" : "wait";
      expect((await run([...words.slice(0, -1), known])).exit).toBe(0);
    },
  );

  it.each([
    ["facts", factVerbs],
    ["questions", questionVerbs],
  ])("%s --help lists its verbs, and fits", async (group, verbs) => {
    const { exit, out } = await run([group, "--help"]);
    expect(exit).toBe(0);
    for (const [name, { takesId }] of verbs) expect(out).toContain(`\n  ${name}${takesId ? " ID" : ""} `);
    expect(out).toContain("Exit codes: wisp approvals --help");
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it.each(
    [...approvalVerbs, ...keptVerbs, ...factVerbs, ...questionVerbs].map(
      ([, verb]) => [verb.command, verb] as const,
    ),
  )("the help of %s explains each of its flags, and fits", async (command, verb) => {
    const [, group = "", name = ""] = command.split(" ");
    const texts = [(await run([group, "help", name])).out, (await startVerb(verb, ["--help"]).ended).out];
    for (const text of texts) {
      for (const flag of [...verb.switches, ...verb.options]) expect(text).toMatch(`\n  --${flag}`);
      for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    }
  });

  it("says where a fact without a directory is kept, and how many facts and questions may wait", async () => {
    const helpOf = async (group: string, verb: string) => (await run([group, "help", verb])).out;
    expect(await helpOf("facts", "keep")).toMatch(
      /left out: project, and global where a fact has no directory/,
    );
    expect(await helpOf("facts", "pending")).toContain("At most 20 facts of one client wait");
    expect(await helpOf("questions", "pending")).toContain("At most 20 questions of one session wait");
  });

  it("approvals --help says what unverified means", async () => {
    expect((await run(["approvals", "--help"])).out).toContain("An ending marked (unverified)");
  });

  it("prints the help of a verb", async () => {
    const { exit, out } = await run(["approvals", "help", "deny"]);
    expect(exit).toBe(0);
    expect(out).toContain("Usage: wisp approvals deny ID [--note TEXT]");
  });

  it("prints the help of each verb by its name, within the width, and no line of it ends in a blank", async () => {
    const groups = {
      approvals: [...approvalVerbs, ...keptVerbs],
      audit: [...auditVerbs],
      config: [...configVerbs],
    };
    const others = { facts: [...factVerbs], policy: [...policyVerbs], questions: [...questionVerbs] };
    for (const [group, verbs] of Object.entries({ ...groups, ...others })) {
      for (const [name, verb] of verbs) {
        const { exit, out } = await startVerb(verb, ["--help"]).ended;
        expect([exit, out.split("\n")[0]]).toEqual([
          0,
          `Usage: wisp ${group} ${name} ${verb.synopsis}`.trimEnd(),
        ]);
        expect(out).not.toMatch(/ $|[^\n]{81}/m);
      }
    }
  });

  it("mcp --help is the help of mcp, and starts nothing", async () => {
    const { exit, out } = await run(["mcp", "--help"]);
    expect(exit).toBe(0);
    expect(out).toContain("Usage: wisp mcp [--hold SECONDS]\n");
    expect(out).toContain("  --hold SECONDS  ");
  });

  it("--version prints the version alone", async () => {
    expect(await run(["--version"])).toEqual({ exit: 0, out: "0.1.0\n", err: "" });
  });

  it.each<[readonly string[], string, string]>([
    [["aprovals"], "There is no command aprovals.", "Did you mean approvals?"],
    [["doctr"], "There is no command doctr.", "Did you mean doctor?"],
    [["--versoin"], "There is no flag --versoin.", "Did you mean --version?"],
    [["accept", "--hepl"], "There is no flag --hepl.", "Did you mean --help?"],
    [["doctor", "--jsn"], "There is no flag --jsn.", "Did you mean --json?"],
  ])("%j is wrong usage, and the nearest name is told", async (words, what, why) => {
    expect(await run(words)).toEqual({ exit: 2, out: "", err: `wisp: ${what}\n  ${why}\n  wisp --help\n` });
  });

  it("a verb that a group has not is answered with the help of the group", async () => {
    for (const [group, verb, near] of [
      ["approvals", "pendin", "  Did you mean pending?\n"],
      ["facts", "forgett", "  Did you mean forget?\n"],
      ["questions", "xyzzy", ""],
    ] as const) {
      const err = `wisp: There is no command ${verb}.\n${near}  wisp ${group} --help\n`;
      expect(await run([group, verb])).toEqual({ exit: 2, out: "", err });
    }
  });

  it.each<[readonly string[]]>([[["xyzzy\u001b[2J"]], [["doctor", "--x\u009b"]], [["--\u202e"]]])(
    "%j is wrong usage, and no byte of it reaches the terminal",
    async (words) => {
      const { exit, err } = await run(words);
      expect(exit).toBe(2);
      expect(err.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\p{Cf}/u);
      expect(err).toContain("\\u{");
    },
  );

  it("approvals without a verb shows its help as wrong usage", async () => {
    const { exit, out, err } = await run(["approvals"]);
    expect({ exit, out }).toEqual({ exit: 2, out: "" });
    expect(err).toContain("Usage: wisp approvals VERB");
  });

  it("runs a verb that was written behind --", async () => {
    const { exit, err } = await run(["approvals", "--", "pending"], { home: tempHome() });
    expect({ exit, err }).toEqual({ exit: 0, err: "Nothing waits.\n" });
  });

  it("looks at the home with doctor", async () => {
    const { exit, out } = await run(["doctor", "--json"], { home: tempHome() });
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ schemaVersion: 1, ok: true });
  });
});
