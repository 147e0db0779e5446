/**
 * Rulings on calls of tools that the arguments have no part in: by the same verdict of the rules and the same word of the
 * preset, the same one.
 */
import type { PresetWord } from "./presets/spoken-rules.js";
import type { Verdict } from "./verdict.js";

/** What a ruling follows from, where nothing is suspended and the preset says the same of each call of the tool. */
export interface RuledBy {
  readonly said: Verdict;
  readonly word: PresetWord;
  /** By the server's own word. */
  readonly isReadOnly: boolean;
}

/** Of one gate: those of verdicts that are in use. */
export interface KnownRulings<Ruling> {
  rulingBy(by: RuledBy): Ruling | null;
  keep(by: RuledBy, ruling: Ruling): void;
}

/** None known yet. */
export function createKnownRulings<Ruling>(): KnownRulings<Ruling> {
  const known = new WeakMap<Verdict, { readonly by: RuledBy; readonly ruling: Ruling }>();
  return {
    rulingBy({ said, word, isReadOnly }) {
      const kept = known.get(said);
      return kept?.by.word === word && kept.by.isReadOnly === isReadOnly ? kept.ruling : null;
    },
    keep: (by, ruling) => void known.set(by.said, { by, ruling }),
  };
}
