/** Names of gates that stand in the files of clients already: two servers under one name would share rules and pins. */
import { isDeepStrictEqual } from "node:util";
import { WispError } from "../../broker/index.js";
import type { Surroundings } from "../wiring/clients.js";
import { verbAt } from "../wiring/entries.js";
import { type FoundEntry, isObject, readPlaces, valueAt } from "./find-entry.js";
import { behindGate, gateNameFor, type Upstream } from "./gate-line.js";

/** A name that is free for a gate, and whether the one that was meant is not. */
export interface FreeName {
  readonly name: string;
  /** Before what the meant one stands; null where it is the meant one. */
  readonly taken: { readonly name: string; readonly entry: string; readonly path: string } | null;
}

const most = 99;
const longestBase = 29;

/** The name after `entry`, with a number where it stands before another server already. Throws invalid_input for none. */
export function freeNameFor(entry: FoundEntry, upstream: Upstream, around: Surroundings): FreeName {
  const meant = gateNameFor(entry.name);
  const others = gatesIn(around).filter(
    (one) =>
      (one.path !== entry.file.path || !isDeepStrictEqual(one.place, entry.place)) &&
      !isDeepStrictEqual(one.upstream, upstream),
  );
  const first = others.find(({ name }) => name === meant);
  if (first === undefined) return { name: meant, taken: null };
  const base = meant.slice(0, longestBase).replace(/-+$/, "");
  for (let number = 2; number <= most; number += 1) {
    const name = `${base}-${number}`;
    if (!others.some((one) => one.name === name))
      return { name, taken: { name: meant, entry: first.place.at(-1) ?? "", path: first.path } };
  }
  throw new WispError("invalid_input", `No name like ${meant} is left for a gate.`, {
    why: "Two servers under one name would share rules.",
    fix: "Give the entry another name in the client's configuration.",
  });
}

/** The words behind `wisp gate` of an entry, and where it stands. */
export interface GateWords {
  readonly path: string;
  readonly entry: string;
  readonly words: readonly string[];
}

/** Of every entry that starts a gate, in the files that are understood. */
export function gateWordsIn(around: Surroundings): readonly GateWords[] {
  return entriesIn(around).flatMap(({ path, place, value }) => {
    const words = wordsIn(value);
    const at = words === null ? -1 : verbAt(words, "gate");
    return words === null || at === -1
      ? []
      : [{ path, entry: place.at(-1) ?? "", words: words.slice(at + 1) }];
  });
}

interface NamedGate {
  readonly path: string;
  readonly place: readonly string[];
  readonly name: string;
  readonly upstream: Upstream;
}

function gatesIn(around: Surroundings): readonly NamedGate[] {
  return entriesIn(around).flatMap(({ path, place, value }) => {
    const gate = gateIn(value);
    return gate === null ? [] : [{ path, place, ...gate }];
  });
}

function entriesIn(
  around: Surroundings,
): readonly (Pick<NamedGate, "path" | "place"> & { readonly value: unknown })[] {
  return readPlaces(around).flatMap(({ path, servers, whole }) => {
    const projects = Object.keys(Object(valueAt(whole, ["projects"])));
    const tables = [[servers], ...projects.map((project) => ["projects", project, servers])];
    return tables.flatMap((table) =>
      Object.entries(Object(valueAt(whole, table)) as object).map(([key, value]: [string, unknown]) => ({
        path,
        place: [...table, key],
        value,
      })),
    );
  });
}

function wordsIn(value: unknown): readonly string[] | null {
  if (!isObject(value) || !Array.isArray(value.args)) return null;
  return [value.command, ...value.args].filter((one) => typeof one === "string");
}

function gateIn(value: unknown): Pick<NamedGate, "name" | "upstream"> | null {
  const words = wordsIn(value);
  const gate = words === null ? null : behindGate(words);
  if (words === null || gate === null) return null;
  const own = words.slice(0, gate.before);
  const at = own.findIndex((word) => /^--name(?:=|$)/.test(word));
  const word = own[at] ?? "";
  const name = word.startsWith("--name=") ? word.slice("--name=".length) : (own[at + 1] ?? null);
  return at === -1 || name === null ? null : { name, upstream: gate.upstream };
}
