/** What is wrong with a configuration, in words that name the place and, where there is one, the key that was meant. */
import type { z } from "zod";
import { nearest } from "../request/nearest.js";
import { shownText } from "../request/shown.js";
import { configKeys, notBuilt } from "./schema.js";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Enough to correct everything at once, without a wall of text. */
const mostObjections = 5;

/** One thing that is wrong. Values of the file are never repeated. */
export interface Objection {
  /** Where; null where it counts what is left out. */
  readonly path: Path | null;
  /** The place as a person writes it down, safe to show; "" for the whole. */
  readonly place: string;
  /** What is wrong there, safe to show: `must be true or false`, `is no key`. */
  readonly what: string;
  /** Do several keys together make it wrong? */
  readonly isPair: boolean;
}

/** The first of them, and how many more there are. */
export function objections(issues: readonly Issue[]): readonly Objection[] {
  const all = issues.flatMap(objectionsOf);
  const more = all.length - mostObjections;
  const rest = { path: null, place: "", what: `and ${more} more`, isPair: false };
  return more > 0 ? [...all.slice(0, mostObjections), rest] : all;
}

/** In one line. */
export function objectionText({ place, what }: Pick<Objection, "place" | "what">): string {
  if (place === "") return what;
  return what.startsWith("is ") ? `${place} ${what}` : `${place}: ${what}`;
}

/** Why nothing may stand at `path`, safe to show; null where it is a key. */
export function objectionToKey(path: Path): string | null {
  return configKeys().includes(kindOf(path)) || isClient(path)
    ? null
    : objectionText(unknownKey(path.slice(0, -1), String(path.at(-1))));
}

/** A client of any name is a place that holds keys. */
function isClient(path: Path): boolean {
  return path.length === 3 && kindOf(path) === "approval.clients.NAME";
}

function objectionsOf(issue: Issue): readonly Objection[] {
  const { path, code, message } = issue;
  if (code === "unrecognized_keys") return issue.keys.map((key) => unknownKey(path, key));
  return [{ path, place: placeOf(path), what: message, isPair: code === "custom" && path[0] === "approval" }];
}

function unknownKey(above: Path, key: string): Objection {
  const path = [...above, key];
  const meant = meantBy(kindOf(above), key);
  const nearest = meant === null ? "" : `; the nearest is ${meant}`;
  const what = notBuilt.has(kindOf(path)) ? "is not built yet" : `is no key${nearest}`;
  return { path, place: placeOf(path), what, isPair: false };
}

/** The key beside it whose name is nearest, or one of that name elsewhere. */
function meantBy(parent: string, key: string): string | null {
  const keys = configKeys();
  const beside = keys.filter((one) => parentOf(one) === parent);
  const name = nearest(key, beside.map(nameOf)) ?? nearest(key, keys.map(nameOf));
  return [...beside, ...keys].find((one) => nameOf(one) === name) ?? null;
}

function nameOf(key: string): string {
  return key.slice(key.lastIndexOf(".") + 1);
}

function parentOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf(".")));
}

/** The path with the name of a client replaced by what stands for any. */
function kindOf(path: Path): string {
  const isOfClient = path[0] === "approval" && path[1] === "clients";
  return path.map((part, index) => (isOfClient && index === 2 ? "NAME" : String(part))).join(".");
}

const longestPart = 64;

/** The path as a person writes it down; names of clients may hold anything. */
function placeOf(path: Path): string {
  return path
    .map((part) => shownText([...String(part)].slice(0, longestPart).join("")))
    .map((part) => (/^[\w-]+$/.test(part) ? part : `"${part}"`))
    .join(".");
}
