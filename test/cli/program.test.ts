import { describe, expect, it } from "vitest";
import { runProgram } from "../../src/cli/program.js";
import { approvalDraft } from "../support/builders.js";
import { type FakeTerminalOptions, fakeTerminal } from "../support/fake-terminal.js";
import { type Ran, startOn } from "../support/run-verb.js";
import { openAsker, tempHome } from "../support/temp-home.js";

const run = (words: readonly string[], options: FakeTerminalOptions = {}): Promise<Ran> =>
  startOn(fakeTerminal(options), (terminal) => runProgram(words, terminal)).ended;

describe("wisp", () => {
  it("alone on a terminal shows what waits and the next command", async () => {
    const home = tempHome();
    expect((await run([], { home })).out).toMatch(/^Nothing waits\.\nTry it: wisp demo/);
    const { channel } = openAsker(home);
    const [first] = Array.from({ length: 7 }, () => channel.file(approvalDraft(), []));
    const { exit, out } = await run([], { home });
    expect(exit).toBe(0);
    expect(out.match(/git push origin main/g)).toHaveLength(5);
    expect(out).toContain("and 2 more: wisp approvals pending\n");
    expect(out).toContain(`Next: wisp approvals show ${first?.id}`);
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
    expect([...commands].map((match) => match[1])).toEqual(["mcp", "approvals", "doctor", "demo", "help"]);
  });

  it("approvals --help lists its verbs and every exit code", async () => {
    const { exit, out } = await run(["approvals", "--help"]);
    expect(exit).toBe(0);
    for (const verb of ["pending ", "show ID ", "approve ID ", "deny ID ", "wait ID "]) {
      expect(out).toContain(`\n  ${verb}`);
    }
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    const codes = [...(out.split("Exit codes:")[1]?.matchAll(/(?:^|\s)(\d+) [a-z]/g) ?? [])];
    expect(codes.map((match) => Number(match[1]))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 130]);
  });

  it("prints the help of a verb", async () => {
    const { exit, out } = await run(["approvals", "help", "deny"]);
    expect(exit).toBe(0);
    expect(out).toContain("Usage: wisp approvals deny ID [--note TEXT]");
  });

  it("mcp --help is the help of mcp, and starts nothing", async () => {
    const { exit, out } = await run(["mcp", "--help"]);
    expect(exit).toBe(0);
    expect(out).toContain("Usage: wisp mcp\n");
  });

  it("--version prints the version alone", async () => {
    expect(await run(["--version"])).toEqual({ exit: 0, out: "0.1.0\n", err: "" });
  });

  it.each<[readonly string[], string, string]>([
    [["aprovals"], "unknown command 'aprovals'", "Did you mean approvals?"],
    [["approvals", "pendin"], "unknown command 'pendin'", "Did you mean pending?"],
    [["doctr"], "unknown command 'doctr'", "Did you mean doctor?"],
    [["--versoin"], "unknown option '--versoin'", "Did you mean --version?"],
    [["doctor", "--jsn"], "unknown option '--jsn'", "Did you mean --json?"],
  ])("%j is wrong usage, and the nearest name is told", async (words, what, why) => {
    expect(await run(words)).toEqual({ exit: 2, out: "", err: `wisp: ${what}\n  ${why}\n  wisp --help\n` });
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
