/**
 * What a rule names among the arguments of a call. Invariant: what is bound is what the server will read there, so a path
 * that servers resolve in ways of their own is refused rather than guessed at.
 */
import { isAbsolute, resolve } from "node:path";
import {
  foundAt,
  isSingular,
  parseArgumentPath,
  shownText,
  textObjection,
  WispError,
} from "../../../broker/index.js";
import type { JsonObject } from "../frames/json-object.js";

/** A person looks at each, and every one is read before the call is sent. */
const mostNamed = 500;

/**
 * The paths that `names` lead to, absolute and each once: a text that begins with `$.` leads to texts in `given`, any other
 * stands for itself. Relative ones start from `directory`; null: none may be relative. Throws invalid_input.
 */
export function namedPaths(
  names: readonly string[],
  given: JsonObject,
  directory: string | null,
): readonly string[] {
  const found = new Set<string>();
  for (const name of names) {
    for (const text of name.startsWith("$.") ? textsAt(name, given) : [name]) {
      found.add(pathOf(text, name, directory));
    }
  }
  if (found.size > mostNamed) throw tooMany(names.join(", "));
  return [...found];
}

/** `value` with each text in it that begins with `$.` replaced by what it leads to in `given`. Throws invalid_input. */
export function filledIn(value: unknown, given: JsonObject): unknown {
  if (typeof value === "string") return value.startsWith("$.") ? valueAt(value, given) : value;
  if (Array.isArray(value)) return value.map((one) => filledIn(one, given));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filledIn(one, given)]));
}

/** What `name` leads to; null where it is no path, or leads to more than can be looked at. */
export function valuesIn(name: string, given: JsonObject): readonly unknown[] | null {
  const parsed = parseArgumentPath(name);
  return parsed.kind === "path" ? foundAt(parsed.path, given) : null;
}

/** The one text at `name`; null where there is none, or something else. */
export function textAt(name: string, given: JsonObject): string | null {
  const [value, another] = valuesIn(name, given) ?? [];
  return typeof value === "string" && another === undefined ? value : null;
}

/** The absolute path that `text` means to the server; null where servers differ, or where no file can be called so. */
export function plainPath(text: string, directory: string | null): string | null {
  if (text === "" || textObjection(text) !== null) return null;
  // What a ~ means is the server's to say; and where a link stands before it, `..` leads elsewhere than it reads.
  if (text.startsWith("~") || text.split("/").includes("..")) return null;
  if (directory === null) return isAbsolute(text) ? resolve(text) : null;
  return resolve(directory, text);
}

function textsAt(name: string, given: JsonObject): readonly string[] {
  return valuesAt(name, given).map((value) => {
    if (typeof value === "string") return value;
    throw unusable(name, "it is no text");
  });
}

function valueAt(name: string, given: JsonObject): unknown {
  const values = valuesAt(name, given);
  if (values.length > 1) throw unusable(name, "there are several");
  return values[0];
}

function valuesAt(name: string, given: JsonObject): readonly unknown[] {
  const parsed = parseArgumentPath(name);
  if (parsed.kind === "wrong") throw unusable(name, parsed.why);
  const values = foundAt(parsed.path, given);
  if (values === null) throw tooMany(name);
  // An empty list names nothing, and then there is nothing that a yes could rest on.
  if (values.length === 0) throw unusable(name, isSingular(parsed.path) ? "it is missing" : "there is none");
  return values;
}

function pathOf(text: string, name: string, directory: string | null): string {
  const path = plainPath(text, directory);
  if (path === null)
    throw unusable(name, `${JSON.stringify(text)} is to be given as an absolute path, without ~ and ..`);
  return path;
}

function tooMany(name: string): WispError {
  return unusable(name, `there are more than ${mostNamed}`);
}

function unusable(name: string, why: string): WispError {
  return new WispError(
    "invalid_input",
    `The argument ${shownText(name)} cannot be used: ${shownText(why)}.`,
    {
      why: "A yes to this call is to rest on what it leads to; nobody was asked and nothing ran.",
    },
  );
}
