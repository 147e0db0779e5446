import { describe, expect, it } from "vitest";
import {
  chose,
  decline,
  free,
  given,
  opened,
  sends,
  several,
  single,
  wrote,
} from "../../support/tui-answers.js";
import type { Stage } from "../../support/tui-events.js";

describe("a word about a question", () => {
  function said(stage: Stage, words: string): Stage {
    stage.type(words);
    stage.press("return");
    return stage;
  }

  it.each([
    ["2", single, chose("lite")],
    ["3,1", several, chose("a", "c")],
    ["1, 2", several, chose("a", "b")],
    ["text the eu one", free, wrote("the eu one")],
  ])("%s is what send sends", (words, request, expected) => {
    const stage = said(opened(request, true), words);
    expect(stage.answers).toEqual([]);
    expect(given(said(stage.wait(1_000), "send"))).toEqual([expected]);
  });

  it.each([
    ["decline", decline()],
    ["decline ask Kim", decline("ask Kim")],
  ])("%s is an answer", (words, expected) => {
    expect(given(said(opened(single, true), words))).toEqual([expected]);
  });

  it.each([
    ["1,1", single, "one number"],
    ["7", single, "no option 7"],
    ["1 1", several, "twice"],
    ["text red", single, "Not taken"],
    ["keep", single, "say a number"],
    ["approve", single, "say a number"],
    ["deny", single, "say a number"],
    ["send", single, "Nothing is sent yet"],
  ])("%s that answers nothing says why", (words, request, why) => {
    const stage = said(opened(request, true), words);
    expect(stage.answers).toEqual([]);
    expect(stage.notices.at(-1)).toContain(why);
    stage.press("ctrl-u");
    said(stage.wait(1_000), "1");
    expect(given(said(stage.wait(1_000), "send"))).toHaveLength(1);
  });

  it("may be pasted where it is a text, and then takes a typed word to be sent", () => {
    const stage = opened(free, true);
    stage.paste("text eu-west-1");
    stage.press("return");
    expect(sends(stage, free)).toBe('"eu-west-1"');
    stage.wait(1_000).paste("send");
    stage.press("return");
    expect(stage.answers).toEqual([]);
    stage.press("ctrl-u");
    expect(given(said(stage.wait(1_000), "send"))).toEqual([wrote("eu-west-1")]);
  });
});
