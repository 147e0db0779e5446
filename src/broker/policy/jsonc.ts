/**
 * JSON with comments and trailing commas, for files that people write by hand. Invariant: what two readers could read
 * differently is refused, as in strict-json.ts. Every objection names its line.
 */
import type { Node, ParseError } from "jsonc-parser";
import { textObjection } from "../request/strict-json.js";
import { jsoncEngine } from "./engines.js";
import { plainTree } from "./plain-tree.js";

/** What is wrong with a text, and where. */
export interface Objection {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** A value with its place in the text. */
export type JsonNode = Node;

/** What was read. `root` is null where there are objections that leave no value. */
export interface ReadJsonc {
  readonly root: JsonNode | null;
  readonly objections: readonly Objection[];
  readonly lineOf: (node: { readonly offset: number }) => number;
}

const deepest = 16;
const forbiddenKeys = new Set(["__proto__", "constructor", "prototype"]);
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of a file, or what is wrong with its bytes. */
export function textOf(bytes: Uint8Array): { readonly text: string } | { readonly why: string } {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    // The decoder throws for malformed UTF-8 and for nothing else.
    return { why: "not valid UTF-8" };
  }
  if (text.startsWith("\ufeff")) return { why: "byte order mark" };
  return text.includes("\0") ? { why: "NUL character" } : { text };
}

/** Reads `text`; never throws. */
export function readJsonc(text: string): ReadJsonc {
  const lineOf = linesOf(text);
  const root = plainTree(text, deepest);
  if (root !== null) return inspected(text, root, lineOf);
  const tooDeep = tooDeepAt(text);
  if (tooDeep !== null) {
    return {
      root: null,
      objections: [{ line: lineOf({ offset: tooDeep }), text: "nested too deep" }],
      lineOf,
    };
  }
  const errors: ParseError[] = [];
  jsoncEngine().parseTree(text, errors, { allowTrailingComma: true });
  const objections = errors.map((error) => ({ line: lineOf(error), text: textOfError(error) }));
  return { root: null, objections, lineOf };
}

function inspected(text: string, root: JsonNode, lineOf: ReadJsonc["lineOf"]): ReadJsonc {
  const objections: Objection[] = [];
  const object = (node: JsonNode, what: string): void => {
    objections.push({ line: lineOf(node), text: what });
  };
  // What a string may not hold it can only hold where the text does, or by an escape.
  inspect(root, object, text.includes("\\u") || textObjection(text) !== null);
  return { root, objections, lineOf };
}

/** The plain value of a node, which was inspected. */
export function plainValue(node: JsonNode): unknown {
  switch (node.type) {
    case "array":
      return itemsOf(node).map(plainValue);
    case "object":
      return Object.fromEntries(membersOf(node).map(({ key, value }) => [key, plainValue(value)]));
    default:
      return node.value;
  }
}

/** One member of an object. */
export interface Member {
  readonly key: string;
  readonly keyNode: JsonNode;
  readonly value: JsonNode;
}

/** The members of an object, in the order of the file. */
export function membersOf(node: JsonNode): readonly Member[] {
  // By index: taking apart by a pattern is slow, and there may be thousands.
  return propertiesOf(node).map(({ children }) => ({
    key: String(children[0].value),
    keyNode: children[0],
    value: children[1],
  }));
}

/** What stands in a list; nothing in any other value. */
export function itemsOf({ type, children = [] }: JsonNode): readonly JsonNode[] {
  return type === "array" ? children : [];
}

/** A member as it is read. */
export interface PropertyNode extends JsonNode {
  readonly children: [key: JsonNode, value: JsonNode];
}

/** The same for an object. In a text in which nothing is wrong each member has its key and its value. */
export function propertiesOf({ type, children = [] }: JsonNode): readonly PropertyNode[] {
  return type === "object" ? (children as readonly JsonNode[] as readonly PropertyNode[]) : [];
}

/** Where the nesting gets deeper than anything that is read by recursion; null where it does not. */
function tooDeepAt(text: string): number | null {
  const scanner = jsoncEngine().createScanner(text, true);
  let depth = 0;
  for (let token: number = scanner.scan(); token !== endOfText; token = scanner.scan()) {
    if (token === openBrace || token === openBracket) depth += 1;
    else if (token === closeBrace || token === closeBracket) depth -= 1;
    if (depth > deepest) return scanner.getTokenOffset();
  }
  return null;
}

/** As jsonc-parser numbers its tokens; its names for them exist for the compiler alone. */
const openBrace = 1;
const closeBrace = 2;
const openBracket = 3;
const closeBracket = 4;
const endOfText = 17;

function textOfError({ error }: ParseError): string {
  const words = jsoncEngine()
    .printParseErrorCode(error)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return `not JSON (${words})`;
}

// Recursion is safe: the depth was bounded before the text was read.
function inspect(
  node: JsonNode,
  object: (node: JsonNode, what: string) => void,
  areTextsJudged: boolean,
): void {
  if (node.type === "string" && areTextsJudged) objectToText(node, object);
  if (node.type === "number" && !isSafe(node.value)) object(node, "unsafe number");
  for (const item of itemsOf(node)) inspect(item, object, areTextsJudged);
  const properties = propertiesOf(node);
  // Most objects have a few keys, and there may be thousands of such objects.
  const keys = properties.length > mostFewKeys ? new Set<string>() : null;
  let index = 0;
  for (const { children } of properties) {
    const keyNode = children[0];
    if (areTextsJudged) objectToText(keyNode, object);
    const key = String(keyNode.value);
    const isKnown = keys === null ? isKeyBefore(index, key, properties) : keys.has(key);
    if (isKnown) object(keyNode, "duplicate key");
    if (forbiddenKeys.has(key)) object(keyNode, "forbidden key");
    keys?.add(key);
    inspect(children[1], object, areTextsJudged);
    index += 1;
  }
}

const mostFewKeys = 12;

function isKeyBefore(end: number, key: string, properties: readonly PropertyNode[]): boolean {
  for (let index = 0; index < end; index += 1) if (properties[index]?.children[0].value === key) return true;
  return false;
}

function objectToText(node: JsonNode, object: (node: JsonNode, what: string) => void): void {
  const what = textObjection(String(node.value));
  if (what !== null) object(node, what);
}

function isSafe(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

/** Line numbers by offset, counted once. */
function linesOf(text: string): ReadJsonc["lineOf"] {
  const starts: number[] = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return ({ offset }) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      const start = starts[middle];
      if (start !== undefined && start <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
