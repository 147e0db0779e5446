/** Facts and questions in the full-screen face, built and under a real terminal. */
import { describe, expect } from "vitest";
import type { Home } from "../../src/broker/channel/home.js";
import type { Answer } from "../../src/broker/request/answer.js";
import type { Draft, Request } from "../../src/broker/request/request.js";
import { shownText } from "../../src/broker/request/shown.js";
import { systemClock } from "../../src/broker/system/clock.js";
import { answerTo } from "../support/builders.js";
import { test } from "../support/person.js";
import { factDraft, questionDraft } from "../support/request-kinds.js";
import { openAsker, openFace, tempHome } from "../support/temp-home.js";
import { openTui, pressUntil, sentByFace, type Tui } from "../support/tui.js";

interface Asked {
  readonly home: Home;
  readonly requests: readonly Request[];
  /** What was decided so far, in the order in which it came. */
  readonly answers: readonly Pick<Answer, "id" | "decision" | "scope" | "note" | "values" | "text">[];
}

/** Requests of this process, the oldest first; it takes every answer, and settles it. */
function ask(...drafts: readonly Draft[]): Asked {
  const home = tempHome();
  let filedAt = 0;
  // What is filed first stands first, also where several are filed within a millisecond.
  const now = (): number => {
    filedAt = Math.max(filedAt + 1, Date.now());
    return filedAt;
  };
  const { channel } = openAsker(home, { clock: { ...systemClock, now } });
  const answers: Answer[] = [];
  channel.changes((id) => {
    const news = id === null ? null : channel.take(id);
    if (id === null || news?.kind !== "answer") return;
    answers.push(news.taken.answer);
    channel.settle(id, { outcome: "answered", taken: news.taken, ran: null });
  });
  const expiresAt = Date.now() + 600_000;
  const requests = drafts.map((draft) => channel.file({ ...draft, expiresAt }, []));
  return { home, requests, answers };
}

/** A fact to keep with this value, in a thread of its own. */
function fact(value: string): Draft {
  const draft = factDraft({ thread: value });
  return { ...draft, fact: { ...draft.fact, value } };
}

/** Presses `key` until the `count`th answer has come. */
async function answered(tui: Tui, key: string, answers: Asked["answers"], count: number): Promise<void> {
  await pressUntil(tui, key, () => answers.length >= count);
}

describe("facts", () => {
  test("are kept for their directory by y, everywhere by a when it comes twice, and dropped by d", async ({
    person: _,
  }) => {
    const { home, answers } = ask(fact("npm test"), fact("make check"), fact("rm -rf /"));
    const tui = await openTui(home);
    await tui.seen("┃ npm test");
    tui.pty.type("\r 1");
    await answered(tui, "y", answers, 1);
    await tui.seen("kept (project");
    await tui.seen("┃ make check");
    await answered(tui, "a", answers, 2);
    await tui.seen("┃ rm -rf /");
    await answered(tui, "d", answers, 3);
    expect(answers).toMatchObject([
      { decision: "keep", scope: "project" },
      { decision: "keep", scope: "always" },
      { decision: "drop", scope: null },
    ]);
  });
});

