import { describe, expect, it } from "vitest";
import { Stage } from "../../support/tui-events.js";
import { dangerous, toRun } from "../../support/tui-requests.js";

function asked(key: string, request = toRun("git push")): Stage {
  const stage = new Stage();
  stage.waits([request]);
  stage.calmly(key);
  expect(stage.model.prompt).not.toBeNull();
  return stage;
}

describe("a text that is being typed", () => {
  it.each<[string, () => Stage]>([
    ["a note", () => asked("n")],
    ["a reason", () => asked("r")],
    ["a filter", () => asked("f")],
    ["the word", () => asked("y", dangerous())],
  ])("is left with Ctrl-C, and answers nothing: %s", (_what, begin) => {
    const stage = begin();
    stage.wait(1_000).type("main");
    expect(stage.press("ctrl-c")).toEqual([{ kind: "quit" }]);
    expect(stage.answers).toEqual([]);
  });

  it.each([
    ["n", "approve"],
    ["r", "deny"],
  ])("takes what is pasted into a note or a reason, in one line: %s", (key, decision) => {
    const stage = asked(key);
    stage.type("see ");
    stage.paste("the\nlog\u001b[2J");
    stage.press("return");
    expect(stage.answers.map(({ given }) => given)).toMatchObject([{ decision, note: "see the log[2J" }]);
  });
});
