/**
 * `gates/<name>.json` and `keys/gates/<name>`: the pins of one name, and how often they were written at least, each under a
 * seal. Invariant: pins count only if they were sealed in this home, for this name, and are no older than the newest that were
 * ever put on disk; also that they are gone is noticed. Who may write below `keys/` is noticed in nothing.
 */
import { join } from "node:path";
import { type ReadResult, readJson } from "../files/read.js";
import { isSealed, type Keys, sealOf } from "../request/seal.js";
import * as s from "../request/shape.js";
import type { PinnedGate, PinsNow } from "./pins.js";

/** A place below a home for the pins, and one for how often they were written. */
export interface PinsPlace {
  /** Absolute paths. */
  readonly file: string;
  readonly head: string;
}

/** Pins as they were read, and the highest number that any of the two files bears. */
export interface ReadPins {
  readonly now: PinsNow;
  readonly serial: number;
  /** Which of the files the system did not let us read; null where it did. Nothing is known of what it holds. */
  readonly unreadable: string | null;
}

/** The two labels of the seals; neither seal can stand for the other. */
export const pinLabels = { pins: "wisp/gate-pins/v1", head: "wisp/gate-head/v1" } as const;

/** A thousand tools, each with as much as a description may hold. */
const largestBytes = 4 * 1024 * 1024;
const largestHead = 4_096;

const hash = s.string({ pattern: /^[0-9a-f]{64}$/ });
const serial = s.integer({ least: 1 });

const fileSchema = s.strictObject({
  v: s.literal(1),
  name: s.string(),
  serial,
  identity: hash,
  identityText: s.string(),
  isRestored: s.boolean,
  // A list: a tool may be called as no key may be.
  tools: s.array(s.strictObject({ name: s.string(), hash, text: s.nullable(s.string()) })),
  mac: hash,
});

const headSchema = s.strictObject({ v: s.literal(1), name: s.string(), serial, mac: hash });

/** Where the pins of `name` lie in the home at `path`. */
export function pinsPlace(path: string, name: string): PinsPlace {
  return { file: join(path, "gates", `${name}.json`), head: join(path, "keys", "gates", name) };
}

/** Reads both. Makes nothing, and never throws. */
export function readPins(place: PinsPlace, name: string, keys: Pick<Keys, "existingKey">): ReadPins {
  const head = readJson(place.head, largestHead);
  const file = readJson(place.file, largestBytes);
  const least = head.kind === "missing" ? 0 : headSerial(head, name, keys);
  const unreadable = isUnreadable(file) ? place.file : isUnreadable(head) ? place.head : null;
  if (file.kind === "missing" && least === 0) return { now: { kind: "none" }, serial: 0, unreadable };
  const found = gateIn(file, name, keys);
  const serial = Math.max(least ?? 0, typeof found === "string" ? 0 : found.serial);
  const untrusted = (reason: string): ReadPins => ({
    now: { kind: "untrusted", reason },
    ...{ serial, unreadable },
  });
  if (typeof found === "string") return untrusted(found);
  if (least === null) return untrusted("what is known of it is not as wisp left it");
  // It is on disk before its number is.
  if (found.serial < least) return untrusted("it is an older one");
  return { now: { kind: "pinned", gate: found.gate }, serial, unreadable };
}

function isUnreadable(read: ReadResult): boolean {
  return read.kind === "refused" && read.objection.startsWith("cannot be read");
}

/** The text of the file with these pins. Texts of tools for which there is no room are left out; their hashes count. */
export function pinsText(name: string, serial: number, gate: PinnedGate, key: Uint8Array): string {
  const text = sealedText(name, serial, gate, key, true);
  return Buffer.byteLength(text) <= largestBytes ? text : sealedText(name, serial, gate, key, false);
}

/** The text of the file that says how often. */
export function headText(name: string, serial: number, key: Uint8Array): string {
  const sealed = { v: 1, name, serial };
  return `${JSON.stringify({ ...sealed, mac: sealOf(pinLabels.head, sealed, key) })}\n`;
}

function sealedText(
  name: string,
  serial: number,
  gate: PinnedGate,
  key: Uint8Array,
  hasTexts: boolean,
): string {
  const { identity, identityText, isRestored } = gate;
  const tools = [...gate.tools]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([tool, { hash, text }]) => ({ name: tool, hash, text: hasTexts ? text : null }));
  const sealed = { v: 1, name, serial, identity, identityText, isRestored, tools };
  return `${JSON.stringify({ ...sealed, mac: sealOf(pinLabels.pins, sealed, key) }, null, 2)}\n`;
}

/** Or why there is none, in words. */
function gateIn(
  read: ReadResult,
  name: string,
  keys: Pick<Keys, "existingKey">,
): { readonly gate: PinnedGate; readonly serial: number } | string {
  if (read.kind === "missing") return "it is gone";
  if (read.kind === "refused") return read.objection;
  const parsed = fileSchema.safeParse(read.value);
  if (!parsed.success) return "not as wisp writes it";
  const { mac, ...sealed } = parsed.data;
  if (sealed.name !== name || !isSealed(pinLabels.pins, sealed, mac, keys as Keys))
    return "its seal is not ours";
  const { identity, identityText, isRestored, serial } = sealed;
  const tools = new Map(sealed.tools.map(({ name: tool, ...pinned }) => [tool, pinned]));
  return { gate: { identity, identityText, isRestored, tools }, serial };
}

/** Null where it says nothing that can be trusted. */
function headSerial(read: ReadResult, name: string, keys: Pick<Keys, "existingKey">): number | null {
  const parsed = read.kind === "value" ? headSchema.safeParse(read.value) : null;
  if (parsed?.success !== true) return null;
  const { mac, ...sealed } = parsed.data;
  const isOurs = sealed.name === name && isSealed(pinLabels.head, sealed, mac, keys as Keys);
  return isOurs ? sealed.serial : null;
}
