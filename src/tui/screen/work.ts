/** The queue and the open card. */
import { kindOf } from "../state/blocked.js";
import { type Entry, type Model, type OpenCard, requestOf } from "../state/model.js";
import { fitted } from "./fold.js";
import { workLayoutOf } from "./layout.js";
import { withMarks } from "./option-marks.js";
import { leftText, levelText, queuePart } from "./queue-rows.js";
import type { Body, CardPart } from "./screen.js";

/** For a body of `bodyRows`. */
export function workOf(model: Model, card: OpenCard, bodyRows: number): Extract<Body, { kind: "work" }> {
  const place = workLayoutOf(model, card, bodyRows);
  const { rows } = place.text;
  const scroll = card.form?.scroll ?? card.scroll;
  const visible = rows.slice(scroll, scroll + place.cardRows);
  return {
    kind: "work",
    layout: place.layout,
    queue: queuePart(model, place.queueColumns, place.queueRows),
    card: {
      columns: place.cardColumns,
      ...frameOf(card, model.now),
      rows: withMarks(visible, model, card),
      above: Math.min(scroll, rows.length),
      below: Math.max(0, rows.length - scroll - visible.length),
      foot: place.foot,
      isSeen: card.isSeen,
    },
  };
}

type Framed = Pick<CardPart, "title" | "level" | "tone" | "id" | "left">;

function frameOf({ entry, form }: OpenCard, now: number): Framed {
  const request = requestOf(entry);
  if (request === null) {
    return { title: manyTitles[kindOf(entry)], level: null, tone: "none", id: "", left: null };
  }
  return {
    title: form === null ? titleOf(entry) : "Remember this rule?",
    level: levelText(request),
    tone: request.kind === "approval" ? request.level : "none",
    id: fitted(request.id, idColumns),
    left: entry.kind === "late" ? "ended" : leftText(request, now),
  };
}

/** Ids of ours have eight characters; longer ones may be filed. */
const idColumns = 8;

function titleOf(entry: Entry): string {
  const request = requestOf(entry);
  switch (request?.kind) {
    case "approval":
      return entry.kind === "late" ? "Allow it the next time?" : approvalTitles[request.subject.type];
    case "fact":
      return "Keep a fact?";
    case "question":
      return "A question";
    case undefined:
      return "";
    default:
      return request satisfies never;
  }
}

const manyTitles = {
  approval: "Many requests of one thread",
  fact: "Many facts of one thread",
  question: "Many questions of one thread",
} as const;

const approvalTitles = {
  command: "Run a command?",
  tool: "Call a tool?",
  permission: "Permit a tool?",
} as const;
