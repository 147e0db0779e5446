import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shownText } from "../../../src/broker/index.js";
import { wide } from "../../../src/face/wide.js";
import { wrapped } from "../../../src/face/wrap.js";
import { announced } from "../../../src/tui/components/announced.js";
import { leftText, linearText } from "../../../src/tui/components/linear.js";
import type { Screen } from "../../../src/tui/screen/screen.js";
import { screenOf as shownBy } from "../../../src/tui/screen/screen-of.js";
import { cardPart, cardRow, queueRow, screenOf, workBody } from "../../support/screens.js";
import { Stage } from "../../support/tui-events.js";
import { toRun } from "../../support/tui-requests.js";

describe("what is read aloud", () => {
  it("tells how many wait, then of one its level, id, time, what runs, whose words are whose, and the keys", () => {
    expect(
      linearText(screenOf({ header: { waits: "1 of 3 waiting", health: "~/.wisp ok", isHealthy: true } })),
    ).toEqual([
      "1 of 3 waiting.",
      "Run a command? Level high. Id k7q2mx9d. 9 minutes 41 seconds left.",
      "Runs: git push --force origin main",
      "In: /src/api",
      "Calls itself: claude-code 2.1",
      "Agent says, in its own words: Publish the fix so CI can run",
      "Level: high: rewrites what others have",
      "Warning: 1 character stands escaped, as \\u{…} or ␠×N",
      "y approves once, d denies",
      "Keys: y once, s session (not now), d deny, q quit.",
    ]);
  });

  it("holds what was folded to columns as it was, line by line and whatever its script", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme", maxLength: 80 }), { minLength: 1, maxLength: 4 }),
        (texts) => {
          const lines = texts.map(shownText);
          const rows = lines.flatMap((line, lineIndex) =>
            wrapped(line, 7, wide).map((piece, index) =>
              cardRow(index > 0 ? "" : lineIndex > 0 ? "⏎" : "runs", piece, "content"),
            ),
          );
          const told = linearText(screenOf({ body: workBody(cardPart({ rows })) })).slice(
            2,
            2 + lines.length,
          );
          expect(told).toEqual(lines.map((line, index) => `${index === 0 ? "Runs" : "Next line"}: ${line}`));
        },
      ),
      { numRuns: 50 },
    );
  });

  it("holds no frame and no escape of ours, and no line of a request that has no label before it", () => {
    const hostile = "\u001b[2J\nLevel low. Id aaaaaaaa.\r\u202e";
    const rows = shownText(hostile)
      .match(/.{1,9}/gu)
      ?.map((text, index) => cardRow(index === 0 ? "agent says" : "", text, "words"));
    const lines = linearText(screenOf({ body: workBody(cardPart({ rows: rows ?? [] })) }));
    expect(lines.join("")).not.toMatch(/[\p{Cc}\u2500-\u257f]/u);
    expect(lines[2]).toBe(`Agent says, in its own words: ${shownText(hostile)}`);
    expect(lines).toHaveLength(5);
  });

  it("says of every line of a change what becomes of it, and joins what was folded", () => {
    const rows = [
      cardRow("change", "  same", "content"),
      cardRow("", "- old beg", "removed", false),
      cardRow("", "· inning", "removed"),
      cardRow("", "+ new", "added", false),
      cardRow("", "· is no fold", "content", false),
      cardRow("", "  end", "content", false),
      cardRow("server", "files"),
    ];
    expect(linearText(screenOf({ body: workBody(cardPart({ rows })) })).slice(2, 8)).toEqual([
      "Unchanged: same",
      "Removed: old beginning",
      "Added: new",
      "Unchanged: is no fold",
      "Unchanged: end",
      "Server: files",
    ]);
  });

  it("keeps the blanks between the lines of a text of ours, and gives no text of a request a line of its own", () => {
    const rows = [
      cardRow("session", "exactly this line in this direc"),
      cardRow("", "tory,"),
      cardRow("", "until 2 h without use,", "plain", false),
      cardRow("option", "PostgreSQL"),
      cardRow("", "Level low. Id aaaa", "plain", false),
      cardRow("", "aaaa."),
    ];
    expect(linearText(screenOf({ body: workBody(cardPart({ rows })) })).slice(2, 4)).toEqual([
      "Session: exactly this line in this directory, until 2 h without use,",
      "Option: PostgreSQL Level low. Id aaaaaaaa.",
    ]);
  });

  it("tells what a yes for the session covers as it stands on the card", () => {
    const stage = new Stage({ columns: 60, rows: 60 });
    const client = { name: "claude-code", version: "2.1" };
    stage.waits([toRun("git push", { scopes: ["once", "session"], client })]);
    expect(linearText(shownBy(stage.model))).toContain(
      "Session: exactly this line in this directory, until 2 h without use, 12 h at most, only for this connection of claude-code",
    );
  });

  it("names words that are typed as they are, and which of them are not taken now", () => {
    const keys = ["approve", "deny", "quit"].map((key) => ({ key, does: "", isDim: key === "approve" }));
    expect(linearText(screenOf({ keys })).at(-1)).toBe("Type approve (not now), deny, quit.");
  });

  it.each([
    ["9:41", "9 minutes 41 seconds left"],
    ["1:00:01", "1 hour 1 second left"],
    ["0:00", "no time left"],
    ["3 d", "3 days left"],
    ["6 d 23 h", "6 days 23 hours left"],
    ["2 d 1 h", "2 days 1 hour left"],
    ["ended", "ended"],
  ])("of %s is '%s'", (left, told) => {
    expect(leftText(left)).toBe(told);
  });
});

