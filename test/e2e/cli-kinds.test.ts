/** What a person does with facts and questions in a terminal, with the built command under a real one. */
import { readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { DirectoryChannel } from "../../src/broker/channel/directory.js";
import type { Home } from "../../src/broker/channel/home.js";
import { type Draft, type Request, requestFileName } from "../../src/broker/request/request.js";
import { settleAnswers } from "../support/answering.js";
import { runBare, wispOn } from "../support/built.js";
import { factOf, leftFact, startKeeper } from "../support/fact-trip.js";
import { replyPrompt } from "../support/person.js";
import { type Pty, ptyMissing, startInPty } from "../support/pty.js";
import { factDraft, questionDraft } from "../support/request-kinds.js";
import { openAsker, openFace, tempHome } from "../support/temp-home.js";

interface Asked {
  readonly home: Home;
  readonly channel: DirectoryChannel;
  readonly request: Request;
}

/** A request of this process, which takes answers as they come unless it is silent. */
function ask(draft: Draft, isSilent = false): Asked {
  const home = tempHome();
  const { channel } = openAsker(home);
  const request = channel.file(draft, []);
  if (!isSilent) settleAnswers(channel);
  return { home, channel, request };
}

const typing = ({ home }: Pick<Asked, "home">, ...words: readonly string[]): Pty =>
  startInPty(wispOn(home, ...words), { columns: 120 });

const open = questionDraft({}, { options: null, allowText: true });

describe.skipIf(ptyMissing !== null)(
  `facts and questions in a terminal${ptyMissing === null ? "" : ` (skipped: ${ptyMissing})`}`,
  () => {
    it.each([
      [
        ["facts", "keep"],
        factDraft(),
        /keeps it {6}here: \/home\/p\/api\nkept \(project, terminal\): api · test command — /,
      ],
      [
        ["facts", "keep", "--scope", "global"],
        factDraft(),
        /keeps it {6}everywhere\nType y and Enter .*\nkept \(global, terminal\): /,
      ],
      [["facts", "drop"], factDraft(), /^dropped \(terminal\): api · test command — /],
      [["facts", "drop", "--for-good"], factDraft(), /^dropped for good \(terminal\): /],
      [
        ["questions", "decline", "--note", "ask Ada"],
        questionDraft(),
        /^declined \(terminal\): .*: "ask Ada"\n$/,
      ],
    ])("%j decides at once, everywhere after a y", async (words, draft, told) => {
      const asked = ask(draft);
      const pty = typing(asked, ...words, asked.request.id.slice(0, 4));
      if (words.includes("global")) {
        await expect.poll(pty.output, { timeout: 15_000 }).toContain("Type y and Enter");
        pty.type("y\n");
      }
      expect(await pty.ended).toBe(0);
      expect(pty.output()).toMatch(told);
      expect(openFace(asked.home).receipt(asked.request.id)).toMatchObject({
        outcome: "answered",
        via: "cli",
      });
    });

    it.each<[string, Draft, readonly string[], object, string]>([
      ["a number", questionDraft(), ["7", "2"], { values: ["lite"], text: null }, '"SQLite"'],
      [
        "numbers",
        questionDraft({}, { multiple: true }),
        ["2, 1"],
        { values: ["lite", "pg"] },
        '"SQLite, PostgreSQL"',
      ],
      ["a text", open, ["MySQL 8, é"], { values: null, text: "MySQL 8, é" }, '"MySQL 8, é"'],
    ])("an answer is read at its own prompt: %s", async (_what, draft, typed, content, said) => {
      const asked = ask(draft, true);
      const { channel, request } = asked;
      const answers: unknown[] = [];
      channel.changes((id) => {
        const news = id === null ? null : channel.take(id);
        if (news?.kind !== "answer") return;
        answers.push(news.taken.answer);
        channel.settle(request.id, { outcome: "answered", taken: news.taken, ran: null });
      });
      const pty = typing(asked, "questions", "answer", request.id);
      for (const [index, line] of typed.entries()) {
        await prompted(pty, index + 1);
        pty.type(`${line}\n`);
      }
      expect(await pty.ended).toBe(0);
      expect(pty.output()).toContain(said);
      expect(answers).toEqual([expect.objectContaining({ id: request.id, decision: "answer", ...content })]);
    });

    it("of a fact with escapes, or long, asks for y, and no byte of it reaches the terminal", async () => {
      const words = { ...factDraft().fact, value: "npm\u001b]0;x\u0007 test\u202e" };
      const asked = ask(factDraft({ fact: words }));
      const pty = typing(asked, "facts", "keep", asked.request.id);
      await pty.seen("Type y and Enter to keep it (project)");
      pty.type("y\n");
      expect(await pty.ended).toBe(0);
      expect(pty.output()).toContain("npm\\u{1b}]0;x\\u{7} test\\u{202e}");
      expect(pty.output()).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    });

    it("escapes in options, and the same label twice, are shown by their numbers", async () => {
      const option = (value: string) => ({ value, label: "yes\u001b[2J", description: null });
      const asked = ask(questionDraft({}, { options: [option("a"), option("b")] }));
      const pty = typing(asked, "questions", "answer", asked.request.id);
      await prompted(pty, 1);
      pty.type("2\n");
      expect(await pty.ended).toBe(0);
      expect(pty.output()).toMatch(/option 1 {6}yes\\u\{1b\}\[2J\noption 2 {6}yes/);
      expect(pty.output()).not.toMatch(/[^\P{Cc}\n]/u);
    });

    it.each([
      ["an empty line", "\n", 7],
      ["Ctrl-C", "\u0003", 130],
      ["the end of the input", "\u0004", 7],
    ])("%s answers nothing, and the question waits on", async (_what, key, exit) => {
      const asked = ask(questionDraft());
      const pty = typing(asked, "questions", "answer", asked.request.id);
      await prompted(pty, 1);
      pty.type(key);
      expect(await pty.ended).toBe(exit);
      expect(pty.output()).toContain(`Not answered: ${asked.request.id} still waits.`);
      expect(openFace(asked.home).slot(asked.request.id).kind).toBe("free");
      expect(await typing(asked, "questions", "decline", asked.request.id).ended).toBe(0);
    });

    it("1 MB of text, and several lines at once, are not sent cut or in part", async () => {
      const asked = ask(open);
      const pty = typing(asked, "questions", "answer", asked.request.id);
      await prompted(pty, 1);
      pty.type(`${"x".repeat(1_048_576)}\n`);
      await pty.seen("may have cut this one");
      await prompted(pty, 2);
      pty.type("one\ntwo\nthree\n");
      await pty.seen("several lines came at once");
      await prompted(pty, 3);
      pty.type("MySQL\n");
      expect(await pty.ended).toBe(0);
      expect(pty.output()).toMatch(/: "MySQL"\n$/);
    });

    it.each([
      [factDraft(), ["facts", "keep"], ["facts", "drop"]],
      [questionDraft(), ["questions", "decline"], ["questions", "decline"]],
    ])("of two that answer at once exactly one wins: %#", async (draft, one, other) => {
      const asked = ask(draft);
      const ended = await Promise.all(
        [one, other].map((words) => typing(asked, ...words, asked.request.id).ended),
      );
      expect([...ended].sort()).toEqual([0, 5]);
    });

    it("an altered and a vanished fact are neither kept nor dropped", async () => {
      const asked = ask(factDraft(), true);
      const file = join(asked.home.pending, requestFileName(asked.request));
      writeFileSync(file, readFileSync(file, "utf8").replaceAll("npm test", "npm publish"));
      for (const verb of ["keep", "drop"]) {
        expect(await typing(asked, "facts", verb, asked.request.id).ended).toBe(6);
      }
      expect(openFace(asked.home).slot(asked.request.id).kind).toBe("free");
      unlinkSync(file);
      expect(await typing(asked, "facts", "keep", asked.request.id).ended).toBe(3);
    });

    it("a request of another kind is pointed to its command", async () => {
      const asked = ask(factDraft());
      const { id } = asked.request;
      for (const [words, right] of [
        [["approvals", "approve"], `wisp facts keep ${id}`],
        [["approvals", "deny"], `wisp facts drop ${id}`],
        [["questions", "answer"], `wisp facts keep ${id}`],
      ] as const) {
        const pty = typing(asked, ...words, id);
        expect(await pty.ended).toBe(2);
        expect(pty.output()).toContain(right);
      }
      expect(await typing(asked, "facts", "keep", id).ended).toBe(0);
    });

    it("a stopped server is waited for, keeps the fact when it goes on, and the fact is listed and forgotten", async () => {
      const home = tempHome();
      const server = startKeeper(home, null);
      const { id } = (await factOf(server)) ?? { id: "" };
      server.child.kill("SIGSTOP");
      const pty = typing({ home }, "facts", "keep", id);
      await pty.seen(`waiting for the server (process ${server.child.pid})`);
      server.child.kill("SIGCONT");
      expect(await pty.ended).toBe(0);
      expect(pty.output()).toMatch(/kept \(project, [^)]+\): /);
      const list = await runBare(wispOn(home, "facts", "list", "--json"));
      expect(JSON.parse(list.out)).toMatchObject({ schemaVersion: 1, facts: [{ id, scope: "project" }] });
      const forget = typing({ home }, "facts", "forget", id);
      expect(await forget.ended).toBe(0);
      expect(forget.output()).toMatch(/^forgotten \(kept: project\): /);
      expect(JSON.parse((await runBare(wispOn(home, "facts", "list", "--json"))).out).facts).toEqual([]);
      expect(readFileSync(join(home.path, "audit", "log.jsonl"), "utf8")).toContain(
        '"kind":"fact.forgotten"',
      );
    });

    it("a fact whose server is gone is kept by the command that answers", async () => {
      const { home, request } = await leftFact();
      const { id } = request;
      const pty = startInPty(wispOn(home, "facts", "keep", id), { isApart: true });
      expect(await pty.ended).toBe(0);
      expect(pty.output()).toMatch(/kept \(project, its server is gone\): /);
      expect(JSON.parse((await runBare(wispOn(home, "facts", "list", "--json"))).out).facts).toHaveLength(1);
    });
  },
);

describe("facts and questions without a terminal", () => {
  it.each([
    ["facts", "keep", factDraft()],
    ["facts", "drop", factDraft()],
    ["facts", "forget", factDraft()],
    ["questions", "answer", questionDraft()],
    ["questions", "decline", questionDraft()],
  ])("%s %s decides nothing, and says where", async (group, verb, draft) => {
    const { home, request } = ask(draft);
    const { exit, out, err } = await runBare(wispOn(home, group, verb, request.id));
    expect([exit, out]).toEqual([4, ""]);
    expect(err).toContain(`wisp ${group} ${verb} ${request.id}`);
    expect(openFace(home).slot(request.id).kind).toBe("free");
  });

  it("are listed in the shape of approvals pending, each kind by its own command", async () => {
    const home = tempHome();
    const { channel } = openAsker(home);
    const fact = channel.file(factDraft(), []);
    const question = channel.file(questionDraft(), []);
    for (const [group, request] of [
      ["facts", fact],
      ["questions", question],
    ] as const) {
      const all = JSON.parse((await runBare(wispOn(home, "approvals", "pending", "--json"))).out);
      const own = JSON.parse((await runBare(wispOn(home, group, "pending", "--json"))).out);
      const expected = all.requests.filter(({ id }: Request) => id === request.id);
      expect(own.requests.map(({ id, summary }: Record<string, unknown>) => [id, summary])).toEqual(
        expected.map(({ id, summary }: Record<string, unknown>) => [id, summary]),
      );
      const { out } = await runBare(wispOn(home, group, "pending"));
      expect(out).toMatch(new RegExp(`^${request.id}\t${request.kind}\t\\d+\t[^\n]+\n$`));
    }
  });
});

/** Resolves when the prompt stands there for the `count`th time. */
async function prompted(pty: Pty, count: number): Promise<void> {
  await expect.poll(() => pty.output().split(replyPrompt).length - 1, { timeout: 15_000 }).toBe(count);
}
