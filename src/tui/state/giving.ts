/** The one place where an answer leaves this face. It is for the request as the card shows it. */
import type { QuestionContent, Request } from "../../broker/index.js";
import type { Given, GivenYes } from "../../face/answer.js";
import type { KeepScope } from "../../face/fact-scope.js";
import type { Effect } from "./event.js";
import type { Model, Single, Stepped } from "./model.js";

/** Says yes. Whoever calls this has looked for whatever speaks against it. */
export function givenYes(model: Model, entry: Single, yes: GivenYes): Stepped {
  return given(model, [entry], () => yes);
}

/** Keeps a fact. Whoever calls this has looked for whatever speaks against it. */
export function givenKeep(model: Model, entry: Single, scope: KeepScope): Stepped {
  return given(model, [entry], () => ({ decision: "keep", scope, note: null }));
}

/** Drops a fact for good; `givenNo` drops it for its line of work. */
export function givenDropForGood(model: Model, entry: Single): Stepped {
  return given(model, [entry], () => ({ decision: "drop", scope: "always", note: null }));
}

/** Answers a question. Whoever calls this has looked for whatever speaks against it. */
export function givenAnswer(model: Model, entry: Single, content: QuestionContent): Stepped {
  return given(model, [entry], () => ({ decision: "answer", scope: null, note: null, ...content }));
}

/** Says no to each of `entries`: denies, drops, declines. A fact takes no note. */
export function givenNo(model: Model, entries: readonly Single[], note: string | null): Stepped {
  return given(model, entries, (request) => noTo(request, note));
}

function noTo({ kind }: Request, note: string | null): Given {
  switch (kind) {
    case "approval":
      return { decision: "deny", scope: null, note };
    case "fact":
      return { decision: "drop", scope: null, note: null };
    case "question":
      return { decision: "decline", scope: null, note };
    default:
      return kind satisfies never;
  }
}

/** The row of one request. */
export function entryOf(request: Request): Single {
  return { kind: "one", key: request.id, request };
}

/** While an answer is under way there is no second one. */
function given(model: Model, entries: readonly Single[], answerTo: (request: Request) => Given): Stepped {
  const sent = new Map(model.sent);
  const effects: Effect[] = [];
  for (const entry of entries) {
    const request = entry.kind === "late" ? entry.late.request : entry.request;
    if (sent.has(request.id)) continue;
    sent.set(request.id, "under way");
    effects.push({
      kind: entry.kind === "late" ? "answer-late" : "answer",
      request,
      given: answerTo(request),
    });
  }
  return { model: { ...model, sent }, effects };
}
