/** JSON as clients and editors write it: with comments, commas at the end and a byte order mark. */
import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from "jsonc-parser";
import type { Member, Span, Syntax } from "./entry-text.js";

/** Of Claude Code, Claude Desktop, Cursor and VS Code. */
export const jsonSyntax: Syntax = {
  parse(text) {
    const root = treeOf(text);
    return root === null || hasKeyTwice(root) ? undefined : getNodeValue(root);
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
  try {
    // A byte order mark becomes a space: offsets stay those of the text.
    const root = parseTree(text.replace(/^\ufeff/, " "), errors, { allowTrailingComma: true });
    return errors.length === 0 && root?.type === "object" ? root : null;
  } catch (error) {
    // Nested deeper than the stack is: no client reads that either.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Two programs may take two different ones of them. */
function hasKeyTwice(node: Node): boolean {
  const waiting = [node];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const { type, children = [] } = one;
    if (type === "object") {
      const keys = children.map((property) => String(property.children?.[0]?.value));
      if (new Set(keys).size < keys.length || keys.includes("__proto__")) return true;
    }
    for (const child of children) waiting.push(child);
  }
  return false;
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
