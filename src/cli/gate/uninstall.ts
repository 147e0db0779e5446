/**
 * Takes a gate away. Invariant: a file is put back whole only if it still is what was written here; else nothing but the entry
 * is undone, and that is said.
 */
import {
  type Backup,
  backupsOf,
  type EntryChange,
  type Keys,
  originalOf,
  sha256Hex,
} from "../../broker/index.js";
import { type Change, changed, notUnderstood, placeBelow, type Step } from "./change.js";
import { memberOf, rawOf, withoutFirst } from "./entry-text.js";
import type { FoundEntry } from "./find-entry.js";
import { behindGate } from "./gate-line.js";
import { wordsOf } from "./install.js";
import { withoutOwnHome } from "./own-home.js";

/** What takes it away. */
export interface Undoing {
  readonly change: Change;
  /** `whole`: the backup. `entry`: what was written there before. `words`: what the words of the gate say was there. */
  readonly how: "whole" | "entry" | "words";
  /** The newest one of the entry; null where there is none. */
  readonly backup: Backup | null;
  /** Is there a backup of it that somebody changed since, so that it counts for nothing? */
  readonly isSpoilt: boolean;
}

/** Null where the entry is behind no gate. `home` is where backups lie. */
export function uninstalled(entry: FoundEntry, home: string, keys: Keys): Undoing | null {
  const words = wordsOf(entry);
  const gate = behindGate(words);
  if (gate === null) return null;
  const { file, place } = entry;
  const { found: backups, unsealed } = backupsOf(home, keys, file.path, place);
  const newest = backups[0] ?? null;
  const hash = sha256Hex(file.text);
  const fitting = backups.filter(({ after }) => after === hash);
  for (const backup of fitting) {
    const text = originalOf(home, backup);
    if (text !== null)
      return { change: { entry, text, changes: [] }, how: "whole", backup, isSpoilt: unsealed > 0 };
  }
  const isSpoilt = unsealed > 0 || fitting.length > 0;
  const recorded = backups.find(({ changes }) => isStill(entry, changes));
  if (recorded !== undefined) {
    return { change: changed(entry, backwards(recorded.changes)), how: "entry", backup: recorded, isSpoilt };
  }
  return { change: changed(entry, byWords(entry, gate)), how: "words", backup: newest, isSpoilt };
}

/** Does the entry still say what was written there? */
function isStill({ syntax, file, place }: FoundEntry, changes: readonly EntryChange[]): boolean {
  return changes.every(({ now, below }) => {
    const member = memberOf(syntax.membersAt(file.text, placeBelow(place, below)), now.key);
    return member !== null && rawOf(file.text, member) === now.raw;
  });
}

function backwards(changes: readonly EntryChange[]): readonly Step[] {
  return changes
    .toReversed()
    .map(({ was, now, below }) =>
      was === null
        ? { kind: "remove", key: now.key, below }
        : { kind: "write", key: now.key, raw: was.raw, as: was.key, below },
    );
}

type Gate = NonNullable<ReturnType<typeof behindGate>>;

function byWords(entry: FoundEntry, { upstream, before }: Gate): readonly Step[] {
  const { syntax, file, place, value } = entry;
  switch (upstream.kind) {
    case "command": {
      const args = memberOf(syntax.membersAt(file.text, place), "args");
      if (args === null) throw notUnderstood(entry);
      return [
        { kind: "write", key: "command", raw: syntax.literal(upstream.argv[0]) },
        { kind: "write", key: "args", raw: withoutFirst(file.text, args, before) },
        ...withoutOwnHome(entry),
      ];
    }
    case "address":
      return [
        { kind: "remove", key: "args" },
        { kind: "write", key: "command", raw: syntax.literal(upstream.url), as: "url" },
        ...(value.type === undefined
          ? []
          : [{ kind: "write", key: "type", raw: syntax.literal("http") } as const]),
        ...withoutOwnHome(entry),
      ];
    default:
      return upstream satisfies never;
  }
}
