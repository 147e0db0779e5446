/** `wisp questions answer` and `decline` in this process. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { requestFileName } from "../../../src/broker/request/request.js";
import { mostLineBytes, typedReply } from "../../../src/cli/kinds/typed-reply.js";
import { answer, decline } from "../../../src/cli/question-verbs.js";
import { approvalDraft } from "../../support/builders.js";
import { answerIn, filedDraft, isWaiting, long } from "../../support/filed.js";
import { factDraft, questionDraft } from "../../support/request-kinds.js";
import { startVerb } from "../../support/run-verb.js";
import { openFace } from "../../support/temp-home.js";

const several = questionDraft({}, { multiple: true });
const open = questionDraft({}, { options: null, allowText: true });

describe("wisp questions answer", () => {
  it.each([
    [questionDraft(), "1", { values: ["pg"], text: null }, "PostgreSQL"],
    [several, "2, 1", { values: ["lite", "pg"], text: null }, "SQLite, PostgreSQL"],
    [open, " MySQL 8 ", { values: null, text: "MySQL 8" }, "MySQL 8"],
  ])("shows the question and gives what is typed at its prompt: %#", async (draft, typed, content, said) => {
    const { home, request } = filedDraft(draft, true);
    const { terminal, ended } = startVerb(answer, [request.id], { home });
    terminal.type(typed);
    expect(await answerIn(home, request)).toMatchObject({ decision: "answer", via: "cli", ...content });
    expect(terminal.said()).toContain("asks          Which database?\n");
    terminal.interrupt();
    expect((await ended).exit).toBe(130);
    const settled = filedDraft(draft);
    const again = startVerb(answer, [settled.request.id], { home: settled.home });
    again.terminal.type(typed);
    const { exit, out } = await again.ended;
    expect([exit, out]).toEqual([0, `answered (terminal): Which database? — for stdio: "${said}"\n`]);
  });

  it("lists the options by the numbers that choose them, and says what it takes", async () => {
    const { home, request } = filedDraft(questionDraft());
    const { terminal, ended } = startVerb(answer, [request.id], { home });
    terminal.type("2");
    const { err } = await ended;
    expect(err).toContain("option 1      PostgreSQL\n              as in production\noption 2      SQLite\n");
    expect(terminal.questions).toEqual(["Number, Enter (empty: nothing): "]);
  });

  it("breaks the question at blanks, and inside a word only where that is wider than the terminal", async () => {
    const words =
      "which-browser should the end-to-end tests use when they run on the machine of a colleague".split(" ");
    const long = "x".repeat(100);
    const { home, request } = filedDraft(questionDraft({}, { text: [...words, long].join(" ") }));
    const { terminal, ended } = startVerb(answer, [request.id], { home, columns: 60 });
    terminal.type("2");
    expect((await ended).exit).toBe(0);
    const rows = terminal.said().split("\n");
    const from = rows.findIndex((row) => row.startsWith("asks"));
    const to = rows.findIndex((row) => row.startsWith("option 1"));
    const asked = rows.slice(from, to).map((row) => row.slice(14));
    expect(asked.slice(0, -3).flatMap((row) => row.split(" "))).toEqual(words);
    expect(asked.slice(-3).join("")).toBe(long);
  });

  it("says what is wrong, and asks again up to three times in all", async () => {
    const { home, request } = filedDraft(questionDraft());
    const first = startVerb(answer, [request.id], { home });
    for (const typed of ["3", "Oracle", "1,2", "1"]) first.terminal.type(typed);
    const { exit, out, err } = await first.ended;
    expect([exit, out]).toEqual([7, ""]);
    expect(err).toContain("Not sent: there is no option 3; they are 1 to 2.\n");
    expect(err).toContain("Not sent: it takes a number.\n");
    expect(err).toContain("Not sent: it takes one number.\n");
    expect(err).toContain(`Not answered: ${request.id} still waits.\n  It takes a number.\n`);
    expect(first.terminal.questions).toHaveLength(3);
    expect(openFace(home).slot(request.id).kind).toBe("free");
    const second = startVerb(answer, [request.id], { home });
    for (const typed of ["3", "Oracle", "1"]) second.terminal.type(typed);
    expect((await second.ended).exit).toBe(0);
  });

  it.each(["", "  ", null])("%j answers nothing", async (typed) => {
    const { home, request } = filedDraft(questionDraft());
    const { terminal, ended } = startVerb(answer, [request.id], { home });
    terminal.type(typed);
    const { exit, err } = await ended;
    expect(exit).toBe(7);
    expect(err).toContain(`Not answered: ${request.id} still waits.\n  Nothing was typed.\n`);
    expect(err).toContain(`wisp questions decline ${request.id}\n`);
    expect(isWaiting(home)).toBe(true);
    const again = startVerb(answer, [request.id], { home });
    again.terminal.type("1");
    expect((await again.ended).exit).toBe(0);
  });

  it("Ctrl-C answers nothing", async () => {
    const { home, request } = filedDraft(questionDraft());
    const { terminal, ended } = startVerb(answer, [request.id], { home });
    await expect.poll(() => terminal.questions.length, long).toBe(1);
    terminal.interrupt();
    expect((await ended).exit).toBe(130);
    expect(isWaiting(home)).toBe(true);
  });

  it("ends with what was said elsewhere while it asks", async () => {
    const { home, request } = filedDraft(questionDraft());
    const { terminal, ended } = startVerb(answer, [request.id], { home });
    await expect.poll(() => terminal.questions.length, long).toBe(1);
    expect((await startVerb(decline, [request.id], { home }).ended).exit).toBe(0);
    const { exit, err } = await ended;
    expect(exit).toBe(5);
    expect(err).toContain("declined (terminal) in wisp questions");
  });

  it("shows options with escapes and equal labels by their numbers, and sends the value as filed", async () => {
    const options = [
      { value: "a\u001b[2J", label: "yes\u202e", description: null },
      { value: "b", label: "yes\u202e", description: null },
    ];
    const { home, request } = filedDraft(questionDraft({}, { options }));
    const { terminal, ended } = startVerb(answer, [request.id], { home });
    terminal.type("1");
    const { exit, out, err } = await ended;
    expect(exit).toBe(0);
    expect(out + err).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    expect(err).toContain("option 1      yes\\u{202e}\noption 2      yes\\u{202e}\n");
    expect(out).toContain('"yes\\u{202e}"');
  });
});

describe("a line at the prompt of a question", () => {
  const { question } = open;

  it.each([
    ["several lines", "one\ntwo", /^several lines came at once/],
    ["as long as a terminal takes", "x".repeat(mostLineBytes), /may have cut this one$/],
    ["1 MB", "x".repeat(1_048_576), /may have cut this one$/],
    ["cut within a character", `${"é".repeat((mostLineBytes - 1) / 2)}\ufffd`, /may have cut this one$/],
    ["an arrow key", "lef\u001b[Dt", /a key like an arrow/],
    ["a control character of one byte more", "lef\u009bDt", /a key like an arrow/],
    ["half a surrogate pair", "\ud800", /./],
  ])("is not sent: %s", (_what, line, why) => {
    expect(typedReply(line, question)).toEqual({ kind: "wrong", why: expect.stringMatching(why) });
    expect(typedReply("x".repeat(mostLineBytes - 1), question).kind).toBe("content");
  });

  it("has as many bytes as the README says", () => {
    const most = (mostLineBytes - 1).toLocaleString("en");
    const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8").replace(/\s+/g, " ");
    expect(readme).toMatch(new RegExp(`one that is typed here at most [^:]*\\b${most} on`));
  });
});

describe("wisp questions decline", () => {
  it("declines at once, with the note or without", async () => {
    for (const [flags, tail] of [
      [[], ""],
      [["--note", "ask \u202eAda"], ': "ask \\u{202e}Ada"'],
    ] as const) {
      const { home, request } = filedDraft(questionDraft());
      const { terminal, ended } = startVerb(decline, [request.id, ...flags], { home });
      expect(await ended).toEqual({
        exit: 0,
        out: `declined (terminal): Which database? — for stdio${tail}\n`,
        err: "",
      });
      expect(terminal.questions).toEqual([]);
      expect(openFace(home).receipt(request.id)).toMatchObject({ decision: "decline", outcome: "answered" });
    }
  });
});

describe("what is said to a question", () => {
  it.each([
    [answer, "answer"],
    [decline, "decline"],
  ])("is given only at a terminal: %#", async (verb, name) => {
    const { home, request } = filedDraft(questionDraft());
    const { exit, err } = await startVerb(verb, [request.id], { home, canAnswer: false }).ended;
    expect(exit).toBe(4);
    expect(err).toContain(`run: WISP_HOME=${home.path} wisp questions ${name} ${request.id}\n`);
    expect(isWaiting(home)).toBe(true);
  });

  it.each([
    [answer, approvalDraft(), "wisp approvals approve"],
    [decline, factDraft(), "wisp facts drop"],
  ])("of another kind names the right command: %#", async (verb, draft, right) => {
    const { home, request } = filedDraft(draft);
    const { exit, err } = await startVerb(verb, [request.id], { home }).ended;
    expect(exit).toBe(2);
    expect(err).toContain(`${right} ${request.id}\n`);
    expect(isWaiting(home)).toBe(true);
  });

  it("that was changed after it was filed is not given", async () => {
    const { home, request } = filedDraft(questionDraft());
    const file = join(home.pending, requestFileName(request));
    const original = readFileSync(file, "utf8");
    writeFileSync(file, original.replaceAll("SQLite", "Oracle"));
    for (const verb of [answer, decline])
      expect((await startVerb(verb, [request.id], { home }).ended).exit).toBe(6);
    writeFileSync(file, original);
    expect((await startVerb(decline, [request.id], { home }).ended).exit).toBe(0);
  });
});
