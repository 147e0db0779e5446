/** What the keys do that decide nothing. They work at once. */
import type { Doing } from "./keys.js";
import { emptyLine, lineOf } from "./line.js";
import type { Model, OpenCard, Page, Stepped } from "./model.js";
import { still } from "./model.js";
import { moved, withQueue } from "./queue.js";

/** `what` on `model`. */
export function done(model: Model, what: Doing): Stepped {
  switch (what) {
    case "quit":
      return { model, effects: [{ kind: "quit" }] };
    case "back":
      return still(wentBack(model));
    case "slash":
      return still({ ...model, box: lineOf("/") });
    case "type":
      return still({ ...model, box: emptyLine });
    case "help":
      return still(turned(model, "help"));
    case "history": {
      const shown = turned(model, "history");
      return { model: shown, effects: shown.page?.kind === "history" ? [{ kind: "load-history" }] : [] };
    }
    default:
      // The others are about the queue and the card, which a page covers.
      return still(model.page === null ? onQueue(model, what) : model);
  }
}

function onQueue(
  model: Model,
  what: Exclude<Doing, "quit" | "back" | "slash" | "type" | "help" | "history">,
): Model {
  switch (what) {
    case "next":
      return moved(model, 1, "stays");
    case "previous":
      return moved(model, -1, "stays");
    case "go round":
    case "leave":
      return moved(model, 1, "goes round");
    case "go round back":
      return moved(model, -1, "goes round");
    case "filter":
      return { ...model, prompt: { kind: "filter", line: lineOf(model.queue.filter) } };
    case "why":
      return model.card === null ? model : turned(model, "why");
    case "view":
      return model.card === null ? model : viewed(model, model.card);
    default:
      return what satisfies never;
  }
}

/** The page of `kind`, or away from it. */
function turned(model: Model, kind: Page["kind"]): Model {
  return { ...model, page: model.page?.kind === kind ? null : { kind, scroll: 0 } };
}

/** All of the card, or the queue beside it again; of a row for many, what it stands for. */
function viewed(model: Model, card: OpenCard): Model {
  if (card.entry.kind !== "many") return { ...model, card: { ...card, isWhole: !card.isWhole } };
  const { listed } = model.queue;
  const { key } = card.entry;
  const others = [...listed].filter((one) => one !== key);
  return withQueue(model, { listed: new Set(listed.has(key) ? others : [...listed, key]) });
}

/** One step back: from a page, from the whole card, from the filter. */
function wentBack(model: Model): Model {
  const { page, card, queue } = model;
  if (page !== null) return { ...model, page: null };
  if (card?.isWhole === true) return { ...model, card: { ...card, isWhole: false } };
  if (queue.filter !== "") return withQueue(model, { filter: "" });
  return { ...model, notices: [] };
}
