import { describe, expect, it } from "vitest";
import type { Request } from "../../../src/broker/request/request.js";
import { Stage, wallZero } from "../../support/tui-events.js";
import { factToKeep, manyOf, toAnswer } from "../../support/tui-requests.js";

const asker = { client: { name: "test-client", version: "1.0.0" }, thread: "git" };

/** Eight facts and seven questions of one thread, one after the other. */
const facts = Array.from({ length: 8 }, (_, index) =>
  factToKeep({ value: `${index}` }, asker, { createdAt: wallZero + index }),
);
const questions = Array.from({ length: 7 }, (_, index) =>
  toAnswer({ text: `${index}?` }, asker, { createdAt: wallZero + 100 + index }),
);

function opened(requests: readonly Request[]): Stage {
  const stage = new Stage();
  stage.waits(requests);
  return stage;
}

describe("a thread that asks too much of several kinds", () => {
  it.each([
    ["facts", facts, "drop"],
    ["questions", questions, "decline"],
  ])("has a row for its %s, of which D says no to all, pressed twice", (_what, of, decision) => {
    const stage = opened(of);
    for (const key of ["y", "a", "a", "1", "o", "d", "r", "n", "return"]) stage.calmly(key);
    expect(stage.answers).toEqual([]);
    stage.calmly("D");
    expect(stage.answers).toEqual([]);
    stage.calmly("D");
    expect(stage.answers.map(({ request }) => request)).toEqual(of);
    expect(new Set(stage.answers.map(({ given }) => given.decision))).toEqual(new Set([decision]));
  });

  it("says no to all of one kind and leaves the others", () => {
    const stage = opened([...facts, ...questions, ...manyOf("git", 6, 10, wallZero + 200)]);
    expect(stage.model.queue.entries.map(({ kind }) => kind)).toEqual(["many", "many", "many"]);
    stage.calmly("j");
    stage.calmly("D");
    stage.calmly("D");
    expect(stage.answers.map(({ request }) => request)).toEqual(questions);
  });

  it("lists the kind that v was pressed on", () => {
    const stage = opened([...facts, ...questions]);
    stage.calmly("v");
    expect(stage.model.queue.entries.map(({ kind }) => kind)).toEqual([
      "many",
      ...facts.map(() => "one"),
      "many",
    ]);
    stage.calmly("j");
    stage.calmly("d");
    expect(stage.answers).toMatchObject([{ request: { id: facts[0]?.id }, given: { decision: "drop" } }]);
  });

  it("is opened at the one that a command names", () => {
    const stage = opened([...facts, ...questions]);
    stage.press("i");
    stage.type(`/questions answer ${questions[3]?.id}`);
    stage.press("return");
    expect(stage.model.card?.entry.key).toBe(questions[3]?.id);
    expect(stage.model.queue.entries.filter(({ kind }) => kind === "one")).toHaveLength(questions.length);
  });

  it.each([
    ["drop all", facts, "deny all"],
    ["decline all", questions, "drop all"],
  ])("is answered by its own word: %s", (words, of, wrong) => {
    const stage = new Stage({ columns: 80, rows: 1_000 }, 0, true);
    stage.waits(of);
    for (const said of [wrong, words.split(" ")[0] ?? ""]) {
      stage.wait(1_000).type(said);
      stage.press("return");
      expect(stage.answers).toEqual([]);
      expect(stage.notices.at(-1)).toContain(words);
      stage.press("ctrl-u");
    }
    stage.wait(1_000).type(words);
    stage.press("return");
    expect(stage.answers.map(({ request }) => request)).toEqual(of);
  });
});
