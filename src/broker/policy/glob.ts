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

/** Short parts are found by the engine; its search is quadratic, so long ones are found by Knuth, Morris and Pratt. */
const longestQuick = 16;

function indexOf(text: string, part: string, from: number): number {
  if (part.length <= longestQuick) return text.indexOf(part, from);
  const fallback = fallbacksOf(part);
  let matched = 0;
  for (let at = from; at < text.length; at += 1) {
    while (matched > 0 && text[at] !== part[matched]) matched = fallback[matched - 1] ?? 0;
    if (text[at] === part[matched]) matched += 1;
    if (matched === part.length) return at - part.length + 1;
  }
  return -1;
}

/** For each beginning of `part`: how much of it is both its own beginning and its end. */
function fallbacksOf(part: string): readonly number[] {
  const fallback = [0];
  let matched = 0;
  for (let at = 1; at < part.length; at += 1) {
    while (matched > 0 && part[at] !== part[matched]) matched = fallback[matched - 1] ?? 0;
    if (part[at] === part[matched]) matched += 1;
    fallback.push(matched);
  }
  return fallback;
}
