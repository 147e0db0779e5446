/** The first row: how much waits, and how well it can be seen. */
import type { InboxState } from "../../face/inbox.js";
import { hasText, type Model } from "../state/model.js";
import { fitted, fittedEnd, widthOf } from "./fold.js";
import type { Header } from "./screen.js";

/** For a screen of `columns`, whose left end bears our name. */
export function headerOf(model: Model, columns: number): Header {
  const room = columns - nameColumns;
  const waits = fitted(waitsText(model), room);
  return {
    waits,
    health: fittedHealth(model, room - widthOf(waits) - betweenColumns),
    isHealthy: model.inbox.health.kind !== "unusable",
  };
}

/** `wisp` and the blanks behind it. */
const nameColumns = 6;
const betweenColumns = 3;

/** Of a long home its end is shown, or nothing: how well it can be seen matters more. Half a word says less than none. */
function fittedHealth({ inbox, place }: Model, columns: number): string {
  const state = stateText(inbox);
  const room = columns - widthOf(state) - 1;
  if (widthOf(place.home) <= room) return `${place.home} ${state}`;
  if (room >= leastHomeColumns) return `${fittedEnd(place.home, room)} ${state}`;
  return widthOf(state) <= columns ? state : "";
}

const leastHomeColumns = 4;

function waitsText(model: Model): string {
  const { inbox, queue, card, unopened } = model;
  if (inbox.health.kind === "unusable") return "what waits cannot be seen";
  if (hasText(model) && unopened > 0) return `⚠ ${numberText(unopened)} waiting`;
  const count = inbox.requests.length;
  const rows = queue.entries.length;
  const all = numberText(count);
  if (queue.filter !== "") return `${numberText(rows)} of ${all} waiting match the filter`;
  if (count === 0) return "nothing waiting";
  // Rows for many, and those of what has ended, are counted otherwise than what waits.
  return card === null || rows !== count
    ? `${all} waiting`
    : `${numberText(queue.selected + 1)} of ${all} waiting`;
}

/** `9,995`, as everywhere on the screen. */
function numberText(count: number): string {
  return count.toLocaleString("en-US");
}

function stateText({ health, newer, unreadable }: InboxState): string {
  const strange = newer.length + unreadable.length;
  const others = strange === 0 ? "" : ` · ${strange} that cannot be read`;
  switch (health.kind) {
    case "watching":
      return `ok${others}`;
    case "polling":
      return `polling${others}`;
    case "unusable":
      return "unusable";
    default:
      return health satisfies never;
  }
}
