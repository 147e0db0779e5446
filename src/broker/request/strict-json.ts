/**
 * The only parser for files that others can write. Parsers disagree about duplicate keys, deep nesting,
 * `__proto__` and numbers beyond 2^53; two programs that disagree could show one thing and hash another, so
 * all of that is refused. The native parser does the work; two linear passes check it.
 */

/** What a text is held to beside its structure. */
export interface StrictRules {
  /** Levels of lists and objects inside one another. */
  readonly deepest: number;
  /** Are NUL characters, lone surrogates and unsafe numbers refused too? Without this see `inValues` where they matter. */
  readonly areValuesChecked: boolean;
}

const rulesOfFiles: StrictRules = { deepest: 32, areValuesChecked: true };

const loneSurrogate = /[\ud800-\udfff]/u;
const forbiddenKeys = new Set(["__proto__", "constructor", "prototype"]);

/** Which rule of the format a text breaks. */
export type JsonObjection =
  | "not valid UTF-8"
  | "byte order mark"
  | "not JSON"
  | "nested too deep"
  | "duplicate key"
  | "forbidden key"
  | "NUL character"
  | "lone surrogate"
  | "unsafe number";

/** A value that every parser reads alike, or why there is none. */
export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly objection: JsonObjection };

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Parses bytes as strict JSON, by the rules of files unless others are given; says why not instead of throwing. */
export function parseStrictJson(bytes: Uint8Array, rules = rulesOfFiles): ParsedJson {
  const read = readStrictJson(bytes, rules);
  return read.ok ? { ok: true, value: read.value } : read;
}

/** The same; `inValues` is what is wrong with texts and numbers, where those are not refused; null for nothing. */
export type ReadJson =
  | { readonly ok: true; readonly value: unknown; readonly inValues: JsonObjection | null }
  | Extract<ParsedJson, { readonly ok: false }>;

/** Parses as `parseStrictJson` does, for whoever holds some values to more than others. */
export function readStrictJson(bytes: Uint8Array, rules: StrictRules): ReadJson {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    // The decoder throws for malformed UTF-8 and for nothing else.
    return { ok: false, objection: "not valid UTF-8" };
  }
  if (text.startsWith("\ufeff")) return { ok: false, objection: "byte order mark" };
  // Of a short text the native search says enough; a deep one would take long to be parsed.
  let shape = opensAtMost(text, rules.deepest) ? null : scan(text);
  if (shape !== null && shape.depth > rules.deepest) return { ok: false, objection: "nested too deep" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // JSON.parse throws a SyntaxError and nothing else.
    return { ok: false, objection: "not JSON" };
  }
  // In valid UTF-8 an escape alone makes a NUL or a lone surrogate.
  const areTextsSafe = !text.includes("\\u");
  const walk: Walk = { keys: 0, keyObjection: null, valueObjection: null, areTextsSafe };
  inspect(value, walk);
  const { valueObjection: inValues } = walk;
  const objection = walk.keyObjection ?? (rules.areValuesChecked ? inValues : null);
  if (objection !== null) return { ok: false, objection };
  // The text holds one colon per written key; a key written twice leaves fewer keys in the value.
  if (walk.keys === colonsIn(text)) return { ok: true, value, inValues };
  shape ??= scan(text);
  return walk.keys === shape.colons
    ? { ok: true, value, inValues }
    : { ok: false, objection: "duplicate key" };
}

/** Does some object in it have a key twice? `value` is what `JSON.parse` made of `text`. */
export function hasKeyTwice(text: string, value: unknown): boolean {
  const open: unknown[] = [value];
  let keys = 0;
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== "object" || one === null) continue;
    const inner: readonly unknown[] = Object.values(one);
    if (!Array.isArray(one)) keys += inner.length;
    for (const each of inner) if (typeof each === "object" && each !== null) open.push(each);
  }
  return keys !== colonsIn(text) && keys !== scan(text).colons;
}

/** What is wrong with a text that is already in memory, by the same rules, or null. */
export function textObjection(text: string): JsonObjection | null {
  if (text.includes("\0")) return "NUL character";
  return loneSurrogate.test(text) ? "lone surrogate" : null;
}

interface Walk {
  keys: number;
  /** Of what parsers and objects treat differently. */
  keyObjection: JsonObjection | null;
  valueObjection: JsonObjection | null;
  /** Can no text in it be refused? */
  readonly areTextsSafe: boolean;
}

/** Does it open at most `most` lists and objects, also inside strings? */
function opensAtMost(text: string, most: number): boolean {
  let opened = 0;
  for (const sign of ["{", "["]) {
    for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) {
      opened += 1;
      if (opened > most) return false;
    }
  }
  return true;
}

/** Also those inside strings. */
function colonsIn(text: string): number {
  let colons = 0;
  for (let at = text.indexOf(":"); at !== -1; at = text.indexOf(":", at + 1)) colons += 1;
  return colons;
}

const quote = 0x22;
const backslash = 0x5c;

/** Depth and number of colons outside strings. Means something only for text that parses. */
function scan(text: string): { readonly depth: number; readonly colons: number } {
  let depth = 0;
  let deepestSeen = 0;
  let colons = 0;
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case quote:
        index = endOfString(text, index + 1);
        break;
      case 0x7b: // {
      case 0x5b: // [
        depth += 1;
        if (depth > deepestSeen) deepestSeen = depth;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth -= 1;
        break;
      case 0x3a: // :
        colons += 1;
        break;
    }
  }
  return { depth: deepestSeen, colons };
}

/** Index of the closing quote of the string whose first character is at `from`, or the end of the text. */
export function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, quoteAt: number): boolean {
  let before = quoteAt - 1;
  while (text.charCodeAt(before) === backslash) before -= 1;
  return (quoteAt - before) % 2 === 0;
}

// Recursion is safe: the depth was bounded before the value was parsed.
function inspect(value: unknown, walk: Walk): void {
  if (typeof value === "string") {
    if (!walk.areTextsSafe) walk.valueObjection ??= textObjection(value);
  } else if (typeof value === "number") {
    const isUnsafe = Number.isInteger(value) ? !Number.isSafeInteger(value) : !Number.isFinite(value);
    if (isUnsafe) walk.valueObjection ??= "unsafe number";
  } else if (Array.isArray(value)) for (const item of value) inspect(item, walk);
  else if (typeof value === "object" && value !== null) {
    for (const key of Object.keys(value)) {
      walk.keys += 1;
      if (forbiddenKeys.has(key)) walk.keyObjection ??= "forbidden key";
      if (!walk.areTextsSafe) walk.valueObjection ??= textObjection(key);
      inspect((value as Readonly<Record<string, unknown>>)[key], walk);
    }
  }
}
