/** TOML as Codex reads it. smol-toml says what it means, `toml-places.ts` where it stands. */
import { parse, TomlError } from "smol-toml";
import type { Syntax } from "./entry-text.js";
import { assignmentsIn } from "./toml-places.js";

/** Of Codex. */
export const tomlSyntax: Syntax = {
  parse(text) {
    try {
      // A byte order mark becomes a space, as in JSON. A key that stands twice is no TOML.
      return parse(text.replace(/^\ufeff/, " "), { integersAsBigInt: "asNeeded" });
    } catch (error) {
      // The second: nested deeper than the stack is.
      if (error instanceof TomlError || error instanceof RangeError) return undefined;
      throw error;
    }
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
