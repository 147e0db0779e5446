/**
 * One entry of a client's configuration as text. Invariant: an edit touches the text of one member and nothing around it, so
 * comments, order, indentation and line ends stay; taking out what was put in gives the text that was there before.
 */

/** Where a text stands, as offsets; `end` is behind its last character. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One member of the entry: `"command": "npx"`, or `command = "npx"`. */
export interface Member {
  readonly key: string;
  /** Of the key as it is written, with its quotes. */
  readonly keySpan: Span;
  readonly value: Span;
  /** Of each element, where the value is a list; else null. */
  readonly items: readonly Span[] | null;
  /** Between braces, or on lines of its own. */
  readonly form: "braces" | "line";
}

/** How a format writes it: `wiring/entries.ts` names the formats. */
export interface Syntax {
  /** The value of the whole text; undefined where it is none of this format, or a key of it stands twice. */
  parse(text: string): unknown;
  /** What keeps a text from being parsed, and in which line, from 1; `text` may hold words of the file. */
  objectionTo(text: string): { readonly line: number; readonly text: string };
  /** The members of the entry at `place` in a text that was parsed. */
  membersAt(text: string, place: readonly string[]): readonly Member[];
  /** A key or a text as it is written. */
  literal(text: string): string;
  key(name: string): string;
  /** An object with one member, in one line; both as they are written. */
  object(key: string, raw: string): string;
  /** May a line end stand between members in braces? */
  readonly hasLinesInBraces: boolean;
}

/** The member called `key`, or null. */
export function memberOf(members: readonly Member[], key: string): Member | null {
  return members.find((one) => one.key === key) ?? null;
}

/** The value as it is written. */
export function rawOf(text: string, { value }: Member): string {
  return text.slice(value.start, value.end);
}

/** With `raw` as the value of `member`, under the key `key`, which is written anew where it is another one. */
export function withMember(text: string, member: Member, key: string, raw: string): string {
  const { keySpan, value } = member;
  const name = key === member.key ? text.slice(keySpan.start, keySpan.end) : key;
  return (
    text.slice(0, keySpan.start) + name + text.slice(keySpan.end, value.start) + raw + text.slice(value.end)
  );
}

/** With another member behind `member`, written as that one is. `key` and `raw` are as they are written. */
export function withMemberBehind(
  text: string,
  member: Member,
  key: string,
  raw: string,
  { hasLinesInBraces }: Pick<Syntax, "hasLinesInBraces">,
): string {
  const { keySpan, value, form } = member;
  const between = text.slice(keySpan.end, value.start);
  if (form === "line") {
    const at = endOfLine(text, value.end);
    const lineStart = text.lastIndexOf("\n", keySpan.start - 1) + 1;
    // What stands before the key is its indentation, and of a dotted key its beginning.
    const line = `${text.slice(lineStart, keySpan.start)}${key}${between}${raw}`;
    return `${text.slice(0, at)}${eolOf(text)}${line}${text.slice(at)}`;
  }
  const space = /\s*$/.exec(text.slice(0, keySpan.start))?.[0] ?? "";
  const gap = hasLinesInBraces && space.includes("\n") ? space : " ";
  return `${text.slice(0, value.end)},${gap}${key}${between}${raw}${text.slice(value.end)}`;
}

/** Without `member`, which does not stand alone. */
export function withoutMember(text: string, member: Member, members: readonly Member[]): string {
  if (member.form === "line") {
    const end = endOfLine(text, member.value.end);
    const lineStart = text.lastIndexOf("\n", member.keySpan.start - 1) + 1;
    if (lineStart === 0) return text.slice(end).replace(/^\r?\n/, "");
    const start = text.startsWith("\r\n", lineStart - 2) ? lineStart - 2 : lineStart - 1;
    return text.slice(0, start) + text.slice(end);
  }
  const index = members.indexOf(member);
  const before = members[index - 1];
  if (before !== undefined) return text.slice(0, before.value.end) + text.slice(member.value.end);
  const next = members[index + 1];
  return text.slice(0, member.keySpan.start) + text.slice(next?.keySpan.start ?? member.value.end);
}

/** A list as it is written, with `words` before its elements, each written as `raw` writes the first of its own. */
export function withWordsFirst(raw: string, words: readonly string[]): string {
  const isEmpty = /^\[\s*\]$/.test(raw);
  if (isEmpty) return `[${words.join(", ")}]`;
  const space = /^\[(\s*)/.exec(raw)?.[1] ?? "";
  const first = space === "" ? `${words.join(", ")}, ` : words.map((word) => `${space}${word},`).join("");
  return `[${first}${raw.slice(1)}`;
}

/** A list as it is written without its first `count` elements. `items` are relative to the whole text. */
export function withoutFirst(text: string, { value, items }: Member, count: number): string {
  const raw = text.slice(value.start, value.end);
  const first = items?.[0];
  const kept = items?.[count];
  if (first === undefined || kept === undefined) return "[]";
  return raw.slice(0, first.start - value.start) + raw.slice(kept.start - value.start);
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  if (at === -1) return text.length;
  return text.charAt(at - 1) === "\r" && at > from ? at - 1 : at;
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
