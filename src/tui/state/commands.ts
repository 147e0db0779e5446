/** What the commands of the input box do. What they answer is held to the same rules as keys. */
import { type Request, type Scope, scopes, shortestPrefix, shownText } from "../../broker/index.js";
import type { Slash } from "../../face/slash.js";
import { isTiny } from "../screen/layout.js";
import { blockOfYes } from "./blocked.js";
import { threadKeyOf } from "./flood.js";
import { entryOf, givenNo } from "./giving.js";
import { isSettled } from "./grace.js";
import { approvalOf, type Entry, type Model, type Quiet, requestOf, type Stepped, still } from "./model.js";
import { noted, warned } from "./notices.js";
import { selected, withQueue } from "./queue.js";
import { approved } from "./word.js";

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
      return named(model, slash.id, at, (entry) => approvedByName(left, entry, slash.scope, quiet, at));
    case "deny":
      return named(model, slash.id, at, (entry) => deniedByName(left, entry, slash.note, at));
    case "fact":
    case "question":
      return named(model, slash.id, at, () =>
        still(warned(left, "A later version decides this; it goes on waiting.", at)),
      );
    case "help":
      return still({ ...left, page: { kind: "help", scroll: 0 } });
    case "quit":
      return { model: left, effects: [{ kind: "quit" }] };
    case "text":
      return still(warned(model, "A command begins with /. See /help; Esc gives up what you typed.", at));
    case "wrong":
      return still(warned(model, shownText(slash.what), at));
    default:
      return slash satisfies never;
  }
}

type Single = Exclude<Entry, { kind: "many" }>;

/** What the one row does whose id begins with `typed`; where there is none, or several, what was typed stays. */
function named(model: Model, typed: string, at: number, run: (entry: Single) => Stepped): Stepped {
  if (typed.length < shortestPrefix) {
    return still(warned(model, `An id needs ${shortestPrefix} characters or more.`, at));
  }
  const rows: readonly Single[] = [
    ...model.inbox.requests.map(entryOf),
    ...(model.late ?? []).map((late): Single => ({ kind: "late", key: `late ${late.request.id}`, late })),
  ];
  const found = rows.filter((entry) => requestOf(entry)?.id.startsWith(typed));
  const exact = found.find((entry) => requestOf(entry)?.id === typed);
  const [only, ...others] = exact === undefined ? found : [exact];
  if (only === undefined)
    return still(warned(model, `Nothing waits whose id begins with ${shownText(typed)}.`, at));
  if (others.length === 0) return run(only);
  const ids = found.map((entry) => requestOf(entry)?.id ?? "").join(", ");
  return still(warned(model, `Several begin so: ${ids}`, at));
}

/** A yes by name is a yes to what is on the screen, read to its end; anything else only opens it. */
function approvedByName(
  model: Model,
  entry: Single,
  wanted: Scope | null,
  quiet: Quiet,
  at: number,
): Stepped {
  const { card } = model;
  const approval = approvalOf(entry);
  const id = requestOf(entry)?.id ?? "";
  const isVisible = model.page === null && !isTiny(model.size) && isSettled(quiet, at);
  if (card === null || !isVisible || requestOf(card.entry)?.id !== id) {
    return still(noted(opened(model, entry), `${id} is open: read it, then answer it.`, at));
  }
  const block = blockOfYes(model, card);
  if (block !== null || approval === null) return still(warned(model, block ?? "", at));
  const offered: readonly Scope[] = entry.kind === "late" ? ["once"] : approval.scopes;
  const scope = wanted ?? scopes.find((one) => offered.includes(one)) ?? "once";
  if (!offered.includes(scope)) return still(warned(model, `${id} does not offer the scope ${scope}.`, at));
  if (scope === "project" || scope === "always") {
    const key = scope === "project" ? "p" : "a";
    return still(noted(model, `Press ${key}: it shows the rule before it remembers it.`, at));
  }
  return approved(model, card, scope, null, at);
}

function deniedByName(model: Model, entry: Single, note: string | null, at: number): Stepped {
  if (approvalOf(entry) === null)
    return still(warned(model, "A later version decides this; it goes on waiting.", at));
  if (model.sent.has(requestOf(entry)?.id ?? ""))
    return still(warned(model, "Your answer is under way.", at));
  return givenNo(model, [entry], note);
}

/** With the row of `entry` selected, which a filter or a row for many may have hidden. */
function opened(model: Model, entry: Single): Model {
  const request: Request | null = requestOf(entry);
  if (request === null) return model;
  const shown = { ...model, page: null };
  const there = selected(shown, request.id);
  if (there.queue.entries[there.queue.selected]?.key === entry.key) return there;
  const listed = new Set([...model.queue.listed, threadKeyOf(request)]);
  return selected(withQueue(shown, { filter: "", listed }), request.id);
}
