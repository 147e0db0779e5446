/** Texts with anything in between. Linear in the text, whatever the pattern. */

/** Literal parts, anything between them; one part is the whole text. Never empty. */
export type Glob = readonly string[];

/** Is `text` made of the parts, in order, the first at its beginning and the last at its end? */
export function isGlobMatch(glob: Glob, text: string): boolean {
  const [first = "", ...rest] = glob;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const found = indexOf(text, part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** Has anything to be searched for, or do the ends say already whether it matches? */
export function isSearch(glob: Glob, text: string): boolean {
  const [first = "", ...rest] = glob;
  const last = rest.pop();
  return rest.length > 0 && last !== undefined && text.startsWith(first) && text.endsWith(last);
}

/**
 * Where the glob matches an end of `text` that begins where a word does, or the name in its path or assignment; -1 where it
 * matches none. The earliest beginning leaves the most room, so where that does not match, no later one does. `marks` is the
 * text with another character for each blank that parts no words.
 */
export function globMatchFrom(glob: Glob, text: string, marks: string): number {
  const [first = ""] = glob;
  const end = first.indexOf(" ");
  // Where the first word of the glob ends, one of the text does: `-m 'git push'` is no command.
  const isBeginning = (at: number): boolean =>
    (at === 0 || beginnings.includes(marks.charAt(at - 1))) && (end === -1 || marks.charAt(at + end) === " ");
  if (glob.length === 1) {
    const at = text.length - first.length;
    return text.endsWith(first) && isBeginning(at) ? at : -1;
  }
  let earliest = text.startsWith(first) && isBeginning(0) ? 0 : -1;
  for (const one of earliest === 0 ? "" : beginnings) {
    let at = indexOf(text, one + first, 0) + 1;
    while (at > 0 && !isBeginning(at)) at = indexOf(text, one + first, at) + 1;
    if (at > 0 && (earliest === -1 || at < earliest)) earliest = at;
  }
  return earliest !== -1 && isGlobMatch(glob, text.slice(earliest)) ? earliest : -1;
}

/** What a word, a name in a path and a value begin behind. */
const beginnings = " /=!";

/** The engine looks at so many characters of a part when it decides how far to go on: of longer ones it is quadratic. */
const longestQuick = 250;

/** Long parts are found by Knuth, Morris and Pratt. */
function indexOf(text: string, part: string, from: number): number {
  if (part.length <= longestQuick) return text.indexOf(part, from);
  const start = text.indexOf(part.slice(0, longestQuick), from);
  if (start === -1 || text.length - start < part.length) return -1;
  const fallback = fallbacksOf(part);
  let matched = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && code !== part.charCodeAt(matched)) matched = fallback.get(matched) ?? 0;
    if (code === part.charCodeAt(matched)) matched += 1;
    if (matched === part.length) return at - part.length + 1;
  }
  return -1;
}

/** For each beginning of `part`, by its length: how much of it is both its own beginning and its end, where anything is. */
function fallbacksOf(part: string): ReadonlyMap<number, number> {
  const fallback = new Map<number, number>();
  let matched = 0;
  for (let at = 1; at < part.length; at += 1) {
    while (matched > 0 && part[at] !== part[matched]) matched = fallback.get(matched) ?? 0;
    if (part[at] === part[matched]) matched += 1;
    if (matched > 0) fallback.set(at + 1, matched);
  }
  return fallback;
}
