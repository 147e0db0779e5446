/** `wisp completion` and `wisp complete` in this process. */
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { homeAt } from "../../../src/broker/channel/home.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { scriptFor, shells } from "../../../src/cli/completion/scripts.js";
import { runProgram } from "../../../src/cli/program.js";
import { approvalDraft, commandSubject } from "../../support/builders.js";
import { type FakeTerminalOptions, fakeTerminal } from "../../support/fake-terminal.js";
import { keptHome } from "../../support/kept-home.js";
import { ruleDraft } from "../../support/remembered.js";
import { RememberedHome } from "../../support/remembered-home.js";
import { factDraft, questionDraft } from "../../support/request-kinds.js";
import { type Ran, startOn } from "../../support/run-verb.js";
import { openAsker, tempHome } from "../../support/temp-home.js";

const run = (words: readonly string[], options: FakeTerminalOptions = {}): Promise<Ran> =>
  startOn(fakeTerminal(options), (terminal) => runProgram(words, terminal)).ended;

async function valuesFor(
  words: readonly string[],
  options: FakeTerminalOptions = {},
): Promise<readonly string[]> {
  const { exit, out, err } = await run(["complete", "--", ...words], options);
  expect([exit, err]).toEqual([0, ""]);
  const lines = out.trimEnd().split("\n");
  expect(lines.at(-1)).toBe(":4");
  return lines.slice(0, -1).map((line) => line.split("\t")[0] ?? "");
}

describe("wisp complete", () => {
  it.each([
    [["app"], ["approvals"]],
    [
      ["facts", ""],
      ["pending", "keep", "drop", "list", "show", "forget", "help"],
    ],
    [
      ["doctor", "--"],
      ["--json", "--fix", "--ping", "--help"],
    ],
    [["facts", "drop", "--f"], ["--for-good"]],
    [
      ["facts", "keep", "--scope", ""],
      ["project", "global", "everywhere"],
    ],
    [["facts", "keep", "--scope=gl"], ["global"]],
    [["facts", "keep", "--scope", "=", "gl"], ["global"]],
    [
      ["facts", "keep", "--scope", "="],
      ["project", "global", "everywhere"],
    ],
    [["approvals", "approve", "k7q2mx9d", "--scope", "se"], ["session"]],
    [["approvals", "deny", "--note", ""], []],
    [
      ["mcp", "--h"],
      ["--hold", "--help"],
    ],
    [["no", "such", ""], []],
  ])("of %j offers %j", async (words, values) => {
    expect(await valuesFor(words, { home: tempHome() })).toEqual(values);
  });

  it("offers the ids that a verb takes, and changes nothing", async () => {
    const home = tempHome();
    const { channel } = openAsker(home);
    const approval = channel.file(approvalDraft(), []).id;
    const fact = channel.file(factDraft(), []).id;
    const question = channel.file(questionDraft(), []).id;
    const before = readdirSync(home.path, { recursive: true }).sort();
    for (const [words, ids] of [
      [["approvals", "approve", ""], [approval]],
      [["approvals", "deny", approval.slice(0, 3)], [approval]],
      [["facts", "keep", ""], [fact]],
      [["questions", "answer", ""], [question]],
      [
        ["approvals", "show", ""],
        [approval, fact, question],
      ],
      [["approvals", "deny", approval, ""], []],
    ] as const) {
      expect([...(await valuesFor(words, { home }))].sort()).toEqual([...ids].sort());
    }
    expect(readdirSync(home.path, { recursive: true }).sort()).toEqual(before);
  });

  it("offers for revoke what yeses left behind, and clears nothing away", async () => {
    const kept = keptHome();
    const now = systemClock.now();
    const rules = new RememberedHome(kept.home.path);
    const rule = await rules.open(systemClock).remember(ruleDraft(now, {}));
    const once = await kept.keeps();
    const before = readdirSync(kept.home.path, { recursive: true }).sort();
    const { home } = kept;
    expect([...(await valuesFor(["approvals", "revoke", ""], { home }))].sort()).toEqual(
      [rule.id, once].sort(),
    );
    expect(readdirSync(kept.home.path, { recursive: true }).sort()).toEqual(before);
    expect(await valuesFor(["approvals", "revoke", ""], { home: tempHome() })).toEqual([]);
  });

  it("shows what an agent wrote as one line, and escaped", async () => {
    const home = tempHome();
    const line = "echo '\u001b]0;x\u0007'\t\n:0\u202e $(touch x) %";
    const draft = approvalDraft({ subject: commandSubject({ line }) });
    const { id } = openAsker(home).channel.file(draft, []);
    const { out } = await run(["complete", "--", "approvals", "deny", ""], { home });
    const [first = "", ...rest] = out.split("\n");
    expect(rest).toEqual([":4", ""]);
    expect(first.startsWith(`${id}\techo '\\u{1b}]0;x\\u{7}'`)).toBe(true);
    for (const raw of ["\u001b", "\u0007", "\u202e"]) expect(first).not.toContain(raw);
  });

  it("knows no ids where the home is unsafe, and says nothing of it", async () => {
    const home = homeAt("/dev/null/home", false);
    expect(await valuesFor(["approvals", "deny", ""], { home })).toEqual([]);
    expect(await valuesFor(["app"], { home })).toEqual(["approvals"]);
  });
});

describe("wisp completion", () => {
  it.each(shells)(
    "prints for %s a script that calls wisp alone, and evaluates nothing that is typed",
    async (shell) => {
      const { exit, out, err } = await run(["completion", shell]);
      expect([exit, err, out]).toEqual([0, "", scriptFor(shell)]);
      expect(out).toContain("wisp complete");
      expect(out).not.toMatch(/curl|wget|https?:\/\/(?!github\.com\/spf13)|npx|node /);
    },
  );

  it("in bash and fish has no eval at all, and in the others gives it quoted words", () => {
    for (const shell of ["bash", "fish"] as const)
      expect(scriptFor(shell)).not.toMatch(/^\s*[^#\n]*\beval\b/m);
    expect(scriptFor("bash")).not.toContain("compgen");
    expect(scriptFor("zsh")).toContain(`flagPrefix="-P \${(q)BASH_REMATCH}"`);
    expect(scriptFor("powershell")).toContain("EscapeSingleQuotedStringContent($_)");
  });

  it.each([[[]], [["tcsh"]], [["bash", "zsh"]]])("of %j is wrong usage", async (words) => {
    const { exit, out, err } = await run(["completion", ...words]);
    expect([exit, out]).toEqual([2, ""]);
    expect(err).toBe("wisp: One of bash, zsh, fish, powershell is needed.\n  wisp completion --help\n");
  });
});
