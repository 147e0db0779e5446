/**
 * The screen for whoever has it read aloud: lines without frames, columns or escapes. A text that was folded is whole
 * again, and whose words are whose is said in words.
 */
import type { Body, CardPart, CardRow, KeyHint, Notice, Screen } from "../screen/screen.js";
import { countOf } from "./cells.js";

/** Everything on `screen`, from top to bottom. */
export function linearText({ header, body, notices, keys }: Screen): readonly string[] {
  return [
    ...(header.waits === "" ? [] : [sentence(header.waits)]),
    ...(header.health === "" || header.isHealthy ? [] : [sentence(`Warning: ${header.health}`)]),
    ...bodyText(body),
    ...notices.map(noticeText),
    ...keyText(keys),
  ];
}

/** A notice as a line. */
export function noticeText({ text, isWarning }: Notice): string {
  return isWarning ? `Warning: ${text}` : text;
}

function bodyText(body: Body): readonly string[] {
  switch (body.kind) {
    case "empty":
    case "tiny":
      return body.lines;
    case "work":
      return cardText(body.card);
    case "pages":
      return [sentence(body.title), ...body.lines.map(({ text }) => text), ...hiddenText(body)];
    default:
      return body satisfies never;
  }
}

/** What it asks, how dangerous that is and how long there is, then its fields, then what can be answered. */
function cardText(card: CardPart): readonly string[] {
  const { title, level, id, left, rows, foot } = card;
  const first = [
    title,
    ...(level === null ? [] : [sentence(`Level ${level}`)]),
    ...(id === "" ? [] : [sentence(`Id ${id}`)]),
    ...(left === null ? [] : [sentence(leftText(left))]),
  ].join(" ");
  return [first, ...fieldTexts(rows), ...hiddenText(card), ...(foot.length === 0 ? [] : [foot.join(" ")])];
}

/** `9 minutes 41 seconds left`, `6 days 23 hours left`; a text that tells no time is as it was. */
export function leftText(left: string): string {
  const [, days, hours = "0"] = /^(\d+) d(?: (\d+) h)?$/.exec(left) ?? [];
  if (days !== undefined) {
    const rest = hours === "0" ? "" : ` ${countOf(Number(hours), "hour")}`;
    return `${countOf(Number(days), "day")}${rest} left`;
  }
  const seconds = secondsLeft(left);
  if (seconds === null) return left;
  const parts = [
    [Math.floor(seconds / 3_600), "hour"],
    [Math.floor(seconds / 60) % 60, "minute"],
    [seconds % 60, "second"],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, one]) => countOf(count, one));
  return told.length === 0 ? "no time left" : `${told.join(" ")} left`;
}

/** Seconds of `9:41` and of `1:00:00`; null for a text that tells no time. */
export function secondsLeft(left: string): number | null {
  if (!/^\d+(:\d\d){1,2}$/.test(left)) return null;
  return left.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}

/**
 * One line for each line of a field: what was folded to columns is put together again, and what has no label of its own
 * goes on with the field before it, so that no line begins with a text of a request.
 */
function fieldTexts(rows: readonly CardRow[]): readonly string[] {
  const texts: string[] = [];
  let isChange = false;
  for (const row of rows) {
    isChange = row.label === "change" || (isChange && row.label === "");
    const before = texts.at(-1);
    if (before === undefined || row.label !== "") texts.push(isChange ? changeText(row) : fieldText(row));
    else if (row.isFold) texts[texts.length - 1] = before + goneOn(row, isChange);
    else if (isChange) texts.push(changeText(row));
    else texts[texts.length - 1] = `${before} ${row.text}`;
  }
  return texts;
}

/** A warning was folded at a blank, and everything else anywhere. */
function goneOn({ text, tone }: CardRow, isChange: boolean): string {
  if (isChange) return text.slice(markColumns);
  return tone === "warning" ? ` ${text}` : text;
}

/** `+ `, `- ` or blanks stand before the lines of a change, and `· ` where a folded one goes on. */
const markColumns = 2;

function changeText({ text, tone }: CardRow): string {
  const what = tone === "added" ? "Added" : tone === "removed" ? "Removed" : "Unchanged";
  return `${what}: ${text.slice(markColumns)}`;
}

function fieldText({ label, text, tone }: CardRow): string {
  if (label === "⏎") return `Next line: ${text}`;
  const name = `${label.slice(0, 1).toUpperCase()}${label.slice(1)}`;
  return tone === "words" ? `${name}, in its own words: ${text}` : `${name}: ${text}`;
}

function hiddenText({ above, below }: { readonly above: number; readonly below: number }): readonly string[] {
  return [
    ...(above === 0 ? [] : [sentence(`${countOf(above, "row")} above`)]),
    ...(below === 0 ? [] : [sentence(`${countOf(below, "row")} below`)]),
  ];
}

function keyText(keys: readonly KeyHint[]): readonly string[] {
  if (keys.length === 0) return [];
  const told = keys.map(({ key, does, isDim }) => `${`${key} ${does}`.trim()}${isDim ? " (not now)" : ""}`);
  // Where answers are typed words, what they do is what they say.
  return [sentence(`${keys.some(({ does }) => does === "") ? "Type" : "Keys:"} ${told.join(", ")}`)];
}

function sentence(text: string): string {
  return text.endsWith(".") || text.endsWith("?") ? text : `${text}.`;
}
