/**
 * The names in `late/`: `<id>.<mark>.json`, whose mark tells what the request is bound to, so that an ask opens nothing that
 * is about something else. A name proves nothing: what a request is bound to stands inside, under its seal.
 */
import { join } from "node:path";
import { namesIn, writtenAtNs } from "../files/look.js";
import { temporaryPrefix } from "../files/publish.js";
import { removeQuietly } from "../files/remove.js";
import { canonicalJson } from "../request/binding.js";
import { sha256Hex } from "../request/long-text.js";
import { boundPart } from "./bound.js";
import type { Bound } from "./grant-store.js";

/** One name, taken apart. */
export interface LateName {
  readonly name: string;
  readonly id: string;
  readonly mark: string;
}

/** More than this are not kept: whoever asks all day must not fill the disk, nor what a person is offered. */
export const mostLate = 1_000;

/** Where there are more, so many are left: looking at the age of each takes a moment. */
const leftLate = 900;

/** Hexadecimal digits: enough that no two calls of a day share them by accident. */
const markLength = 16;
const pattern = /^([a-z0-9]{8,32})\.([0-9a-f]{16})\.json$/;

/** The same for two that are bound to the same. */
export function markOf(bound: Bound): string {
  return sha256Hex(canonicalJson(boundPart(bound))).slice(0, markLength);
}

/** The name of the file of the request `id`. */
export function lateNameOf(id: string, bound: Bound): string {
  return `${id}.${markOf(bound)}.json`;
}

/** The names in `directory`, and how many others there are that are no temporaries. */
export function lateNamesIn(directory: string): {
  readonly names: readonly LateName[];
  readonly others: number;
} {
  const all = namesIn(directory).filter((name) => !name.startsWith(temporaryPrefix));
  const names = all.map(partsOf).filter((one) => one !== null);
  return { names, others: all.length - names.length };
}

/** Removes the oldest where there are more than `mostLate`, whatever lies under their names. */
export function removeOldest(directory: string): void {
  const { names } = lateNamesIn(directory);
  if (names.length <= mostLate) return;
  const aged = names.map(({ name }) => ({ name, at: writtenAtNs(join(directory, name)) }));
  aged.sort((one, other) => Number(one.at - other.at));
  for (const { name } of aged.slice(0, names.length - leftLate)) removeQuietly(join(directory, name));
}

function partsOf(name: string): LateName | null {
  const [, id, mark] = pattern.exec(name) ?? [];
  return id === undefined || mark === undefined ? null : { name, id, mark };
}
