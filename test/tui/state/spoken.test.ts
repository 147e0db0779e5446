/** Words, for whoever has the screen read aloud: none does nothing in silence. */
import { describe, expect, it } from "vitest";
import type { Request } from "../../../src/broker/request/request.js";
import { linearText } from "../../../src/tui/components/linear.js";
import { screenOf } from "../../../src/tui/screen/screen-of.js";
import { Stage } from "../../support/tui-events.js";
import { factToKeep, manyOf, toAnswer, toRun } from "../../support/tui-requests.js";

const asked = toAnswer({ allowText: true });
const other = toRun("npm test", { scopes: ["once", "session", "project", "always"] });

function opened(...requests: readonly Request[]): Stage {
  const stage = new Stage({ columns: 120, rows: 200 }, 0, true);
  stage.waits(requests);
  stage.wait(1_000);
  return stage;
}

function said(stage: Stage, words: string): Stage {
  stage.wait(1_000).type(words);
  stage.press("return");
  return stage;
}

function lines(stage: Stage): readonly string[] {
  return linearText(screenOf(stage.model));
}

describe.each(["help", "history", "why"])("a word on the page of %s", (page) => {
  const reading = (...requests: readonly Request[]): Stage => said(opened(...requests), page);

  it("is told to be back, among others", () => {
    const stage = reading(asked);
    expect(stage.model.page?.kind).toBe(page);
    expect(lines(stage).at(-1)).toBe("Type back, history, help, quit.");
    expect(said(stage, "back").model.page).toBeNull();
  });

  it("about the queue closes it first", () => {
    const stage = said(reading(asked, other), "next");
    expect(stage.model.page).toBeNull();
    expect(stage.model.card?.entry.key).toBe(other.id);
    expect(said(reading(asked), "filter").model).toMatchObject({ page: null, prompt: { kind: "filter" } });
    expect(said(reading(...manyOf("git", 9, 100)), "list").model.queue.entries).toHaveLength(10);
  });

  it.each([
    ["1", "send sends: 1 PostgreSQL"],
    ["text safari", 'send sends: "safari"'],
  ])("that sends nothing closes it and counts: %s", (word, told) => {
    const stage = said(reading(asked), word);
    expect(stage.model.page).toBeNull();
    expect(lines(stage).join("\n")).toContain(told);
    expect(said(stage, "send").answers).toHaveLength(1);
  });

  it.each([
    ["approve", other],
    ["session", other],
    ["deny", other],
    ["keep", factToKeep()],
    ["drop", factToKeep()],
    ["send", asked],
    ["decline ask Kim", asked],
  ])("that answers closes it, and answers when it is said again: %s", (word, request) => {
    const stage = opened(request);
    if (word === "send") said(stage, "1");
    said(said(stage, page), word);
    expect(stage.answers).toEqual([]);
    expect(stage.model.page).toBeNull();
    expect(stage.notices.at(-1)).toContain("Nothing is answered yet");
    expect(said(stage, word).answers).toHaveLength(1);
  });

  it("that is the name of the page closes it", () => {
    expect(said(reading(asked), page).model.page).toBeNull();
  });
});

describe("a word that can do nothing", () => {
  it.each([
    ["next", "Nothing else waits."],
    ["previous", "Nothing else waits."],
    ["list", "This is one request"],
  ])("says so: %s", (word, told) => {
    expect(said(opened(asked), word).notices.at(-1)).toContain(told);
  });

  it.each(["next", "why", "list", "approve"])("says so where nothing waits: %s", (word) => {
    expect(said(opened(), word).notices.at(-1)).toMatch(/^Nothing (waits|is open)\.$/);
  });
});

describe("what is no word", () => {
  it.each([
    [other, "say approve, or deny"],
    [factToKeep(), "say keep, keep global, or drop"],
    [asked, "say a number, or text and your answer, then send; or decline"],
  ])("is told with the words that are, and leaves the line empty", (request, words) => {
    const stage = said(opened(request), "yes\u202e");
    expect(stage.notices.at(-1)).toContain('There is no word "yes\\u{202e}".');
    expect(stage.notices.at(-1)).toContain(words);
    expect(stage.model.box?.text).toBe("");
    expect(said(stage, "help").model.page?.kind).toBe("help");
    expect(said(stage, "yes").notices.at(-1)).toContain("back leaves this");
  });

  it("stays in the line where it is too long to be told again", () => {
    const stage = opened(asked);
    const text = "x".repeat(161);
    stage.paste(text);
    stage.calmly("return");
    expect(stage.model.box?.text).toBe(text);
    expect(stage.notices.at(-1)).toContain("Esc empties the line");
    stage.press("escape");
    expect(said(said(stage, "1"), "send").answers).toHaveLength(1);
  });
});

describe("the page of the words", () => {
  it("names every word, and no key", () => {
    const help = lines(said(opened(asked), "help"));
    const heads = help.map((line) => line.split(":")[0] ?? "").join("\n");
    for (const word of [
      ...["approve", "session", "keep", "drop", "for-good", "text", "send", "deny", "decline", "deny all"],
      ...["list", "next", "previous", "why", "filter", "history", "help", "back", "quit", "global"],
    ]) {
      expect(
        word === "session" || word.endsWith("-good") || word === "global" ? help.join() : heads,
      ).toContain(word);
    }
    expect(help.join("\n")).not.toMatch(/tab|PgUp|Ctrl/);
    expect(help).toContain("/facts drop ID [for-good]");
  });
});

describe("an Enter that comes in one piece with what it ends", () => {
  it.each(["text safari", "1"])("ends nothing, says why, and ends it when it comes alone: %s", (word) => {
    const stage = opened(asked);
    stage.pressAtOnce(...[...word].map((one) => (one === " " ? "space" : one)), "return");
    expect(stage.notices.at(-1)).toContain("Enter came at once with what stands before it");
    stage.calmly("return");
    expect(said(stage, "send").answers).toHaveLength(1);
  });

  it("is not taken for a change in the box for an answer, nor is the text alone", () => {
    const stage = new Stage();
    stage.waits([asked]);
    stage.calmly("o");
    stage.wait(1_000).pressAtOnce(..."safari", "return");
    expect(stage.notices.at(-1)).toContain("Enter came at once");
    stage.calmly("return");
    expect(stage.model.prompt).toBeNull();
    stage.calmly("o");
    stage.press("ctrl-u");
    stage.wait(1).resize(90, 30);
    stage.wait(1_000).pressAtOnce(..."opera");
    stage.calmly("return");
    expect(stage.notices.at(-1)).toContain("may have changed since you began");
    stage.calmly("return");
    stage.calmly("y");
    expect(stage.answers).toMatchObject([{ given: { text: "opera" } }]);
  });

  it("still says that what is shown has changed where it just has", () => {
    const stage = opened(asked);
    stage.resize(90, 300);
    stage.pressAtOnce("1", "return");
    expect(stage.notices.at(-1)).toContain("has just changed");
  });
});
