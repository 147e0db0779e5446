/** Looks for an entry in the configuration of every known client. What cannot be read, or is not understood, is told of. */
import { dirname } from "node:path";
import { largestConfiguration, lookAt, type OthersFile, readOthersFile } from "../../broker/index.js";
import {
  type ClientWord,
  type EntryScope,
  type Place,
  placesOf,
  type Surroundings,
} from "../wiring/clients.js";
import type { Syntax } from "./entry-text.js";
import { jsonSyntax } from "./json-text.js";
import { tomlSyntax } from "./toml-text.js";

/** What is sought. */
export interface Sought {
  readonly name: string;
  /** Null: in every one. */
  readonly client: ClientWord | null;
  readonly scope: EntryScope | null;
}

/** An entry that was found. */
export interface FoundEntry {
  readonly name: string;
  /** As a person calls the client, and as it is typed. */
  readonly client: string;
  readonly word: ClientWord;
  readonly scope: EntryScope;
  readonly file: OthersFile;
  readonly syntax: Syntax;
  /** The keys that lead to it. */
  readonly place: readonly string[];
  /** What its members stand for. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** A file that is left alone, and why. */
export interface UnusableFile {
  readonly client: string;
  readonly path: string;
  /** In words, not yet safe to show. */
  readonly why: string;
}

/** A file that was understood, and what it names. */
export interface NamedFile extends Pick<UnusableFile, "client" | "path"> {
  readonly names: readonly string[];
}

/** What a search gave. */
export interface Search {
  readonly found: readonly FoundEntry[];
  readonly unusable: readonly UnusableFile[];
  /** The files that were read, and the names of all entries that stand where it was sought. */
  readonly files: readonly NamedFile[];
}

/** Reads the files in which it can stand, and no others. */
export function findEntry(sought: Sought, around: Surroundings): Search {
  const found: FoundEntry[] = [];
  const unusable: UnusableFile[] = [];
  const files: NamedFile[] = [];
  for (const place of placesOf(around)) {
    if (sought.client !== null && place.word !== sought.client) continue;
    const places = placesIn(place, sought, around.directory);
    if (places.length === 0) continue;
    const { client, word, path } = place;
    const read = readPlace(place);
    if (read === null) continue;
    if ("why" in read) unusable.push({ client, path, why: read.why });
    else {
      const names = places.flatMap(({ place: at }) =>
        Object.keys(Object(valueAt(read.whole, at.slice(0, -1)))),
      );
      files.push({ client, path, names });
      for (const { scope, place: at } of places) {
        const value = valueAt(read.whole, at);
        if (!isObject(value)) continue;
        const { file, syntax } = read;
        found.push({ name: sought.name, client, word, scope, file, syntax, place: at, value });
      }
    }
  }
  return { found, unusable, files };
}

/** A client's file that was understood. */
interface UnderstoodFile extends Pick<FoundEntry, "file" | "syntax"> {
  readonly whole: unknown;
}

/** Null where it is not there. */
function readPlace({ path, format, scope }: Place): UnderstoodFile | Pick<UnusableFile, "why"> | null {
  // A project's own directory leads nowhere else: not to the files that count everywhere.
  if (scope === "project" && lookAt(dirname(path))?.isSymbolicLink() === true)
    return { why: "symbolic link" };
  const file = readOthersFile(path, largestConfiguration);
  if (file.kind === "missing") return null;
  if (file.kind === "refused") return { why: file.objection };
  const syntax = format === "codex" ? tomlSyntax : jsonSyntax;
  const whole = file.text.trim() === "" ? {} : syntax.parse(file.text);
  if (whole !== undefined) return { file, syntax, whole };
  const { line, text } = syntax.objectionTo(file.text);
  return { why: `not understood: line ${line}: ${text}` };
}

/** What every known file says that is understood, and under which key its servers stand. */
export function readPlaces(
  around: Surroundings,
): readonly { readonly path: string; readonly servers: string; readonly whole: unknown }[] {
  return placesOf(around).flatMap((place) => {
    const read = readPlace(place);
    if (read === null || "why" in read) return [];
    return [{ path: place.path, servers: serversIn(place), whole: read.whole }];
  });
}

function serversIn({ format }: Pick<Place, "format">): string {
  return format === "codex" ? "mcp_servers" : format;
}

/** The value at `place` below `whole`; undefined where nothing stands there. */
export function valueAt(whole: unknown, place: readonly string[]): unknown {
  return place.reduce<unknown>(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    whole,
  );
}

function placesIn(
  { word, format, scope }: Place,
  { name, scope: wanted }: Sought,
  directory: string,
): readonly { readonly scope: EntryScope; readonly place: readonly string[] }[] {
  const servers = serversIn({ format });
  const own = { scope, place: [servers, name] } as const;
  const local = { scope: "local", place: ["projects", directory, servers, name] } as const;
  const all = word === "claude-code" && scope !== "project" ? [own, local] : [own];
  return all.filter((one) => wanted === null || one.scope === wanted);
}

/** Has it members? */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
