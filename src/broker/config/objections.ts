/** What is wrong with a configuration, in words that name the place and, where there is one, the key that was meant. */
import type { z } from "zod";
import { nearest } from "../request/nearest.js";
import { shownText } from "../request/shown.js";
import { configKeys, notBuilt } from "./schema.js";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Enough to correct everything at once, without a wall of text. */
const mostObjections = 5;

/** One text for each of the first issues, safe to show. Values of the file are never repeated. */
export function objections(issues: readonly Issue[]): readonly string[] {
  const all = issues.flatMap(textsOf);
  const more = all.length - mostObjections;
  return more > 0 ? [...all.slice(0, mostObjections), `and ${more} more`] : all;
}

/** Why nothing may stand at `path`, safe to show; null where it is a key. */
export function objectionToKey(path: Path): string | null {
  return configKeys().includes(kindOf(path)) || isClient(path)
    ? null
    : unknownKey(path.slice(0, -1), String(path.at(-1)));
}

/** A client of any name is a place that holds keys. */
function isClient(path: Path): boolean {
  return path.length === 3 && kindOf(path) === "approval.clients.NAME";
}

function textsOf(issue: Issue): readonly string[] {
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey(issue.path, key));
  const place = placeOf(issue.path);
  return [place === "" ? "must hold an object" : `${place}: ${issue.message}`];
}

function unknownKey(path: Path, key: string): string {
  const place = placeOf([...path, key]);
  const kind = kindOf([...path, key]);
  if (notBuilt.has(kind)) return `${place} is not built yet`;
  const meant = meantBy(kindOf(path), key);
  return meant === null ? `${place} is no key` : `${place} is no key; the nearest is ${meant}`;
}

/** The key beside it whose name is nearest, or one of that name elsewhere. */
function meantBy(parent: string, key: string): string | null {
  const keys = configKeys();
  const beside = keys.filter((one) => parentOf(one) === parent);
  const name = nearest(key, beside.map(nameOf)) ?? nearest(key, keys.map(nameOf));
  if (name === null) return null;
  const named = (one: string): boolean => nameOf(one) === name;
  return beside.find(named) ?? keys.find(named) ?? null;
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
