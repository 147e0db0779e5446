import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeAccepted } from "../../../src/broker/files/sealed.js";
import { rootSecretOf } from "../../../src/broker/identity/root-secret.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { overview } from "../../../src/cli/commands/overview.js";
import { acceptingHome } from "../../support/accepting.js";
import { answerTo, approvalDraft, commandSubject } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { type FakeTerminalOptions, fakeTerminal } from "../../support/fake-terminal.js";
import { ruleDraft } from "../../support/remembered.js";
import { questionDraft } from "../../support/request-kinds.js";
import { type Ran, startOn } from "../../support/run-verb.js";
import { openAsker, openFace, tempDirectory, tempHome } from "../../support/temp-home.js";

/** `program` is the file that runs. */
const look = (options: FakeTerminalOptions, program = "/w.cjs"): Promise<Ran> =>
  startOn(fakeTerminal(options), (terminal) => overview(terminal, program)).ended;

/** A home of a person with the configuration of a client that starts wisp. */
function wiredHome(): string {
  const path = tempDirectory();
  mkdirSync(join(path, ".cursor"));
  const servers = '{"mcpServers": {"wisp": {"command": "wisp", "args": ["mcp"]}}}';
  writeFileSync(join(path, ".claude.json"), servers);
  writeFileSync(join(path, ".cursor", "mcp.json"), '{"mcpServers": {}}');
  return path;
}

const cutAt = (line: string, columns: number): string =>
  line.length <= columns ? line : `${line.slice(0, columns - 1)}…`;