describe("what is announced", () => {
  const before = screenOf();
  const withCard = (overrides: Parameters<typeof cardPart>[0]): Screen =>
    screenOf({ body: workBody(cardPart(overrides)) });

  it("is everything at first, and nothing while nothing changes but the time", () => {
    expect(announced(null, before)).toEqual(linearText(before));
    expect(announced(before, before)).toEqual([]);
    expect(announced(before, withCard({ left: "9:40" }))).toEqual([]);
  });

  it.each([
    ["5:01", "5:00", "5 minutes left."],
    ["1:00:00", "4:59", "4 minutes 59 seconds left."],
    ["1:01", "0:58", "58 seconds left."],
    ["0:16", "0:15", "15 seconds left."],
    ["0:05", "ended", "ended."],
  ])("is how much time there is when %s becomes %s", (then, now, told) => {
    expect(announced(withCard({ left: then }), withCard({ left: now }))).toEqual([told]);
    expect(announced(withCard({ left: now }), withCard({ left: now }))).toEqual([]);
  });

  it("is the whole card when another one opens or the open one says something else", () => {
    for (const change of [
      { id: "p4rv8d2k" },
      { rows: [cardRow("runs", "ls", "content")] },
      { level: "low" },
    ]) {
      expect(announced(before, withCard(change))).toEqual(linearText(withCard(change)));
    }
  });

  it("is each notice once, also when old ones go and the same text comes again", () => {
    const first = { text: "first", isWarning: false, at: 1 };
    const second = { text: "second", isWarning: false, at: 2 };
    const warning = { text: "look", isWarning: true, at: 3 };
    const noted = (...notices: Screen["notices"]): Screen => screenOf({ notices });
    expect(announced(noted(first), noted(first, second))).toEqual(["second"]);
    expect(announced(noted(first, second), noted(second, warning))).toEqual(["Warning: look"]);
    expect(announced(noted(first, second), noted(second))).toEqual([]);
    expect(announced(noted(first), noted({ ...first, at: 4 }))).toEqual(["first"]);
  });

  it("is no notice again because the one behind it went", () => {
    const news = { text: "approved (once): run one", isWarning: false, at: 1 };
    const hint = { text: 'There is no word "x".', isWarning: true, at: 2 };
    const next = { text: "approved (once): run two", isWarning: false, at: 3 };
    const noted = (...notices: Screen["notices"]): Screen => screenOf({ notices });
    expect(announced(noted(news, hint), noted(news, next))).toEqual(["approved (once): run two"]);
    expect(announced(noted(news, hint), noted(news))).toEqual([]);
  });

  it("is how much waits and how well the channel is, when that changes", () => {
    const others = screenOf({ header: { waits: "2 waiting", health: "~/.wisp polling", isHealthy: true } });
    expect(announced(before, others)).toEqual(["2 waiting.", "~/.wisp polling."]);
  });

  it("is what has to be typed, when it is asked and not with every character", () => {
    const asked = (text: string, prompt = "type main to approve:"): Screen =>
      screenOf({ input: { prompt, text, caret: text.length, hint: "" } });
    expect(announced(before, asked(""))).toEqual(["type main to approve:"]);
    expect(announced(asked(""), asked("m"))).toEqual([]);
    expect(announced(asked("m"), asked("", "reason:"))).toEqual(["reason:"]);
    expect(announced(before, asked("", "›"))).toEqual([]);
  });

  it("is the page that opens, and the card when it closes", () => {
    const line = { text: "14:02 approved", isDim: false, isSelected: false };
    const page = screenOf({ body: { kind: "pages", title: "History", lines: [line], above: 0, below: 0 } });
    expect(announced(before, page)).toContain("14:02 approved");
    expect(announced(page, before)).toContain("Runs: git push --force origin main");
  });

  it("never is a card that stands behind: one of the queue has a line of its own there", () => {
    const two = screenOf({
      body: workBody(cardPart(), [queueRow(), queueRow({ key: "b", isSelected: false })]),
    });
    expect(announced(before, two)).toEqual([]);
  });
});
