/** The one place where an answer leaves this face. It is for the request as the card shows it. */
import type { Request, Scope } from "../../broker/index.js";
import type { Given } from "../../face/answer.js";
import type { Effect } from "./event.js";
import type { Model, Single, Stepped } from "./model.js";

/** Says yes. Whoever calls this has looked for whatever speaks against it. */
export function givenYes(model: Model, entry: Single, scope: Scope, note: string | null): Stepped {
  return given(model, [entry], { decision: "approve", scope, note });
}

/** Says no to each of `entries`. */
export function givenNo(model: Model, entries: readonly Single[], note: string | null): Stepped {
  return given(model, entries, { decision: "deny", scope: null, note });
}

/** The row of one request. */
export function entryOf(request: Request): Single {
  return { kind: "one", key: request.id, request };
}

/** While an answer is under way there is no second one. */
function given(model: Model, entries: readonly Single[], answer: Given): Stepped {
  const sent = new Map(model.sent);
  const effects: Effect[] = [];
  for (const entry of entries) {
    const request = entry.kind === "late" ? entry.late.request : entry.request;
    if (sent.has(request.id)) continue;
    sent.set(request.id, "under way");
    effects.push({ kind: entry.kind === "late" ? "answer-late" : "answer", request, given: answer });
  }
  return { model: { ...model, sent }, effects };
}
