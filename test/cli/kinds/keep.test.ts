/** `wisp facts keep` and `drop` in this process. */
import { readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { requestFileName } from "../../../src/broker/request/request.js";
import { drop, factVerbs, keep } from "../../../src/cli/fact-verbs.js";
import { approvalDraft } from "../../support/builders.js";
import { answerIn, filedDraft, isWaiting, long } from "../../support/filed.js";
import { factDraft, questionDraft } from "../../support/request-kinds.js";
import { startVerb } from "../../support/run-verb.js";
import { openFace } from "../../support/temp-home.js";

const wordsOf = (overrides: Partial<ReturnType<typeof factDraft>["fact"]>) =>
  factDraft({ fact: { ...factDraft().fact, ...overrides } });

describe("wisp facts keep", () => {
  it("shows the fact whole, what is similar beside it and how far it is kept, and keeps it at once", async () => {
    const { home, request } = filedDraft(factDraft());
    const { terminal, ended } = startVerb(keep, [request.id.slice(0, 4)], { home });
    const { exit, out, err } = await ended;
    expect([exit, out]).toEqual([
      0,
      "kept (project, terminal): api · test command — for test-client, thread setup\n",
    ]);
    expect(err).toContain("about         api\nname          test command\nvalue         npm test\n");
    expect(err).toContain("kept already  abcdefgh: npm run test\n");
    expect(err).toMatch(/keeps it {6}here: \/home\/p\/api\n$/);
    expect(terminal.questions).toEqual([]);
    expect(openFace(home).receipt(request.id)).toMatchObject({
      decision: "keep",
      scope: "project",
      via: "cli",
    });
  });

  it.each([
    ["--scope project", factDraft(), "project", "here: /home/p/api", "project"],
    ["--scope=global", factDraft(), "always", "everywhere", "global"],
    ["--scope everywhere", factDraft(), "always", "everywhere", "global"],
    ["", wordsOf({ directory: null }), "always", "everywhere", "global"],
  ])("with %j says how far before it keeps it", async (flag, draft, scope, where, said) => {
    const { home, request } = filedDraft(draft);
    const words = [request.id, ...flag.split(" ").filter((word) => word !== "")];
    const isWider = scope === "always" && flag !== "";
    if (isWider) {
      const no = startVerb(keep, words, { home });
      no.terminal.type("n");
      expect((await no.ended).exit).toBe(7);
      expect(isWaiting(home)).toBe(true);
    }
    const yes = startVerb(keep, words, { home });
    if (isWider) yes.terminal.type("y");
    const { exit, out, err } = await yes.ended;
    const question = "Type y and Enter to keep it (global); anything else answers nothing: ";
    expect(yes.terminal.questions).toEqual(isWider ? [question] : []);
    expect([exit, out.split(":")[0]]).toEqual([0, `kept (${said}, terminal)`]);
    expect(err).toContain(`keeps it      ${where}\n`);
    expect(openFace(home).receipt(request.id)).toMatchObject({ scope });
  });

  it.each([
    ["always", /A fact is kept for project or global or everywhere, not always\./, factDraft()],
    ["project", /belongs to no directory/, wordsOf({ directory: null })],
  ])("for %s, which there is not, is wrong usage", async (scope, why, draft) => {
    const { home, request } = filedDraft(draft);
    const { exit, out, err } = await startVerb(keep, [request.id, "--scope", scope], { home }).ended;
    expect([exit, out]).toEqual([2, ""]);
    expect(err).toMatch(why);
    expect(isWaiting(home)).toBe(true);
    expect((await startVerb(keep, [request.id], { home }).ended).exit).toBe(0);
  });

  it.each([
    ["eleven lines", wordsOf({ value: "a\n".repeat(10) })],
    ["a character that stands escaped", wordsOf({ value: "npm\u202etest" })],
    ["an escape in its name", wordsOf({ name: "a\u001b[2J" })],
    ["an escape beside it", wordsOf({ similar: [{ id: "abcdefgh", value: "\u0007" }] })],
  ])("asks for y before it keeps %s", async (_what, draft) => {
    const { home, request } = filedDraft(draft);
    for (const typed of ["", "n", "yes", null]) {
      const no = startVerb(keep, [request.id], { home });
      no.terminal.type(typed);
      const { exit, err } = await no.ended;
      expect(exit).toBe(7);
      expect(err).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
      expect(err).toContain(`Not answered: ${request.id} still waits.\n  To keep it, type "y".\n`);
      expect(err).toContain(`To drop it: WISP_HOME=${home.path} wisp facts drop ${request.id}\n`);
    }
    expect(openFace(home).slot(request.id).kind).toBe("free");
    const yes = startVerb(keep, [request.id], { home });
    yes.terminal.type("Y");
    expect((await yes.ended).exit).toBe(0);
    expect(yes.terminal.questions).toEqual([
      "Type y and Enter to keep it (project); anything else answers nothing: ",
    ]);
  });

  it("answers nothing after Ctrl-C at its question", async () => {
    const { home, request } = filedDraft(wordsOf({ value: "a\u202eb" }));
    const { terminal, ended } = startVerb(keep, [request.id], { home });
    await expect.poll(() => terminal.questions.length, long).toBe(1);
    terminal.interrupt();
    expect((await ended).exit).toBe(130);
    expect(isWaiting(home)).toBe(true);
    const again = startVerb(keep, [request.id], { home });
    again.terminal.type("y");
    expect((await again.ended).exit).toBe(0);
  });

  it("ends with what was said elsewhere while it asks", async () => {
    const { home, request } = filedDraft(wordsOf({ value: "a\u202eb" }));
    const { terminal, ended } = startVerb(keep, [request.id], { home });
    await expect.poll(() => terminal.questions.length, long).toBe(1);
    expect((await startVerb(drop, [request.id], { home }).ended).exit).toBe(0);
    const { exit, err } = await ended;
    expect(exit).toBe(5);
    expect(err).toContain("dropped (terminal) in wisp facts");
  });
});

describe("wisp facts drop", () => {
  it.each([
    [[], "dropped (terminal)", null],
    [["--for-good"], "dropped for good (terminal)", "always"],
  ])("%j drops it at once, and asks nothing", async (flags, said, scope) => {
    const { home, request } = filedDraft(wordsOf({ value: "a\u202eb" }));
    const { terminal, ended } = startVerb(drop, [request.id, ...flags], { home });
    expect(await ended).toEqual({
      exit: 0,
      out: `${said}: api · test command — for test-client, thread setup\n`,
      err: "",
    });
    expect(terminal.questions).toEqual([]);
    expect(openFace(home).receipt(request.id)).toMatchObject({ decision: "drop", scope });
  });
});

describe("a decision about a fact", () => {
  it.each([
    ["keep", "fact"],
    ["drop", "fact"],
  ])("is given only at a terminal: %s", async (name) => {
    const { home, request } = filedDraft(factDraft());
    const verb = factVerbs.get(name) ?? keep;
    const { exit, out, err } = await startVerb(verb, [request.id], { home, canAnswer: false }).ended;
    expect([exit, out]).toEqual([4, ""]);
    expect(err).toContain(
      `Open a terminal and run: WISP_HOME=${home.path} wisp facts ${name} ${request.id}\n`,
    );
    expect(openFace(home).slot(request.id).kind).toBe("free");
    expect((await startVerb(verb, [request.id], { home }).ended).exit).toBe(0);
  });

  it.each([
    [keep, approvalDraft(), "an approval", "wisp approvals approve"],
    [drop, approvalDraft(), "an approval", "wisp approvals deny"],
    [keep, questionDraft(), "a question", "wisp questions answer"],
    [drop, questionDraft(), "a question", "wisp questions decline"],
  ])("of another kind names the right command: %#", async (verb, draft, one, right) => {
    const { home, request } = filedDraft(draft);
    const { exit, err } = await startVerb(verb, [request.id], { home }).ended;
    expect(exit).toBe(2);
    expect(err).toContain(`${request.id} is ${one}, not a fact.\n`);
    expect(err).toContain(`${right} ${request.id}\n`);
    expect(isWaiting(home)).toBe(true);
  });

  it("to one that was changed after it was filed is not given", async () => {
    const { home, request } = filedDraft(factDraft());
    const file = join(home.pending, requestFileName(request));
    const original = readFileSync(file, "utf8");
    writeFileSync(file, original.replaceAll("npm test", "npm publish"));
    for (const verb of [keep, drop]) {
      const { exit, err } = await startVerb(verb, [request.id], { home }).ended;
      expect(exit).toBe(6);
      expect(err).toContain("What would be shown is not what its server filed.");
    }
    expect(openFace(home).slot(request.id).kind).toBe("free");
    writeFileSync(file, original);
    expect((await startVerb(keep, [request.id], { home }).ended).exit).toBe(0);
  });

  it("to one that has vanished is not given", async () => {
    const { home, request } = filedDraft(factDraft(), true);
    unlinkSync(join(home.pending, requestFileName(request)));
    for (const verb of [keep, drop])
      expect((await startVerb(verb, [request.id], { home }).ended).exit).toBe(3);
  });

  it("that vanishes while y is asked for is not given", async () => {
    const { home, request } = filedDraft(wordsOf({ value: "a\u202eb" }), true);
    const { terminal, ended } = startVerb(keep, [request.id], { home });
    await expect.poll(() => terminal.questions.length, long).toBe(1);
    unlinkSync(join(home.pending, requestFileName(request)));
    expect((await ended).exit).toBe(3);
  });

  it("that its server could not carry out says that nothing was kept", async () => {
    const { home, request, channel } = filedDraft(factDraft(), true);
    const { ended } = startVerb(keep, [request.id], { home });
    await answerIn(home, request);
    const news = channel.take(request.id);
    if (news?.kind !== "answer") throw new Error("There is no answer.");
    channel.settle(request.id, { outcome: "failed", taken: news.taken, ran: null });
    const { exit, err } = await ended;
    expect(exit).toBe(8);
    expect(err).toContain(
      `Your answer to ${request.id} was first, but that could not be written down or kept, so nothing was kept.`,
    );
  });
});