describe("questions", () => {
  const label = (name: string) => ({ value: `value-${name}`, label: name, description: null });

  test("are answered by what a digit chose or a person typed, when y comes, and declined by d", async ({
    person: _,
  }) => {
    const { home, answers } = ask(
      questionDraft({ thread: "1" }, { text: "Which one?" }),
      questionDraft(
        { thread: "2" },
        { text: "Which ones?", multiple: true, options: ["red", "green", "blue"].map(label) },
      ),
      questionDraft({ thread: "3" }, { text: "What words?", options: null, allowText: true }),
      questionDraft({ thread: "4" }, { text: "Whose fault?" }),
    );
    const tui = await openTui(home);
    await tui.seen("┃ Which one?");
    await pressUntil(tui, "2", () => tui.screen().join("\n").includes("y sends: 2 SQLite"));
    await tui.seen("(x) 2");
    tui.pty.type("\r \r");
    await answered(tui, "y", answers, 1);
    await tui.seen("┃ Which ones?");
    // A digit twice would be none; a key that means nothing here tells when the card has stood for long enough.
    await pressUntil(tui, "s", () => tui.screen().join("\n").includes("This is a question"));
    tui.pty.type("3");
    await tui.seen("y sends: 3 blue");
    tui.pty.type("1");
    await tui.seen("y sends: 1 red, 3 blue");
    await tui.seen("[ ] 2");
    await answered(tui, "y", answers, 2);
    await tui.seen("┃ What words?");
    await pressUntil(tui, "o", () => tui.screen().join("\n").includes("answer:"));
    tui.pty.type("\u001b[200~the eu one\ny\u001b[201~");
    await tui.seen("the eu one y");
    tui.pty.type("\r");
    await tui.seen('y sends: "');
    await answered(tui, "y", answers, 3);
    await tui.seen("┃ Whose fault?");
    await answered(tui, "d", answers, 4);
    expect(answers).toMatchObject([
      { decision: "answer", values: ["lite"], text: null },
      { decision: "answer", values: ["value-red", "value-blue"], text: null },
      { decision: "answer", values: null, text: expect.stringMatching(/the eu one y$/) },
      { decision: "decline", note: null },
    ]);
  });

  test("that are answered elsewhere give back what was typed, which answers nothing else", async ({
    person: _,
  }) => {
    const free = { options: null, allowText: true };
    const { home, requests, answers } = ask(
      questionDraft({ thread: "1" }, { ...free, text: "Which region?" }),
      questionDraft({ thread: "2" }, { ...free, text: "Which zone?" }),
    );
    const tui = await openTui(home);
    await tui.seen("┃ Which region?");
    await pressUntil(tui, "o", () => tui.screen().join("\n").includes("answer:"));
    tui.pty.type("my words");
    await tui.seen("my words");
    const [first] = requests;
    const answer = { decision: "answer", scope: null, values: null, text: "eu", via: "chat" } as const;
    if (first !== undefined) openFace(home).answer(answerTo(first, answer));
    await tui.seen("no longer waiting: answered in wisp chat");
    await tui.until((screen) => /› o*my words/.test(screen) && !screen.includes("┃ Which region?"));
    tui.pty.type("\r");
    await tui.seen("A command begins with /");
    expect(answers).toHaveLength(1);
    tui.pty.type("\u001b");
    await tui.seen("┃ Which zone?");
    await answered(tui, "d", answers, 2);
    expect(answers).toMatchObject([{ text: "eu" }, { decision: "decline" }]);
  });
});

describe("read aloud", () => {
  test("facts and questions are decided by typed words", async ({ person: _ }) => {
    const { home, answers } = ask(
      fact("npm test"),
      questionDraft({ thread: "1" }, { text: "Which ones?", multiple: true }),
    );
    const tui = await openTui(home, { words: ["--screen-reader"] });
    await tui.seen("Value: npm test");
    tui.pty.type("keep");
    await answered(tui, "\r", answers, 1);
    await tui.seen("Option 2: SQLite");
    tui.pty.type("why\r");
    await tui.seen("Type back, history, help, quit.");
    tui.pty.type("1\r");
    await pressUntil(tui, "\r", () => tui.sent().includes("send sends: 1 PostgreSQL"));
    tui.pty.type("2,1\r");
    await tui.seen("Enter came at once with what stands before it");
    await pressUntil(tui, "\r", () => tui.sent().includes("send sends: 1 PostgreSQL, 2 SQLite"));
    expect(answers).toHaveLength(1);
    tui.pty.type("send");
    await answered(tui, "\r", answers, 2);
    expect(answers).toMatchObject([
      { decision: "keep", scope: "project" },
      { decision: "answer", values: ["pg", "lite"] },
    ]);
  });
});

describe("a hostile fact or question", () => {
  const evil = "a\u001b]52;c;cm0=\u0007\u001b[38;5;201mred\r\u202e\u009b31m\u001b[?1049l\u001bc z";
  const asker = { client: { name: evil, version: evil }, says: evil, thread: evil };

  test("sends no byte of its own to the terminal, wherever it stands, and is shown", async ({
    person: _,
  }) => {
    const option = (value: string) => ({ value, label: `${value}${evil}`, description: evil });
    const { home, answers } = ask(
      factDraft({
        ...asker,
        fact: {
          subject: evil,
          name: evil,
          value: evil,
          source: evil,
          directory: `/tmp/${evil}`,
          similar: [{ id: "k7q2mx9d", value: evil }],
        },
      }),
      questionDraft(asker, { text: evil, options: [option("one"), option("two")], allowText: true }),
    );
    const tui = await openTui(home, { columns: 200, rows: 50 });
    await tui.seen(shownText(evil));
    await tui.seen("Keep a fact?");
    await pressUntil(tui, "a", () => tui.screen().join("\n").includes("a again keeps it everywhere"));
    await answered(tui, "y", answers, 1);
    await tui.seen("A question");
    await pressUntil(tui, "2", () => tui.screen().join("\n").includes("y sends: 2 two"));
    await answered(tui, "y", answers, 2);
    await tui.seen("Nothing waits for you");
    await expect.poll(() => tui.sent().endsWith("\u001b[?2026l")).toBe(true);
    const rest = tui.sent().replaceAll(sentByFace, "");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    expect(rest).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b\u202e]/);
    expect(tui.sent()).not.toContain("\u001b[38;5;201m");
    expect(tui.unusualModes()).toContain("alternate screen");
    expect(answers).toMatchObject([{ decision: "keep" }, { decision: "answer", values: ["two"] }]);
  });
});
