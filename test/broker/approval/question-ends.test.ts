import { expect, it } from "vitest";
import { questionEndOf } from "../../../src/broker/approval/question-ends.js";
import type { Decided } from "../../../src/broker/approval/race.js";
import { takenOf } from "../../../src/broker/channel/own-request.js";
import type { Answer } from "../../../src/broker/request/answer.js";
import { composeRequest } from "../../../src/broker/request/binding.js";
import type { QuestionRequest } from "../../../src/broker/request/request.js";
import { answerTo, filingFacts } from "../../support/builders.js";
import { questionDraft } from "../../support/request-kinds.js";

const request = composeRequest(questionDraft(), filingFacts()) as QuestionRequest;

function decided(
  name: Decided["name"],
  answer: Partial<Answer>,
  reading: Decided["reading"] = null,
): Decided {
  const taken = takenOf(answerTo(request, { scope: null, ...answer }), null);
  return { taken, name, note: taken.answer.note ?? null, dialog: "none", reading, isLeft: false };
}

it.each<[Decided["name"], Partial<Answer>, object]>([
  [
    "approved",
    { decision: "answer", values: ["pg"] },
    { name: "answered", content: { values: ["pg"], text: null } },
  ],
  [
    "approved",
    { decision: "answer", text: "mine" },
    { name: "answered", content: { values: null, text: "mine" } },
  ],
  ["approved", { decision: "answer" }, { name: "failed", note: "the answer holds nothing", via: "server" }],
  ["denied", { decision: "decline", note: "later" }, { name: "declined", note: "later", unseenMs: null }],
  ["declined", { decision: "decline", via: "elicitation" }, { name: "declined", assurance: "dialog" }],
  ...(["not_obtained", "timed_out", "abandoned", "withdrawn", "failed"] as const).map(
    (name): [Decided["name"], Partial<Answer>, object] => [
      name,
      { decision: "failed", via: "server" },
      { name, via: "server", assurance: null, verified: null },
    ],
  ),
])("what was decided as %s by %o is told as %o", (name, answer, end) => {
  expect(questionEndOf(request, decided(name, answer), 2)).toMatchObject({
    ...end,
    request: request.id,
    seconds: 2,
  });
});

it("a decline that nobody can have read says after how long it came", () => {
  const unseen = decided(
    "declined",
    { decision: "decline", via: "elicitation" },
    { ms: 3.4, isUnseen: true },
  );
  expect(questionEndOf(request, unseen, 0)).toMatchObject({ name: "declined", unseenMs: 3 });
  const read = decided(
    "declined",
    { decision: "decline", via: "elicitation" },
    { ms: 3_000, isUnseen: false },
  );
  expect(questionEndOf(request, read, 0)).toMatchObject({ name: "declined", unseenMs: null });
});

it.each(["already_decided", "drifted"] as const)("a question never ends as %s", (name) => {
  expect(() => questionEndOf(request, decided(name, { decision: "answer", text: "x" }), 0)).toThrow(
    TypeError,
  );
});
