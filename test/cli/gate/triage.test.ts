/** What passes of a server that no preset is for: what a person ticks, and nothing without them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Desk, desk, put, textAt } from "../../support/gate-installing.js";
import { listedTool, lookingAt, toolsFound, triage, verdictOn } from "../../support/triaging.js";
import { atTerminal } from "../../support/witnesses.js";

const claude = { at: "home", path: [".claude.json"] } as const;
const entry = (rest: object = {}) =>
  JSON.stringify({ mcpServers: { fs: { command: "npx", args: ["server"], ...rest } } }, null, 2);
const [read, write, odd] = [
  listedTool("read", true),
  listedTool("write"),
  listedTool("odd *\u001b[2J", true),
];
const three = () => lookingAt(toolsFound([read, write, odd], ["twice"]));
const policyOf = ({ home }: Desk) => join(home.path, "policy.json");

function placed(rest: object = {}) {
  const at = desk();
  return { at, path: put(at, { ...claude, text: entry(rest) }) };
}

/** A home with rules in its file. */
function withRules(at: Desk, text: string): void {
  mkdirSync(at.home.path, { mode: 0o700 });
  writeFileSync(policyOf(at), text, { mode: 0o600 });
}

/** After whatever was refused: the same server, whose first tool is let pass. */
async function stillWorks(): Promise<void> {
  const { at } = placed();
  expect((await triage(at, three(), ["y", "", "accept"])).exit).toBe(0);
  expect(await verdictOn(at, read)).toEqual({ name: "allow", why: null });
}

