/** What the commands of the input box do. What they answer is held to the same rules as keys. */
import { type Kind, shortestPrefix, shownText } from "../../broker/index.js";
import type { Slash } from "../../face/slash.js";
import { kindOf } from "./blocked.js";
import { answerAsked, approvedByName, deniedByName, droppedForGood, keptByName } from "./by-name.js";
import { entryOf } from "./giving.js";
import { type Model, type Quiet, requestOf, type Single, type Stepped, still } from "./model.js";
import { hinted } from "./notices.js";
import { withQueue } from "./queue.js";

/** Runs `slash` and leaves the box, or says what is wrong with it and leaves it as it is. */
export function runSlash(model: Model, slash: Slash, quiet: Quiet, at: number): Stepped {
  const left = { ...model, box: null };
  switch (slash.kind) {
    case "pending":
      return still({ ...withQueue(left, { filter: "" }), page: null });
    case "late":
      return left.late === null
        ? { model: { ...left, late: [], page: null }, effects: [{ kind: "load-late" }] }
        : still(withQueue({ ...left, late: null, page: null }));
    case "approve":
      return named(model, slash, "approval", at, (entry) => approvedByName(model, entry, slash, quiet, at));
    case "deny":
      return named(model, slash, "approval", at, (entry) => deniedByName(model, entry, slash.note, at));
    case "keep":
      return named(model, slash, "fact", at, (entry) => keptByName(model, entry, slash.scope, quiet, at));
    case "drop":
      return named(model, slash, "fact", at, (entry) =>
        slash.isForGood ? droppedForGood(model, entry, at) : deniedByName(model, entry, null, at),
      );
    case "answer":
      return named(model, slash, "question", at, (entry) => answerAsked(model, entry, at));
    case "decline":
      return named(model, slash, "question", at, (entry) => deniedByName(model, entry, slash.note, at));
    case "help":
      return still({ ...left, page: { kind: "help", scroll: 0 } });
    case "quit":
      return { model: left, effects: [{ kind: "quit" }] };
    case "text":
      return still(hinted(model, "A command begins with /. See /help; Esc gives up what you typed.", at));
    case "wrong":
      return still(hinted(model, shownText(slash.what), at));
    default:
      return slash satisfies never;
  }
}

/** What the one row does whose id begins so; where there is none, or several, or it is of another kind, what was typed stays. */
function named(
  model: Model,
  { id: typed }: { readonly id: string },
  kind: Kind,
  at: number,
  run: (entry: Single) => Stepped,
): Stepped {
  if (typed.length < shortestPrefix) {
    return still(hinted(model, `An id needs ${shortestPrefix} characters or more.`, at));
  }
  const rows: readonly Single[] = [
    ...model.inbox.requests.map(entryOf),
    ...(model.late ?? []).map((late): Single => ({ kind: "late", key: `late ${late.request.id}`, late })),
  ];
  const found = rows.filter((entry) => requestOf(entry)?.id.startsWith(typed));
  const exact = found.find((entry) => requestOf(entry)?.id === typed);
  const [only, ...others] = exact === undefined ? found : [exact];
  if (only === undefined)
    return still(hinted(model, `Nothing waits whose id begins with ${shownText(typed)}.`, at));
  if (others.length > 0) {
    const ids = found.map((entry) => requestOf(entry)?.id ?? "").join(", ");
    return still(hinted(model, `Several begin so: ${ids}`, at));
  }
  return kindOf(only) === kind ? run(only) : still(hinted(model, otherKindText(only), at));
}

function otherKindText(entry: Single): string {
  const id = requestOf(entry)?.id ?? "";
  switch (kindOf(entry)) {
    case "approval":
      return `${id} is an approval: /approvals approve ${id}, or /approvals deny ${id}`;
    case "fact":
      return `${id} is a fact: /facts keep ${id}, or /facts drop ${id}`;
    case "question":
      return `${id} is a question: /questions answer ${id}, or /questions decline ${id}`;
  }
}
