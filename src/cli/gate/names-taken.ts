/** Names of gates that stand in the files of clients already: two servers under one name would share rules and pins. */
import { isDeepStrictEqual } from "node:util";
import { WispError } from "../../broker/index.js";
import type { Surroundings } from "../wiring/clients.js";
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

interface NamedGate {
  readonly path: string;
  readonly place: readonly string[];
  readonly name: string;
  readonly upstream: Upstream;
}

function gatesIn(around: Surroundings): readonly NamedGate[] {
  return readPlaces(around).flatMap(({ path, servers, whole }) => {
    const projects = Object.keys(Object(valueAt(whole, ["projects"])));
    const tables = [[servers], ...projects.map((project) => ["projects", project, servers])];
    return tables.flatMap((table) =>
      Object.entries(Object(valueAt(whole, table)) as object).flatMap(([key, value]) => {
        const gate = gateIn(value);
        return gate === null ? [] : [{ path, place: [...table, key], ...gate }];
      }),
    );
  });
}

function gateIn(value: unknown): Pick<NamedGate, "name" | "upstream"> | null {
  if (!isObject(value) || !Array.isArray(value.args)) return null;
  const words = [value.command, ...value.args].filter((one) => typeof one === "string");
  const gate = behindGate(words);
  if (gate === null) return null;
  const own = words.slice(0, gate.before);
  const at = own.findIndex((word) => /^--name(?:=|$)/.test(word));
  const word = own[at] ?? "";
  const name = word.startsWith("--name=") ? word.slice("--name=".length) : (own[at + 1] ?? null);
  return at === -1 || name === null ? null : { name, upstream: gate.upstream };
}