describe("a server that no preset is for", () => {
  it("lets pass what was ticked, and that its server says of itself that it reads is ticked at first", async () => {
    const { at, path } = placed({ env: { A: "1" }, cwd: "/srv" });
    const look = three();
    const done = await triage(at, look, ["y", "2", "1", "?2", "", "accept"]);
    expect([done.exit, done.questions.length]).toEqual([0, 6]);
    expect(look.looked[0]).toMatchObject({ name: "fs", directory: "/srv", added: { A: "1" } });
    expect(done.err).toContain("  npx server\n  in /srv, with A of the entry\n");
    expect(done.err).toContain(" 1 [x] * read");
    expect(done.err).toContain("nothing proves it");
    expect(done.err).toContain("  does write\n  takes: \n  says of itself: nothing\n");
    expect(JSON.parse(readFileSync(policyOf(at), "utf8"))).toEqual({
      permissions: { allow: ["mcp__fs__write"] },
    });
    expect(await verdictOn(at, write)).toEqual({ name: "allow", why: null });
    expect((await verdictOn(at, read)).name).toBe("ask");
    expect(textAt(path)).toContain('"gate"');
  });

  it("asks again once it says something else of a tool, or is another one", async () => {
    const { at } = placed();
    await triage(at, three(), ["y", "", "accept"]);
    expect(await verdictOn(at, read)).toEqual({ name: "allow", why: null });
    const changed = await verdictOn(at, listedTool("read", true, "now writes"));
    expect(changed.why).toMatch(/says something else of this tool/);
    expect((await verdictOn(at, read, "0".repeat(64))).why).toMatch(/another server/);
  });

  it("leaves a record of the file and of the tools", async () => {
    const { at, path } = placed();
    await triage(at, three(), ["y", "", "accept"]);
    const log = readFileSync(join(at.home.path, "audit", "log.jsonl"), "utf8");
    const records = log
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    expect(records).toMatchObject([
      {
        kind: "gate.changed",
        details: { how: "install", file: path, entry: '["mcpServers","fs"]', gate: "fs" },
      },
      {
        kind: "gate.allowed",
        details: { gate: "fs", tools: [{ name: "read", definition: read.hash }], before: null },
      },
    ]);
  });

  it("is shown harmlessly, and no tool is let pass that a rule cannot name alone", async () => {
    const { at } = placed();
    const done = await triage(at, lookingAt(toolsFound([odd, read], ["\u001b[2J"])), [
      "y",
      "1",
      "",
      "accept",
    ]);
    expect(done.err).toMatch(/ 1 {2}- {2}\* odd \*\\u\{1b\}\[2J/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not stand there.
    expect(done.err + done.out).not.toMatch(/\u001b/);
    expect(JSON.parse(readFileSync(policyOf(at), "utf8"))).toEqual({
      permissions: { allow: ["mcp__fs__read"] },
    });
  });

  it.each([
    ["n", 0],
    ["", 7],
    [null, 7],
    ["yes", 7],
  ])("is not started by %j", async (answer, exit) => {
    const { at, path } = placed();
    const look = three();
    expect((await triage(at, look, [answer, "y"])).exit).toBe(exit);
    expect([look.looked, textAt(path) === entry(), existsSync(policyOf(at))]).toEqual([
      [],
      exit !== 0,
      false,
    ]);
    await stillWorks();
  });

  it("is neither started nor changed off a terminal, or within an agent", async () => {
    const { at, path } = placed();
    const look = three();
    expect((await triage(at, look, [], { canAnswer: false })).exit).toBe(4);
    const within = { look: () => ({ ...atTerminal, shortfall: "within_client" as const }) };
    expect((await triage(at, look, [], within)).exit).toBe(10);
    expect([look.looked, textAt(path)]).toEqual([[], entry()]);
    await stillWorks();
  });

  it.each([
    ["y", ["", "y"]],
    ["no", ["", "no"]],
    ["the end of the input", [null]],
  ])("lets nothing pass where %s is typed in the place of accept", async (_, lines) => {
    const { at, path } = placed();
    expect((await triage(at, three(), ["y", ...lines])).exit).toBe(7);
    expect([textAt(path), existsSync(policyOf(at))]).toEqual([entry(), false]);
    await stillWorks();
  });

  it.each<[what: string, look: Parameters<typeof lookingAt>[0], says: string]>([
    [
      "lists nothing",
      { kind: "none", why: "It ended." },
      "It ended. So no rule is written, and every call asks.\n",
    ],
    ["has no tools", toolsFound([]), "It lists no tool that can be told apart"],
    [
      "has ten thousand",
      toolsFound(Array.from({ length: 10_000 }, (_, index) => listedTool(`t${index}`))),
      "It lists 10000 tools",
    ],
  ])("and %s is put behind the gate without rules, where the person says so", async (_, look, says) => {
    const { at, path } = placed();
    const done = await triage(at, lookingAt(look, ["a banner"]), ["y", "y"]);
    expect([done.exit, done.err]).toEqual([0, expect.stringContaining(says)]);
    expect(done.err).toContain("  | a banner\n");
    expect([textAt(path) === entry(), existsSync(policyOf(at))]).toEqual([false, false]);
    await stillWorks();
  });

  it.each([
    [{ args: ["$A/x"] }, 'fills in "$A/x" first'],
    [{ env: { A: "$B" } }, 'fills in "$B" first'],
    [{ envFile: ".env" }, "reads envFile of the entry"],
    [{ cwd: "here" }, "its cwd is no absolute path"],
  ])("is not started where only its client knows how: %j", async (rest, says) => {
    const { at } = placed(rest);
    const look = three();
    const done = await triage(at, look, ["y"]);
    expect([done.exit, look.looked, done.err]).toEqual([0, [], expect.stringContaining(says)]);
    await stillWorks();
  });
});

describe("rules that stand in policy.json", () => {
  const text = '{\n  // mine\n  "permissions": { "allow": ["Bash(ls)"], "deny": ["Bash(rm *)"] },\n}\n';

  it("stay as they are, and what waits goes on waiting", async () => {
    const { at } = placed();
    withRules(at, text);
    expect((await triage(at, three(), ["y", "", "accept"])).exit).toBe(0);
    expect(readFileSync(policyOf(at), "utf8")).toBe(
      text.replace('["Bash(ls)"]', '["mcp__fs__read", "Bash(ls)"]'),
    );
    expect(await verdictOn(at, read)).toEqual({ name: "allow", why: null });
    const sealed = readFileSync(join(at.home.path, "keys", "sealed", "policy.json"), "utf8");
    expect([sealed.includes("mcp__fs__read"), sealed.includes("Bash(ls)")]).toEqual([true, false]);
  });

  it("that cannot be used keep the server from being started, and get none", async () => {
    const { at } = placed();
    withRules(at, "{");
    const look = three();
    const done = await triage(at, look, ["y"]);
    expect([done.exit, look.looked, readFileSync(policyOf(at), "utf8")]).toEqual([0, [], "{"]);
    expect(done.err).toContain("policy.json cannot be used");
    await stillWorks();
  });

  it("get none where the tools cannot be pinned before: a rule without its pin would let an exchanged tool pass", async () => {
    const { at } = placed();
    withRules(at, text);
    writeFileSync(join(at.home.path, "gates"), "");
    const done = await triage(at, three(), ["y", "", "accept"]);
    expect(done.exit).toBeGreaterThan(0);
    expect(readFileSync(policyOf(at), "utf8")).toBe(text);
    await stillWorks();
  });

  it("that were changed while the person read get none: the gate is there, and everything asks", async () => {
    const { at, path } = placed();
    withRules(at, text);
    const look = three();
    const program = await look.tools();
    const changing = {
      ...program,
      lookAtServer: async (options: Parameters<typeof program.lookAtServer>[0]) => {
        writeFileSync(policyOf(at), text.replace("ls", "ls -l"));
        return await program.lookAtServer(options);
      },
    };
    const done = await triage(at, { ...look, tools: async () => changing }, ["y", "", "accept"]);
    expect([done.exit, done.err]).toEqual([6, expect.stringContaining("No rule was written")]);
    expect(textAt(path)).toContain('"gate"');
    expect((await verdictOn(at, read)).name).toBe("ask");
    await stillWorks();
  });
});
