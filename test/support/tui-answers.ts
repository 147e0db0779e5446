/** Questions and the answers to them, for tests of the full-screen face. */
import type { QuestionRequest } from "../../src/broker/request/request.js";
import type { Given } from "../../src/face/answer.js";
import { replyText, replyTo } from "../../src/tui/state/replies.js";
import { Stage } from "./tui-events.js";
import { toAnswer } from "./tui-requests.js";

/** It takes one of its two options. */
export const single = toAnswer();
/** It takes several of its three. */
export const several = toAnswer({
  multiple: true,
  options: ["a", "b", "c"].map((value) => ({ value, label: value.toUpperCase(), description: null })),
});
/** It takes a text alone. */
export const free = toAnswer({ options: null, allowText: true });

/** With `request` open for long enough. */
export function opened(request: QuestionRequest = single, isLinear = false): Stage {
  const stage = new Stage({ columns: 80, rows: 24 }, 0, isLinear);
  stage.waits([request]);
  stage.wait(1_000);
  return stage;
}

/** What was decided so far. */
export function given(stage: Stage): readonly Given[] {
  return stage.answers.map((answer) => answer.given);
}

/** The answer that is these values. */
export function chose(...values: readonly string[]): Given {
  return { decision: "answer", scope: null, note: null, values, text: null };
}

/** The answer that is this text. */
export function wrote(text: string): Given {
  return { decision: "answer", scope: null, note: null, values: null, text };
}

/** The no to a question. */
export function decline(note: string | null = null): Given {
  return { decision: "decline", scope: null, note };
}

/** What would be sent for `request`. */
export function sends(stage: Stage, request: QuestionRequest): string | null {
  return replyText(replyTo(stage.model, request));
}
