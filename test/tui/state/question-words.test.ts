import { describe, expect, it } from "vitest";
import type { QuestionRequest } from "../../../src/broker/request/request.js";
import type { Given } from "../../../src/face/answer.js";
import { replyText, replyTo } from "../../../src/tui/state/replies.js";
import { Stage } from "../../support/tui-events.js";
import { toAnswer } from "../../support/tui-requests.js";

const single = toAnswer();
const several = toAnswer({
  multiple: true,
  options: ["a", "b", "c"].map((value) => ({ value, label: value.toUpperCase(), description: null })),
});
const free = toAnswer({ options: null, allowText: true });

function opened(request: QuestionRequest): Stage {
  const stage = new Stage({ columns: 80, rows: 24 }, 0, true);
  stage.waits([request]);
  stage.wait(1_000);
  return stage;
}

function given(stage: Stage): readonly Given[] {
  return stage.answers.map((answer) => answer.given);
}

function chose(...values: readonly string[]): Given {
  return { decision: "answer", scope: null, note: null, values, text: null };
}

function wrote(text: string): Given {
  return { decision: "answer", scope: null, note: null, values: null, text };
}

function decline(note: string | null = null): Given {
  return { decision: "decline", scope: null, note };
}

/** What would be sent for `request`. */
function sends(stage: Stage, request: QuestionRequest): string | null {
  return replyText(replyTo(stage.model, request));
}

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
    const stage = said(opened(request), words);
    expect(stage.answers).toEqual([]);
    expect(given(said(stage.wait(1_000), "send"))).toEqual([expected]);
  });

  it.each([
    ["decline", decline()],
    ["decline ask Kim", decline("ask Kim")],
  ])("%s is an answer", (words, expected) => {
    expect(given(said(opened(single), words))).toEqual([expected]);
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
    const stage = said(opened(request), words);
    expect(stage.answers).toEqual([]);
    expect(stage.notices.at(-1)).toContain(why);
    stage.press("ctrl-u");
    said(stage.wait(1_000), "1");
    expect(given(said(stage.wait(1_000), "send"))).toHaveLength(1);
  });

  it("may be pasted where it is a text, and then takes a typed word to be sent", () => {
    const stage = opened(free);
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
