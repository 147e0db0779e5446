/** The words of programs that start a package by its name. */

/** They change nothing of what is started. */
export const harmlessOptions: ReadonlySet<string> = new Set([
  ...["-y", "--yes", "-q", "--quiet", "--silent", "--"],
]);

/** How a program is told which package. */
export interface NpmWords {
  /** One of these stands first, word for word; empty where it needs none. All others run what the directory says. */
  readonly verbs: readonly string[];
  /** It reads options also behind the package, up to a `--`. */
  readonly readsOn: boolean;
}

/** The words behind the verb; none where another stands there. */
export function behind(words: readonly string[], verbs: readonly string[]): readonly string[] {
  if (verbs.length === 0) return words;
  const verb = verbs.find((one) => `${words.join(" ")} `.startsWith(`${one} `));
  return verb === undefined ? [] : words.slice(verb.split(" ").length);
}

/** The word that names the package; null where an option may have named another. */
export function npmWord(words: readonly string[], { verbs, readsOn }: NpmWords): string | null {
  const rest = behind(words, verbs);
  const at = rest.findIndex((word) => !harmlessOptions.has(word));
  const word = rest[at] ?? null;
  const isOver = rest.slice(0, at).includes("--");
  const more = readsOn && !isOver ? upTo(rest.slice(at + 1), "--") : [];
  return word === null || [word, ...more].some((one) => one.startsWith("-")) ? null : word;
}

function upTo(words: readonly string[], end: string): readonly string[] {
  const at = words.indexOf(end);
  return at === -1 ? words : words.slice(0, at);
}
