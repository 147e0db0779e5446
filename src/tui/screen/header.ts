/** The first row: how much waits, and how well it can be seen. */
import type { InboxState } from "../../face/inbox.js";
import { hasText, type Model } from "../state/model.js";
import { fitted, widthOf } from "./fold.js";
import type { Header } from "./screen.js";

/** For a screen of `columns`, whose left end bears our name. */
export function headerOf(model: Model, columns: number): Header {
  const room = columns - nameColumns;
  const waits = fitted(waitsText(model), room);
  const health = healthText(model.inbox, model.place.home);
  return {
    waits,
    // Half a word says less than none.
    health: widthOf(waits) + betweenColumns + widthOf(health) <= room ? health : "",
    isHealthy: model.inbox.health.kind !== "unusable",
  };
}

/** `wisp` and the blanks behind it. */
const nameColumns = 6;
const betweenColumns = 3;

function waitsText(model: Model): string {
  const { inbox, queue, card, unopened } = model;
  if (hasText(model) && unopened > 0) return `⚠ ${unopened} waiting`;
  const count = inbox.requests.length;
  const rows = queue.entries.length;
  if (queue.filter !== "") return `${rows} of ${count} waiting match the filter`;
  if (count === 0) return "nothing waiting";
  // Rows for many, and those of what has ended, are counted otherwise than what waits.
  return card === null || rows !== count ? `${count} waiting` : `${queue.selected + 1} of ${count} waiting`;
}

function healthText({ health, newer, unreadable }: InboxState, home: string): string {
  const strange = newer.length + unreadable.length;
  const others = strange === 0 ? "" : ` · ${strange} that cannot be read`;
  switch (health.kind) {
    case "watching":
      return `${home} ok${others}`;
    case "polling":
      return `${home} polling${others}`;
    case "unusable":
      return `${home} unusable`;
    default:
      return health satisfies never;
  }
}
