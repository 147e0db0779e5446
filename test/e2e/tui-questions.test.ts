/** Questions in the full-screen face, built and under a real terminal. */
import { describe, expect } from "vitest";
import { answerTo } from "../support/builders.js";
import { test } from "../support/person.js";
import { questionDraft } from "../support/request-kinds.js";
import { openFace } from "../support/temp-home.js";
import { openTui, pressUntil } from "../support/tui.js";
import { answered, ask } from "../support/tui-asked.js";

describe("questions", () => {
  const label = (name: string) => ({ value: `value-${name}`, label: name, description: null });
  const alike = (value: string) => ({ value, label: "the same", description: null });

  test("are answered by what a digit chose or a person typed, when y comes, and declined by d", async ({
    person: _,
  }) => {
    const { home, answers, files } = ask(
      questionDraft({ thread: "1" }, { text: "Which one?", options: ["one", "two"].map(alike) }),
    );
    const tui = await openTui(home);
    await tui.seen("┃ Which one?");
    await pressUntil(tui, "2", () => tui.screen().join("\n").includes("y sends: 2 the same"));
    await tui.seen("(x) 2");
    tui.pty.type("\r \r");
    await answered(tui, "y", answers, 1);
    const colours = ["red", "green", "blue"].map(label);
    files(questionDraft({ thread: "2" }, { text: "Which ones?", multiple: true, options: colours }));
    await tui.seen("┃ Which ones?");
    // A digit twice would be none; a key that means nothing here tells when the card has stood for long enough.
    await pressUntil(tui, "s", () => tui.screen().join("\n").includes("This is a question"));
    tui.pty.type("3");
    await tui.seen("y sends: 3 blue");
    tui.pty.type("1");
    await tui.seen("y sends: 1 red, 3 blue");
    await tui.seen("[ ] 2");
    await answered(tui, "y", answers, 2);
    files(questionDraft({ thread: "3" }, { text: "What words?", options: null, allowText: true }));
    await tui.seen("┃ What words?");
    await pressUntil(tui, "o", () => tui.screen().join("\n").includes("answer:"));
    tui.pty.type("\u001b[200~the eu one\ny\u001b[201~");
    await tui.seen("the eu one y");
    tui.pty.type("\r");
    await tui.seen('y sends: "');
    await answered(tui, "y", answers, 3);
    files(questionDraft({ thread: "4" }, { text: "Whose fault?" }));
    await tui.seen("┃ Whose fault?");
    await answered(tui, "d", answers, 4);
    expect(answers).toMatchObject([
      { decision: "answer", values: ["two"], text: null },
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
