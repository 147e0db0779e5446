/** JSON as clients and editors write it: with comments, commas at the end and a byte order mark. */
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import type { Member, Span, Syntax } from "./entry-text.js";

/** Of Claude Code, Claude Desktop, Cursor and VS Code. */
export const jsonSyntax: Syntax = {
  parse(text) {
    const root = treeOf(text);
    return root === null || keyTwice(root) !== null ? undefined : getNodeValue(root);
  },
  objectionTo(text) {
    const errors: ParseError[] = [];
    const root = rootOf(text, errors);
    const [error] = errors;
    if (root === "too deep") return { line: 1, text: "nested too deep" };
    if (error !== undefined) return { line: lineAt(text, error.offset), text: wordsOf(error) };
    const key = root?.type === "object" ? keyTwice(root) : null;
    if (key === null) return { line: 1, text: "no object" };
    const why = key.value === "__proto__" ? "is no key" : "stands twice";
    return { line: lineAt(text, key.offset), text: `${JSON.stringify(key.value)} ${why}` };
  },
  membersAt(text, place) {
    const root = treeOf(text);
    const node = root === null ? undefined : findNodeAtLocation(root, [...place]);
    return (node?.children ?? []).flatMap(memberFrom);
  },
  literal: (text) => JSON.stringify(text),
  key: (name) => JSON.stringify(name),
  object: (key, raw) => `{ ${key}: ${raw} }`,
  hasLinesInBraces: true,
};

function treeOf(text: string): Node | null {
  const errors: ParseError[] = [];
  const root = rootOf(text, errors);
  return errors.length === 0 && root !== "too deep" && root?.type === "object" ? root : null;
}

function rootOf(text: string, errors: ParseError[]): Node | undefined | "too deep" {
  try {
    // A byte order mark becomes a space: offsets stay those of the text.
    return parseTree(text.replace(/^\ufeff/, " "), errors, { allowTrailingComma: true });
  } catch (error) {
    // Nested deeper than the stack is: no client reads that either.
    if (error instanceof RangeError) return "too deep";
    throw error;
  }
}

/** `comma expected` */
function wordsOf({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** Two programs may take two different ones of them. */
function keyTwice(node: Node): Node | null {
  const waiting = [node];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const { type, children = [] } = one;
    if (type === "object") {
      const seen = new Set(["__proto__"]);
      for (const key of children.flatMap((property) => property.children?.[0] ?? [])) {
        if (seen.has(String(key.value))) return key;
        seen.add(String(key.value));
      }
    }
    for (const child of children) waiting.push(child);
  }
  return null;
}

function memberFrom({ type, children = [] }: Node): readonly Member[] {
  const [key, value] = children;
  if (type !== "property" || key === undefined || value === undefined) return [];
  const items = value.type === "array" ? (value.children ?? []).map(spanOf) : null;
  return [{ key: String(key.value), keySpan: spanOf(key), value: spanOf(value), items, form: "braces" }];
}

function spanOf({ offset, length }: Node): Span {
  return { start: offset, end: offset + length };
}
