/** Which tools pass, as a person ticks them: pure, so that what a line does can be tried without a terminal. */
import { graveWordIn, type ListedTool, shownText } from "../../broker/index.js";
import { cut, type Widths } from "../../face/wrap.js";
import { valueAt } from "./find-entry.js";

/** What a typed line asks for. Numbers count from 1. */
export type Typed =
  | { readonly kind: "on" }
  | { readonly kind: "back" }
  | { readonly kind: "show"; readonly number: number }
  | { readonly kind: "change"; readonly numbers: readonly number[] }
  | { readonly kind: "wrong" };

/** What nobody reads to its end is not let through in one go; as for `wisp accept`. */
export const mostTicked = 200;

/** Reads it; `count` tools are there. */
export function typedIn(line: string, count: number): Typed {
  const text = line.trim();
  if (text === "") return { kind: "on" };
  if (text === "b") return { kind: "back" };
  const shown = /^\?\s*(\d{1,6})$/.exec(text)?.[1];
  if (shown !== undefined) {
    const number = Number(shown);
    return number >= 1 && number <= count ? { kind: "show", number } : { kind: "wrong" };
  }
  const numbers: number[] = [];
  for (const word of text.split(/[\s,]+/)) {
    const [, first = "", last = first] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(word) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === "" || from < 1 || to > count || to < from) return { kind: "wrong" };
    for (let number = from; number <= to; number += 1) numbers.push(number);
  }
  return { kind: "change", numbers };
}

/** Can a rule name it, and it alone? */
export function isTickable({ name }: Pick<ListedTool, "name">): boolean {
  return /^[A-Za-z0-9_.-]{1,128}$/.test(name);
}

/** Why nobody takes the server's word that it only reads; null where nothing speaks against it, or it does not say so. */
export function doubtOf({ name, text, isReadOnly }: ListedTool): string | null {
  if (!isReadOnly) return null;
  const word = graveWordIn(name);
  if (word !== null) return `its name says ${word}`;
  const destroys = valueAt(JSON.parse(text), ["annotations", "destructiveHint"]) === true;
  return destroys ? "it says that it destroys" : null;
}

/** The numbers of those that say they only read, and of which nothing else says more. */
export function readingIn(tools: readonly ListedTool[]): readonly number[] {
  return tools.flatMap((tool, index) =>
    tool.isReadOnly && isTickable(tool) && doubtOf(tool) === null ? [index + 1] : [],
  );
}

/** These; none where they are more than anybody looks through. */
export function tickedAtFirst(tools: readonly ListedTool[]): ReadonlySet<number> {
  const reading = readingIn(tools);
  return new Set(reading.length > mostTicked ? [] : reading);
}

/** With `numbers` ticked where they were not, and the other way round. */
export function withChanged(
  ticked: ReadonlySet<number>,
  numbers: readonly number[],
  tools: readonly ListedTool[],
): ReadonlySet<number> {
  const next = new Set(ticked);
  for (const number of new Set(numbers)) {
    const tool = tools[number - 1];
    if (tool === undefined || !isTickable(tool)) continue;
    if (!next.delete(number)) next.add(number);
  }
  return next;
}

/** One line for each tool. What the server says of it is cut; its name never is. */
export function tickLines(
  tools: readonly ListedTool[],
  ticked: ReadonlySet<number>,
  columns: number,
  widths: Widths,
): readonly string[] {
  const digits = String(tools.length).length;
  return tools.map((tool, index) => {
    const number = index + 1;
    const box = isTickable(tool) ? (ticked.has(number) ? "[x]" : "[ ]") : " - ";
    const doubt = doubtOf(tool);
    const said = `${shownText(tool.name)}${doubt === null ? "" : `${gap}${doubt}`}`;
    const own = `${String(number).padStart(digits + 1)} ${box} ${tool.isReadOnly ? "*" : " "} ${said}`;
    const room = columns - widths.of(own) - gap.length;
    const description = shownText((tool.description ?? "").slice(0, longestDescription));
    return room < leastRoom || description === ""
      ? own
      : `${own}${gap}${cut(description, room, "end", widths)}`;
  });
}

const gap = "  ";
const leastRoom = 10;
const longestDescription = 400;
