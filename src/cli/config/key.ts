/** A key as it is typed: dotted, and a client's name as it is or, where that is not clear, as a text of JSON. */
import { objectionToKey, WispError } from "../../broker/index.js";

/** The places in the file that lead to it. */
export type KeyPath = readonly string[];

/** Throws invalid_input for what is no key, with the nearest one. */
export function parseKey(typed: string): KeyPath {
  const path = pathOf(typed);
  const objection = objectionToKey(path);
  if (objection === null) return path;
  throw new WispError("invalid_input", objection, {
    why: "Nothing was read or changed.",
    fix: "wisp config list",
  });
}

const clientsKey = "approval.clients.";

function pathOf(typed: string): KeyPath {
  if (!typed.startsWith(clientsKey)) return typed.split(".");
  const rest = typed.slice(clientsKey.length);
  const inQuotes = /^("(?:[^"\\]|\\.)*")(?:\.(\w+))?$/.exec(rest);
  if (inQuotes !== null) return ["approval", "clients", ...namedBy(inQuotes[1] ?? ""), ...last(inQuotes[2])];
  // A name may hold dots: what stands behind the last one is the key.
  const dot = rest.lastIndexOf(".");
  return ["approval", "clients", ...(dot > 0 ? [rest.slice(0, dot), rest.slice(dot + 1)] : [rest])];
}

function namedBy(text: string): readonly string[] {
  try {
    return [String(JSON.parse(text))];
  } catch {
    // No text of JSON: then the quotes are part of the name.
    return [text];
  }
}

function last(key: string | undefined): readonly string[] {
  return key === undefined ? [] : [key];
}

/** As it is typed. */
export function keyText(path: KeyPath): string {
  return path.map((part) => (/^[\w-]+$/.test(part) ? part : JSON.stringify(part))).join(".");
}

/** What stands at `path` of `value`; undefined where nothing does. */
export function valueAt(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>(
    (at, part) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, part)
        ? (at as Readonly<Record<string, unknown>>)[part]
        : undefined,
    value,
  );
}
