/** Paths into the arguments of a call: RFC 9535 without filters, slices and descendants, so that the work is linear. */
import { jsonPathParser } from "./engines.js";

/** One step down: a member by its name, an element by its index, or all of either. */
export type ArgumentStep =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "all" };

/** Where in the arguments to look, as in `$.files[*].path`, and how it was written. */
export interface ArgumentPath {
  readonly text: string;
  readonly steps: readonly ArgumentStep[];
}

/** A path, or what is wrong with the text. */
export type ParsedArgumentPath =
  | { readonly kind: "path"; readonly path: ArgumentPath }
  | { readonly kind: "wrong"; readonly why: string };

const longestPath = 512;
const mostSteps = 32;
/** So many values are looked at; of a call that holds more, a rule that allows says nothing, and others hold. */
export const mostFound = 10_000;

/** Many rules ask for the same argument, and the parser takes a while to begin. */
const parsedPaths = new Map<string, ParsedArgumentPath>();
const mostParsed = 1_000;

/** Reads `$.path`, `$['a b'][0]`, `$.items[*].id`. */
export function parseArgumentPath(text: string): ParsedArgumentPath {
  const parsed = parsedPaths.get(text) ?? parse(text);
  if (parsedPaths.size >= mostParsed) parsedPaths.clear();
  if (text.length <= longestPath) parsedPaths.set(text, parsed);
  return parsed;
}

function parse(text: string): ParsedArgumentPath {
  if (text.length > longestPath) return wrong(`longer than ${longestPath} characters`);
  if (!text.startsWith("$")) return wrong(`a path begins with $: $.${text} was probably meant`);
  // Filters, and what the parser would take long for.
  if (/[?(]/.test(text)) return wrong("no filter may stand in it");
  let parsed: ReturnType<ReturnType<typeof jsonPathParser>>;
  try {
    parsed = jsonPathParser()(text);
  } catch {
    // The parser throws for what is no path, and says it in the words of its grammar.
    return wrong("it is no path of RFC 9535");
  }
  const steps: ArgumentStep[] = [];
  for (const segment of parsed.segments) {
    const step = segment.type === "ChildSegment" ? stepOf(segment.node) : null;
    if (step === null)
      return wrong("only names, indexes and [*] may stand in it: no .., no ?, no lists, no slices");
    steps.push(step);
  }
  if (steps.length === 0) return wrong("$ alone names all arguments, and none of them");
  return steps.length > mostSteps
    ? wrong(`more than ${mostSteps} steps`)
    : { kind: "path", path: { text, steps } };
}

type Segment = ReturnType<ReturnType<typeof jsonPathParser>>["segments"][number]["node"];

function stepOf(node: Segment): ArgumentStep | null {
  switch (node.type) {
    case "MemberNameShorthand":
      return { kind: "name", name: node.value };
    case "WildcardSelector":
      return { kind: "all" };
    case "BracketedSelection": {
      const [selector, second] = node.selectors;
      if (selector === undefined || second !== undefined) return null;
      if (selector.type === "NameSelector") return { kind: "name", name: selector.value };
      if (selector.type === "IndexSelector") return { kind: "index", index: selector.value };
      return selector.type === "WildcardSelector" ? { kind: "all" } : null;
    }
    default:
      return null;
  }
}

/** Is there at most one value at the path? */
export function isSingular({ steps }: ArgumentPath): boolean {
  return steps.every(({ kind }) => kind !== "all");
}

/** The values at the path; null where there are too many to look at. */
export function foundAt({ steps }: ArgumentPath, value: unknown): readonly unknown[] | null {
  let found: readonly unknown[] = [value];
  for (const step of steps) {
    const [first] = found;
    found = found.length === 1 ? childrenOf(first, step) : found.flatMap((one) => childrenOf(one, step));
    if (found.length > mostFound) return null;
  }
  return found;
}

/** The values at a path that is written out; null for more than are looked at, and for what is no path. */
export function argumentsAt(text: string, value: unknown): readonly unknown[] | null {
  const parsed = parseArgumentPath(text);
  return parsed.kind === "path" ? foundAt(parsed.path, value) : null;
}

function childrenOf(value: unknown, step: ArgumentStep): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [];
  switch (step.kind) {
    case "all":
      return Object.values(value);
    case "index": {
      if (!Array.isArray(value)) return [];
      const index = step.index < 0 ? value.length + step.index : step.index;
      return index >= 0 && index < value.length ? [value[index]] : [];
    }
    case "name":
      return !Array.isArray(value) && Object.hasOwn(value, step.name)
        ? [(value as Readonly<Record<string, unknown>>)[step.name]]
        : [];
    default:
      return step satisfies never;
  }
}

function wrong(why: string): ParsedArgumentPath {
  return { kind: "wrong", why };
}
