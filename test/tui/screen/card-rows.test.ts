import { describe, expect, it } from "vitest";
import type { Card, Field } from "../../../src/face/card.js";
import { foldedCard } from "../../../src/tui/screen/card-rows.js";
import { viewFor } from "../../support/tui-events.js";
import { toRun } from "../../support/tui-requests.js";

function cardWith(...fields: readonly Field[]): Card {
  return { fields, escapes: 0 };
}

function content(label: string, ...lines: readonly string[]): Field {
  return { label, lines, isContent: true };
}

describe("the rows of a card", () => {
  it("keep each text under its own label, and mark its further lines", () => {
    const { rows, lastContent } = foldedCard(
      viewFor(toRun("echo a\necho bbbbbbbb", { says: "in\nhere" })).card,
      6,
    );
    expect(rows.slice(0, 4)).toEqual([
      { label: "runs", text: "echo a", tone: "content", isFold: false },
      { label: "⏎", text: "echo b", tone: "content", isFold: false },
      { label: "", text: "bbbbbb", tone: "content", isFold: true },
      { label: "", text: "b", tone: "content", isFold: true },
    ]);
    expect(lastContent).toBe(3);
    expect(rows.filter(({ tone }) => tone === "words")).toEqual([
      { label: "agent says", text: "in", tone: "words", isFold: false },
      { label: "⏎", text: "here", tone: "words", isFold: false },
    ]);
  });

  it("tell a field without a label from a line that goes on", () => {
    const { rows } = foldedCard(
      cardWith(
        { label: "session", lines: ["this line,"], isContent: false },
        { label: "", lines: ["until 2 h without use"], isContent: false },
      ),
      12,
    );
    expect(rows.map(({ label, text, isFold }) => [label, text, isFold])).toEqual([
      ["session", "this line,", false],
      ["", "until 2 h wi", false],
      ["", "thout use", true],
    ]);
  });

  it("warn right behind what runs, before anything that can push the warning out of sight", () => {
    const card = viewFor(toRun("git push \u202eniam", { says: "words\n".repeat(80) })).card;
    expect(foldedCard(card, 60).rows.slice(0, 2)).toMatchObject([
      { label: "runs" },
      { label: "warning", text: expect.stringContaining("escaped") },
    ]);
  });

  it.each(["warning", "attention", "answers"])("are marked where they warn: %s", (label) => {
    const { rows } = foldedCard(
      cardWith(
        { label, lines: ["look"], isContent: false },
        { label: "in", lines: ["/x"], isContent: false },
      ),
      60,
    );
    expect(rows.map(({ tone }) => tone)).toEqual(["warning", "plain"]);
  });

  it("say of a change of the tool's own definition that it is one, and of no other", () => {
    const was = foldedCard(cardWith(content("was", "a"), content("became", "b")), 60).rows;
    expect(was[0]).toMatchObject({
      label: "attention",
      text: "the server or its tool's definition is another now:",
      tone: "warning",
    });
    expect(was.slice(1).map(({ text }) => text)).toEqual(["- a", "+ b"]);
    const edit = foldedCard(cardWith(content("before", "a"), content("after", "b")), 60).rows;
    expect(edit.map(({ text }) => text)).toEqual(["- a", "+ b"]);
  });

  it("leave out what the frame says", () => {
    const labels = foldedCard(viewFor(toRun("git push")).card, 60).rows.map(({ label }) => label);
    expect(labels).not.toContain("request");
    expect(labels).not.toContain("left");
    expect(labels).toContain("from here");
  });

  it("are folded once for each card and width", () => {
    const { card } = viewFor(toRun("git push"));
    expect(foldedCard(card, 60)).toBe(foldedCard(card, 60));
    expect(foldedCard(card, 50).rows).not.toBe(foldedCard(card, 60).rows);
  });

  it("show a text that replaces another as what goes, what comes and what stays", () => {
    const before = content("before", "one", "two", "three");
    const { rows, lastContent } = foldedCard(
      cardWith(content("replace", "a.txt"), before, content("after", "one", "2", "three")),
      60,
    );
    expect(rows.slice(1).map(({ text, tone }) => [text, tone])).toEqual([
      ["  one", "content"],
      ["- two", "removed"],
      ["+ 2", "added"],
      ["  three", "content"],
    ]);
    expect(lastContent).toBe(4);
  });

  it("let no part of a folded line pass for a line of its own", () => {
    const { rows } = foldedCard(cardWith(content("before", "x"), content("after", "y".repeat(20))), 10);
    expect(rows.map(({ text }) => text)).toEqual([
      "- x",
      `+ ${"y".repeat(8)}`,
      `· ${"y".repeat(8)}`,
      "· yyyy",
    ]);
    expect(rows.map(({ isFold }) => isFold)).toEqual([false, false, true, true]);
  });

  it("show both texts whole where they have nothing in common, and where only one is there", () => {
    const lines = (word: string): readonly string[] =>
      Array.from({ length: 3_000 }, (_, index) => `${word} ${index}`);
    const apart = foldedCard(cardWith(content("was", ...lines("a")), content("became", ...lines("b"))), 60);
    expect(apart.rows).toHaveLength(6_001);
    expect(apart.rows[3_001]).toMatchObject({ label: "became", text: "b 0" });
    expect(apart.lastContent).toBe(6_000);
    const alone = foldedCard(cardWith(content("after", "new")), 60);
    expect(alone.rows).toEqual([{ label: "after", text: "new", tone: "content", isFold: false }]);
  });
});
