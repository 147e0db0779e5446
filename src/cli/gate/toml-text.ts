/** TOML as Codex reads it. smol-toml says what it means, `toml-places.ts` where it stands. */
import { parse, TomlError } from "smol-toml";
import type { Syntax } from "./entry-text.js";
import { assignmentsIn } from "./toml-places.js";

/** Of Codex. */
export const tomlSyntax: Syntax = {
  parse(text) {
    const read = valueIn(text);
    return "value" in read ? read.value : undefined;
  },
  objectionTo(text) {
    const read = valueIn(text);
    return "value" in read ? { line: 1, text: "no table" } : read;
  },
  membersAt(text, place) {
    return assignmentsIn(text.replace(/^\ufeff/, " ")).filter(
      ({ path }) => path.length === place.length + 1 && place.every((name, index) => path[index] === name),
    );
  },
  // A basic string of TOML is one of JSON, but that DEL has to be escaped in it.
  literal: (text) => JSON.stringify(text).replaceAll("\u007f", "\\u007f"),
  key: (name) => (/^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name)),
  object: (key, raw) => `{ ${key} = ${raw} }`,
  hasLinesInBraces: false,
};

function valueIn(text: string): { readonly value: unknown } | ReturnType<Syntax["objectionTo"]> {
  try {
    // A byte order mark becomes a space, as in JSON. A key that stands twice is no TOML.
    return { value: parse(text.replace(/^\ufeff/, " "), { integersAsBigInt: "asNeeded" }) };
  } catch (error) {
    // Nested deeper than the stack is.
    if (error instanceof RangeError) return { line: 1, text: "nested too deep" };
    if (!(error instanceof TomlError)) throw error;
    const [first = ""] = error.message.split("\n");
    return { line: error.line, text: first.replace(/^Invalid TOML document: /, "") };
  }
}
