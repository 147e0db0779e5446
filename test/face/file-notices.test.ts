/** What faces that stay say of the person's files. */
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pending } from "../../src/cli/commands/pending.js";
import { fileNotices } from "../../src/face/file-notices.js";
import { hasFileTraces } from "../../src/face/file-traces.js";
import { acceptingHome } from "../support/accepting.js";
import { chatting } from "../support/chatting.js";
import { fakeInbox } from "../support/fake-inbox.js";
import { fakeTerminal } from "../support/fake-terminal.js";
import { long } from "../support/filed.js";
import { frontEndOf, hello } from "../support/front-end.js";
import { watchedInbox } from "../support/inboxes.js";
import { startVerb } from "../support/run-verb.js";
import { tempDirectory } from "../support/temp-home.js";

const looser = { permissions: { allow: ["Bash(git status)"] } };
const waits = (path: string): string => `policy.json: 1 looser rule waits for: WISP_HOME=${path} wisp accept`;
const broken = /^policy\.json cannot be used: policy\.json:1: /;

describe("what there is to say of the person's files", () => {
  it("is what waits in each, and what cannot be used, with the command of this home", () => {
    const { home, write } = acceptingHome();
    const said = fileNotices(home, fakeTerminal({ home }));
    expect(said()).toEqual([]);
    write("policy.json", looser);
    expect(said()).toEqual([waits(home.path)]);
    write("config.json", { approval: { timeoutSeconds: 5_000 } });
    expect(said()).toEqual([
      `config.json: approval.timeoutSeconds waits for: WISP_HOME=${home.path} wisp accept`,
      waits(home.path),
    ]);
    write("config.json", "{");
    write("policy.json", "{");
    expect(said()).toEqual([
      expect.stringMatching(/^config\.json cannot be used/),
      expect.stringMatching(broken),
    ]);
    rmSync(join(home.path, "config.json"));
    write("policy.json", { permissions: { deny: ["Bash(rm *)"] } });
    expect(said()).toEqual([]);
  });

  it("is said of a project's file around the directory, and never as it stands there", () => {
    const { home } = acceptingHome();
    const project = tempDirectory();
    const seat = { ...fakeTerminal({ home }), directory: join(project, "src") };
    mkdirSync(seat.directory);
    expect(hasFileTraces(home, seat.directory)).toBe(false);
    mkdirSync(join(project, ".wisp"));
    symlinkSync("/nowhere\u001b", join(project, ".wisp/policy.json"));
    expect(hasFileTraces(home, seat.directory)).toBe(true);
    const [line] = fileNotices(home, seat)();
    expect(line).toContain(`${project}/.wisp/policy.json`);
    expect(line).not.toContain("\u001b");
  });
});

describe("what of the person's files waits, or cannot be used,", () => {
  it("is said by pending, also where nothing waits for an answer", async () => {
    const { home, write } = acceptingHome();
    const nothing = await startVerb(pending, [], { home }).ended;
    expect(nothing.err).toBe("Nothing waits.\n");
    write("policy.json", looser);
    expect((await startVerb(pending, [], { home }).ended).err).toBe(`Nothing waits.\n${waits(home.path)}\n`);
    write("policy.json", "{");
    expect((await startVerb(pending, [], { home }).ended).err).toMatch(
      /^Nothing waits\.\npolicy\.json cannot/,
    );
  });

  it("stands in the state of an inbox, and each change of it is told", async () => {
    const { home, write } = acceptingHome();
    const watched = watchedInbox(home);
    const files = () => {
      watched.advance(1_000);
      return watched.inbox.state.files;
    };
    expect(files()).toEqual([]);
    write("policy.json", looser);
    await expect.poll(files, long).toEqual([waits(home.path)]);
    expect(watched.told()).toContain("other");
    expect(files()).toEqual([waits(home.path)]);
    expect(watched.told()).toEqual([]);
    write("policy.json", "{");
    expect(files()).toEqual([expect.stringMatching(broken)]);
    write("policy.json", { permissions: { deny: ["Bash(rm *)"] } });
    expect(files()).toEqual([]);
    expect(watched.told()).toContain("other");
  });

  it("is told in plain chat once, and again when it had gone", async () => {
    const inbox = fakeInbox();
    const { says, terminal, lines, asked } = chatting(inbox);
    await asked(1);
    inbox.says(["policy.json: one"]);
    inbox.says(["policy.json: one", "config.json: two"]);
    inbox.says(["policy.json: one"]);
    inbox.says(["policy.json: one", "config.json: two"]);
    lines.types("");
    await asked(2);
    expect(terminal.printed()).toBe("policy.json: one\nconfig.json: two\nconfig.json: two\n");
    await says();
  });

  it("is sent to a front end after its hello, and with each change", () => {
    const inbox = fakeInbox();
    inbox.says(["policy.json: one"]);
    const { news, says } = frontEndOf(inbox);
    expect(news().map(({ type }) => type)).toEqual(["hello"]);
    inbox.says(["policy.json: two"]);
    expect(news()).toEqual([]);
    says(hello);
    expect(news()).toEqual([{ type: "files", notices: ["policy.json: two"] }]);
    inbox.turns({ kind: "polling" });
    expect(news()).toEqual([]);
    inbox.says([]);
    expect(news()).toEqual([{ type: "files", notices: [] }]);
  });
});
