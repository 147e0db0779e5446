/** What is kept already and says nearly the same: it is shown beside an ask, so that a person keeps nothing twice. */
import type { FactRequest } from "../request/request.js";
import { type FactWords, holdsIn, type KeptFact } from "./fact-store.js";

/** More would push the ask itself off a screen. */
export const mostSimilar = 5;

/** In UTF-16 units. A longer value is compared by its beginning: ten thousand facts take no longer for that. */
const longestCompared = 1_000;

/** Two values are alike when they have this share of their words in common. */
const leastOverlap = 0.5;

/** The same for texts that a person takes for the same: width and case of letters, and blanks, make no difference. */
export function folded(text: string): string {
  // Lower case can take a letter apart, so it is put together once more.
  return text.normalize("NFKC").toLowerCase().normalize("NFKC").replace(/\s+/g, " ").trim();
}

/**
 * Those of `kept` that hold where `words` would, and that are about the same thing or say something alike: first those of
 * the same subject and name, then by how much the values have in common; among equals the newest first.
 */
export function similarTo(words: FactWords, kept: readonly KeptFact[]): FactRequest["fact"]["similar"] {
  const about = aboutOf(words);
  const tokens = tokensOf(words.value);
  return kept
    .filter((fact) => holdsIn(fact, words.directory))
    .map((fact) => ({
      fact,
      isNamesake: aboutOf(fact) === about,
      overlap: overlapOf(tokens, tokensOf(fact.value)),
    }))
    .filter(({ isNamesake, overlap }) => isNamesake || overlap >= leastOverlap)
    .sort(
      (one, other) =>
        Number(other.isNamesake) - Number(one.isNamesake) ||
        other.overlap - one.overlap ||
        other.fact.keptBy.at - one.fact.keptBy.at,
    )
    .slice(0, mostSimilar)
    .map(({ fact: { id, value } }) => ({ id, value }));
}

function aboutOf({ subject, name }: FactWords): string {
  return JSON.stringify([folded(subject), folded(name)]);
}

/** A text: V8 checks a pattern that stands in the code when it reads the code, used or not, and all of Unicode takes long. */
const wordPattern = "[\\p{L}\\p{M}\\p{N}]+";
let words: RegExp | null = null;

/** Its words; where it has none, itself. */
function tokensOf(value: string): ReadonlySet<string> {
  const text = folded(value.slice(0, longestCompared));
  words ??= new RegExp(wordPattern, "gu");
  return new Set(text.match(words) ?? [text]);
}

/** What is in both, as a share of what is in either (Jaccard). Neither is empty. */
function overlapOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let both = 0;
  for (const token of one) if (other.has(token)) both += 1;
  return both / (one.size + other.size - both);
}