describe("wisp alone", () => {
  it("has a client start wisp by its name only where the shell finds this very program under it", async () => {
    const directory = tempDirectory();
    const program = join(directory, "wisp.cjs");
    writeFileSync(program, "");
    const [bin, other] = [join(directory, "bin"), join(directory, "other")];
    for (const path of [bin, other]) mkdirSync(path);
    symlinkSync(program, join(bin, "wisp"));
    writeFileSync(join(other, "wisp"), "");
    const next = async (PATH: string) =>
      /^next +(.*)$/m.exec((await look({ home: tempHome(), environment: { PATH } }, program)).out)?.[1];
    const started = "claude mcp add -s user wisp --";
    expect(await next(`relative:${bin}`)).toBe(`${started} wisp mcp`);
    expect(await next(`${other}:${bin}`)).toBe(`${started} node ${program} mcp`);
    expect(await next("/nowhere")).toBe(`${started} node ${program} mcp`);
  });

  it("sends to doctor where a file cannot be used, for accept refuses then", async () => {
    const { home, write } = acceptingHome();
    write("policy.json", "{");
    const faulty = await look({ home });
    expect(faulty.out).toContain("to accept  policy.json cannot be used\n");
    expect(faulty.out).toMatch(/^next +(?:WISP_HOME=\S+ )?wisp doctor$/m);
    write("policy.json", { permissions: { allow: ["Bash(git status)"] } });
    expect((await look({ home })).out).toMatch(/^next +(?:WISP_HOME=\S+ )?wisp accept$/m);
  });

  it.each([80, 60])("says at %i columns that nothing waits or is set up, and what to do", async (columns) => {
    const home = tempHome();
    const { exit, out, err } = await look({ home, columns });
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(out).toBe(
      [
        "waits      nothing",
        cutAt(`home       ${home.path}, made when it is first used`, columns),
        "clients    no configuration of a known client is here",
        "to accept  nothing",
        "next       claude mcp add -s user wisp -- node /w.cjs mcp",
        "or         wisp demo; everything else: wisp --help",
        "",
      ].join("\n"),
    );
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
  });

  it.each([
    [80, "git push origin main  for test-client"],
    [60, "git push origin main  for test-c…"],
  ])("says at %i columns what waits, who is wired and what to accept", async (columns, what) => {
    const home = tempHome();
    const clock = new FakeClock();
    const { channel } = openAsker(home, { clock });
    const { id } = channel.file(approvalDraft(), []);
    clock.advance(90_000);
    channel.file(questionDraft(), []);
    const config = '{"approval": {"ancestry": "never"}}';
    writeFileSync(join(home.path, "config.json"), config, { mode: 0o600 });
    const environment = { HOME: wiredHome() };
    const { exit, out, err } = await look({ home, clock, columns, environment });
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
    expect(out.replaceAll(`WISP_HOME=${home.path} `, "")).toBe(
      [
        "waits      2: 1 approval, 1 question",
        `oldest     ${id}  1:30  ${what}`,
        "clients    Claude Code starts wisp mcp",
        "to accept  config.json: approval.ancestry",
        `next       wisp approvals show ${id}`,
        "all        wisp tui",
        "",
      ].join("\n"),
    );
  });

  it("names what to accept where nothing waits, and a client that is not wired", async () => {
    const home = tempHome();
    openAsker(home).channel.pending();
    mkdirSync(home.path, { recursive: true, mode: 0o700 });
    writeFileSync(join(home.path, "config.json"), '{"approval": {"ancestry": "never"}}', { mode: 0o600 });
    const path = tempDirectory();
    writeFileSync(join(path, ".claude.json"), "{}");
    const { out } = await look({ home, environment: { HOME: path } });
    expect(out).toContain("clients    no gate in Claude Code\n");
    expect(out).toContain(" wisp accept\n");
  });

  it("says where gates stand, and which server one can be put before where none does", async () => {
    const path = tempDirectory();
    const files = (servers: object) =>
      writeFileSync(join(path, ".claude.json"), JSON.stringify({ mcpServers: servers }));
    const seen = async () =>
      (await look({ home: tempHome(), environment: { HOME: path }, columns: 200 }, program)).out;
    const program = join(path, "wisp.cjs");
    writeFileSync(program, "");
    const gate = { command: "node", args: [program, "gate", "--name", "files", "--", "npx", "x"] };
    files({ "-x": { command: "a" }, "my files": { command: "npx" } });
    const before = await seen();
    expect(before).toContain("clients    no gate in Claude Code\n");
    expect(before).toMatch(/^next {7}(?:WISP_HOME=\S+ )?wisp gate install 'my files'$/m);
    files({ "my files": gate, other: { command: "npx" } });
    const after = await seen();
    expect(after).toContain(
      "clients    gate before my files in Claude Code, none before other in Claude Code\n",
    );
    expect(after).toMatch(/^next {7}(?:WISP_HOME=\S+ )?wisp doctor$/m);
    files({ "my files": gate, "b\u001b": gate, wisp: { command: "wisp", args: ["mcp"] } });
    expect(await seen()).toContain(
      "clients    gates before my files in Claude Code, b\\u{1b} in Claude Code; Claude Code starts wisp mcp\n",
    );
  });

  it("counts no gate whose program is gone or another one, and counts servers where they are many", async () => {
    const path = tempDirectory();
    const [program, other] = [join(path, "wisp.cjs"), join(path, "wisp")];
    for (const file of [program, other]) writeFileSync(file, "");
    const files = (servers: object) =>
      writeFileSync(join(path, ".claude.json"), JSON.stringify({ mcpServers: servers }));
    const seen = async () =>
      (await look({ home: tempHome(), environment: { HOME: path }, columns: 200 }, program)).out;
    const gate = (file: string) => ({
      command: "node",
      args: [file, "gate", "--name", "x", "--", "npx", "x"],
    });
    files({ gone: gate("/gone/wisp.cjs"), two: gate(other), bare: { command: "npx" } });
    const before = await seen();
    expect(before).toContain("clients    no working gate: gone in Claude Code, two in Claude Code\n");
    expect(before).toMatch(/^next {7}(?:WISP_HOME=\S+ )?wisp doctor$/m);
    const open = { a: { command: "npx" }, b: { command: "npx" }, c: { url: "https://c.test" } };
    files({ ...open, one: gate(program), two: gate(program), three: gate(program) });
    expect(await seen()).toContain("clients    gates before 3 servers, none before 3 servers\n");
  });

  it("names every file of which something waits, or that cannot be used", async () => {
    const home = tempHome();
    openAsker(home).channel.pending();
    mkdirSync(home.path, { recursive: true, mode: 0o700 });
    const place = { path: home.path, ensureHome: () => home.path, clock: systemClock };
    const keys = rootSecretOf(place);
    const toAccept = async (): Promise<string | undefined> =>
      /^to accept +(.*)$/m.exec((await look({ home, columns: 300 })).out)?.[1];
    const write = (name: string, text: string): void =>
      writeFileSync(join(home.path, name), text, { mode: 0o600 });
    const rules = (...texts: readonly object[]): string => JSON.stringify({ permissions: { ask: texts } });
    const [high, low] = [
      { rule: "Bash(a *)", level: "high" },
      { rule: "Bash(a b)", level: "low" },
    ];
    expect(await toAccept()).toBe("nothing");
    await writeAccepted(place, "policy.json", rules(high, low), keys);
    write("policy.json", rules(low, high));
    expect(await toAccept()).toBe("policy.json: another order of rules");
    write("policy.json", rules());
    expect(await toAccept()).toBe("policy.json: 2 looser rules");
    write("policy.json", "{");
    expect(await toAccept()).toBe("policy.json cannot be used");
    write("policy.json", rules(high, low));
    write(
      "remembered.json",
      JSON.stringify({ permissions: { remembered: [{ id: "handmade", ...ruleDraft(1) }] } }),
    );
    write("config.json", "{");
    expect(await toAccept()).toBe("config.json cannot be used; remembered.json: 1 looser rule");
    rmSync(join(home.path, "remembered.json"));
    rmSync(join(home.path, "config.json"));
    rmSync(join(home.path, "keys", "sealed", "policy.json"));
    expect(await toAccept()).toBe("policy.json: 1 rule that may be looser and its accepted copy");
    await writeAccepted(place, "config.json", {}, keys);
    rmSync(join(home.path, "keys", "sealed", "config.json"));
    await writeAccepted(place, "policy.json", rules(high, low), keys);
    expect(await toAccept()).toBe("config.json: its accepted copy");
  });

  it("shows nothing of what an agent wrote unescaped, and of what was changed nothing", async () => {
    const home = tempHome();
    const { channel } = openAsker(home);
    const draft = approvalDraft({ subject: commandSubject({ line: "echo \u001b[2J\u202e" }) });
    const { id } = channel.file(draft, []);
    expect((await look({ home })).out).toContain("echo \\u{1b}[2J\\u{202e}");
    const changed = { ...channel.pending().requests[0], says: "other" };
    writeFileSync(join(home.pending, `${id}.request.json`), JSON.stringify(changed), { mode: 0o600 });
    const { out, err } = await look({ home });
    expect(out).toContain(`${id}  0:00  changed after it was filed\n`);
    expect(err).toContain("1 request was changed after it was filed");
  });

  it("tells of answers that are not read, and of what is no request", async () => {
    const home = tempHome();
    const { channel } = openAsker(home);
    const request = channel.file(approvalDraft(), []);
    openFace(home).answer(answerTo(request));
    expect((await look({ home })).err).toContain(
      `not read yet: its server is stopped or busy: ${request.id}\n`,
    );
    channel.settle(request.id, { outcome: "timed_out", taken: null, ran: false });
    const plant = (name: string, text: string): void =>
      writeFileSync(join(home.pending, `${name}.request.json`), text, { mode: 0o600 });
    plant("junkjunk", '{"a":1,"a":2}');
    const junk = "1 file here is not a request: junkjunk.request.json (duplicate key)\n";
    expect((await look({ home })).err).toBe(junk);
    plant("newernew", '{"v":2,"id":"newernew"}');
    const newer = "1 request was filed by a newer wisp and cannot be answered here: newernew\n";
    expect((await look({ home })).err).toBe(`Nothing waits that this wisp can answer.\n${newer}${junk}`);
  });
});
