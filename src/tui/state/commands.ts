/** What the commands of the input box do. What they answer is held to the same rules as keys. */
import { type Request, type Scope, scopes, shortestPrefix, shownText } from "../../broker/index.js";
import type { Slash } from "../../face/slash.js";
import { isTiny } from "../screen/layout.js";
import { blockOfAny, blockOfSession, blockOfYes } from "./blocked.js";
import { threadKeyOf } from "./flood.js";
import { entryOf, givenNo } from "./giving.js";
import { changedText, isSettled, withTypedAt } from "./grace.js";
import { approvalOf, type Model, type Quiet, requestOf, type Single, type Stepped, still } from "./model.js";
import { advised, hinted } from "./notices.js";
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
      return named(model, slash.id, at, (entry) => approvedByName(model, entry, slash.scope, quiet, at));
    case "deny":
      return named(model, slash.id, at, (entry) => deniedByName(model, entry, slash.note, at));
    case "keep":
    case "drop":
    case "answer":
    case "decline":
      return named(model, slash.id, at, (entry) =>
        still(hinted(left, blockOfAny(model, { entry }) ?? "An approval is approved or denied.", at)),
      );
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

/** What the one row does whose id begins with `typed`; where there is none, or several, what was typed stays. */
function named(model: Model, typed: string, at: number, run: (entry: Single) => Stepped): Stepped {
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
  if (others.length === 0) return run(only);
  const ids = found.map((entry) => requestOf(entry)?.id ?? "").join(", ");
  return still(hinted(model, `Several begin so: ${ids}`, at));
}

/** A yes by name is a yes to what is on the screen, read to its end; anything else only opens it. */
export function approvedByName(
  model: Model,
  entry: Single,
  wanted: Scope | null,
  quiet: Quiet,
  at: number,
): Stepped {
  const { card } = model;
  const left = { ...model, box: null };
  const approval = approvalOf(entry);
  const id = requestOf(entry)?.id ?? "";
  const isVisible = model.page === null && !isTiny(model.size);
  if (card === null || !isVisible || requestOf(card.entry)?.id !== id) {
    return still(advised(opened(left, entry), `${id} is open: read it, then answer it.`, at));
  }
  // Whoever typed this had the card before their eyes as it was then.
  if (!isSettled(quiet, at)) return still(withTypedAt(hinted(model, changedText, at), at));
  const block = blockOfYes(model, card);
  if (block !== null || approval === null) return still(hinted(left, block ?? "", at));
  const offered: readonly Scope[] = entry.kind === "late" ? ["once"] : approval.scopes;
  const scope = wanted ?? scopes.find((one) => offered.includes(one)) ?? "once";
  if (!offered.includes(scope)) return still(hinted(left, `${id} does not offer the scope ${scope}.`, at));
  const unread = scope === "session" ? blockOfSession(card) : null;
  if (unread !== null) return still(hinted(left, unread, at));
  if (scope === "project" || scope === "always") {
    const key = scope === "project" ? "p" : "a";
    return still(advised(left, `Press ${key}: it shows the rule before it remembers it.`, at));
  }
  return approved(left, card, scope, null, at);
}

/** A no needs nothing to be read. */
export function deniedByName(model: Model, entry: Single, note: string | null, at: number): Stepped {
  const left = { ...model, box: null };
  const block = blockOfAny(model, { entry });
  return block === null ? givenNo(left, [entry], note) : still(hinted(left, block, at));
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
