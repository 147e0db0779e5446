/** Which tools pass, as a person ticks them: pure, so that what a line does can be tried without a terminal. */
import { type ListedTool, shownText } from "../../broker/index.js";
import { cut, type Widths } from "../../face/wrap.js";

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

/** The numbers of those that say they only read; none where they are more than anybody looks through. */
export function tickedAtFirst(tools: readonly ListedTool[]): ReadonlySet<number> {
  const reading = tools.flatMap((tool, index) => (tool.isReadOnly && isTickable(tool) ? [index + 1] : []));
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
    const own = `${String(number).padStart(digits + 1)} ${box} ${tool.isReadOnly ? "*" : " "} ${shownText(tool.name)}`;
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
