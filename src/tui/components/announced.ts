/**
 * What of a screen is new, for whoever has it read aloud: each thing is said once, and a countdown only where it
 * begins to matter.
 */
import type { Body, CardPart, Notice, Screen } from "../screen/screen.js";
import { leftText, linearText, noticeText, secondsLeft } from "./linear.js";

/** The lines to say when `after` follows `before`; all of it where nothing was said yet. */
export function announced(before: Screen | null, after: Screen): readonly string[] {
  if (before === null) return [...linearText(after), ...askedText(null, after)];
  const told = newNotices(before.notices, after.notices).map(noticeText);
  const isNew = !isSame(subjectOf(before.body), subjectOf(after.body));
  const rest = isNew ? linearText({ ...after, notices: [] }) : changesOf(before, after);
  return [...told, ...rest, ...askedText(before, after)];
}

/** Seconds left at which it is said again how many. */
const remindedAt = [300, 60, 15];

/** What a screen is about: another one is said as a whole. */
function subjectOf(body: Body): unknown {
  switch (body.kind) {
    case "work": {
      const { title, level, id, rows } = body.card;
      return [body.kind, title, level, id, rows];
    }
    case "pages":
      return [body.kind, body.title, body.lines];
    case "empty":
    case "tiny":
      return [body.kind, body.lines];
    default:
      return body satisfies never;
  }
}

function changesOf(before: Screen, after: Screen): readonly string[] {
  const { waits, health } = after.header;
  return [
    ...(waits === before.header.waits || waits === "" ? [] : [`${waits}.`]),
    ...(health === before.header.health || health === "" ? [] : [`${health}.`]),
    ...(before.body.kind === "work" && after.body.kind === "work"
      ? cardChanges(before.body.card, after.body.card)
      : []),
  ];
}

function cardChanges(before: CardPart, after: CardPart): readonly string[] {
  const foot = isSame(before.foot, after.foot) ? "" : after.foot.join(" ");
  return [...reminder(before.left, after.left), ...(foot === "" ? [] : [foot])];
}

function reminder(before: string | null, after: string | null): readonly string[] {
  if (before === null || after === null || before === after) return [];
  const [then, now] = [secondsLeft(before), secondsLeft(after)];
  const isDue = then === null || now === null || remindedAt.some((limit) => then > limit && now <= limit);
  return isDue ? [`${leftText(after)}.`] : [];
}

/** Any of those that were said may go before the others: each is known by when it was told, and said once. */
function newNotices(before: readonly Notice[], after: readonly Notice[]): readonly Notice[] {
  return after.filter((one) => !before.some((said) => said.at === one.at && said.text === one.text));
}

/** What is asked for at the input line, when it is asked. A mark alone asks for nothing. */
function askedText(before: Screen | null, { input }: Screen): readonly string[] {
  if (input === null || input.caret === null || !/\p{L}/u.test(input.prompt)) return [];
  const asked = before?.input;
  const isAsked =
    asked !== undefined && asked !== null && asked.caret !== null && asked.prompt === input.prompt;
  return isAsked ? [] : [input.prompt];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
