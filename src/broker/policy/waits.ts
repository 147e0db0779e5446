/** What of the person's own rules waits for `wisp accept`, in the words of every face. */
import type { RememberedListing } from "./remembered.js";

/** What changed in the person's own file since it was accepted. */
export interface Changed {
  readonly looser: number;
  /** Rules that may be looser: nobody can tell. */
  readonly unclear: number;
  readonly tighter: number;
  readonly isReordered: boolean;
}

/** Nothing did, or what did is not known. */
export const unchanged: Changed = { looser: 0, unclear: 0, tighter: 0, isReordered: false };

/** One thing that waits, in words that name its number; `count` is how many those are. */
export interface Waiting {
  readonly text: string;
  readonly count: number;
}

/** What of `policy.json` is not in force. */
export function waitsOf({ looser, unclear, isReordered }: Changed): readonly Waiting[] {
  return [
    ...counted(looser, "looser rule", "looser rules"),
    ...counted(unclear, "rule that may be looser", "rules that may be looser"),
    ...(isReordered ? [{ text: "another order of rules", count: 1 }] : []),
  ];
}

/** What stands in `remembered.json` alone, and so counts for nothing. */
export function waitsOfRemembered(listing: Pick<RememberedListing, "unaccepted">): readonly Waiting[] {
  return counted(listing.unaccepted.length, "looser rule", "looser rules");
}

/** What is told of the file called `name`; `distrust` is why its accepted copy counts for nothing. */
export function waitingNotices(
  name: string,
  waits: readonly Waiting[],
  distrust: string | null,
): readonly string[] {
  const isOne = waits.reduce((sum, { count }) => sum + count, 0) === 1;
  return [
    ...(distrust === null
      ? []
      : [`the accepted copy of ${name} counts for nothing: ${distrust}; see: wisp accept`]),
    ...(waits.length === 0 ? [] : [`${name}: ${joined(waits)} ${isOne ? "waits" : "wait"} for: wisp accept`]),
  ];
}

/** The same beside the name of the file, in few words; null where nothing waits. */
export function waitingText(waits: readonly Waiting[], distrust: string | null): string | null {
  const all = distrust === null ? waits : [...waits, { text: "its accepted copy", count: 1 }];
  return all.length === 0 ? null : joined(all);
}

function counted(count: number, one: string, several: string): readonly Waiting[] {
  return count === 0 ? [] : [{ text: `${count} ${count === 1 ? one : several}`, count }];
}

function joined(waits: readonly Waiting[]): string {
  return waits.map(({ text }) => text).join(" and ");
}
