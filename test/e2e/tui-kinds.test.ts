/** Facts and questions in the full-screen face, built and under a real terminal. */
import { readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { type Draft, requestFileName } from "../../src/broker/request/request.js";
import { shownText } from "../../src/broker/request/shown.js";
import { factState, leftFact } from "../support/fact-trip.js";
import { test } from "../support/person.js";
import { factDraft, questionDraft } from "../support/request-kinds.js";
import { openFace } from "../support/temp-home.js";
import { recordsOf } from "../support/trip.js";
import { openTui, pressAll, pressUntil, sentByFace } from "../support/tui.js";
import { answered, ask, askIn } from "../support/tui-asked.js";

/** A fact to keep with this value, in a thread of its own. */
function fact(value: string): Draft {
  const draft = factDraft({ thread: value });
  return { ...draft, fact: { ...draft.fact, value } };
}

describe("facts", () => {
  test("are kept for their directory by y, everywhere by a when it comes twice, and dropped by d; not once altered", async ({
    person: _,
  }) => {
    const { home, answers, files } = ask(fact("npm test"));
    const tui = await openTui(home);
    await tui.seen("┃ npm test");
    tui.pty.type("\r 1");
    await answered(tui, "y", answers, 1);
    await tui.seen("kept (project");
    files(fact("make check"));
    await tui.seen("┃ make check");
    await answered(tui, "a", answers, 2);
    files(fact("rm -rf /"));
    await tui.seen("┃ rm -rf /");
    await answered(tui, "d", answers, 3);
    expect(answers).toMatchObject([
      { decision: "keep", scope: "project" },
      { decision: "keep", scope: "always" },
      { decision: "drop", scope: null },
    ]);
    const altered = files(fact("make lint"));
    await tui.seen("┃ make lint");
    const file = join(home.pending, requestFileName(altered));
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("make lint", "make evil"));
    await tui.seen("changed after it was filed");
    await pressAll(tui, "y");
    expect(openFace(home).slot(altered.id).kind).toBe("free");
    unlinkSync(file);
    await tui.seen("Nothing waits for you");
    expect(answers).toHaveLength(3);
  });
});

describe("read aloud", () => {
  test("facts and questions are decided by typed words; a fact whose server is gone is carried out by the face", async ({
    person: _,
  }) => {
    const { home, request } = await leftFact();
    const tui = await openTui(home, { words: ["--screen-reader"], isApart: true });
    await tui.seen("Value: npm test");
    tui.pty.type("keep");
    await pressUntil(tui, "\r", () => factState(home, request).standing === "kept");
    await tui.seen("kept (project");
    expect(factState(home, request)).toMatchObject({ isWaiting: false, hasSlot: false, told: "keep" });
    expect(recordsOf(home, "fact.answered", request.id)).toMatchObject([{ session: "tui" }]);
    const { answers } = askIn(home, questionDraft({}, { text: "Which ones?", multiple: true }));
    await tui.seen("Option 2: SQLite");
    tui.pty.type("why\r");
    await tui.seen("Type back, history, help, quit.");
    tui.pty.type("1\r");
    await pressUntil(tui, "\r", () => tui.sent().includes("send sends: 1 PostgreSQL"));
    tui.pty.type("2,1\r");
    await tui.seen("Enter came at once with what stands before it");
    await pressUntil(tui, "\r", () => tui.sent().includes("send sends: 1 PostgreSQL, 2 SQLite"));
    expect(answers).toHaveLength(0);
    tui.pty.type("send");
    await answered(tui, "\r", answers, 1);
    expect(answers).toMatchObject([{ decision: "answer", values: ["pg", "lite"] }]);
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
