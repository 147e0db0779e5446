/** What is made of a client's file: the new text, and what was changed in it. Invariant: nothing but the entry means something else. */
import { isDeepStrictEqual } from "node:util";
import { type EntryChange, shellQuoted, shownText, WispError } from "../../broker/index.js";
import { memberOf, rawOf, withMember, withMemberBehind, withoutMember } from "./entry-text.js";
import { type FoundEntry, valueAt } from "./find-entry.js";

/** A text that is to stand in place of that of `entry.file`. */
export interface Change {
  readonly entry: FoundEntry;
  readonly text: string;
  readonly changes: readonly EntryChange[];
}

/** One member of an entry, to be written anew. */
export type Step = (
  | /** With another value, and under another key where `as` names one. */
  { readonly kind: "write"; readonly key: string; readonly raw: string; readonly as?: string }
  /** A new one behind `key`. */
  | { readonly kind: "add"; readonly key: string; readonly raw: string; readonly behind: string }
  | { readonly kind: "remove"; readonly key: string }
) & {
  /** The member of the entry in which it stands, where it does not stand in the entry itself. */
  readonly below?: string | null;
};

/** Does `steps` one after the other. Throws config_invalid where more than the entry would change: then it was not understood. */
export function changed(entry: FoundEntry, steps: readonly Step[]): Change {
  const { file, syntax, place } = entry;
  let { text } = file;
  const changes: EntryChange[] = [];
  for (const step of steps) {
    const { below = null } = step;
    const members = syntax.membersAt(text, placeBelow(place, below));
    const member = memberOf(members, step.kind === "add" ? step.behind : step.key);
    if (member === null) throw notUnderstood(entry);
    const was = step.kind === "add" ? null : { key: step.key, raw: rawOf(text, member) };
    switch (step.kind) {
      case "write": {
        const key = step.as ?? step.key;
        text = withMember(text, member, key === step.key ? key : syntax.key(key), step.raw);
        changes.push({ below, was, now: { key, raw: step.raw } });
        break;
      }
      case "add":
        text = withMemberBehind(text, member, syntax.key(step.key), step.raw, syntax);
        changes.push({ below, was, now: { key: step.key, raw: step.raw } });
        break;
      case "remove":
        text = withoutMember(text, member, members);
        break;
      default:
        step satisfies never;
    }
  }
  refuseOtherChanges(entry, text);
  return { entry, text, changes };
}

/** The keys that lead to where a member of the entry stands. */
export function placeBelow(place: readonly string[], below: string | null): readonly string[] {
  return below === null ? place : [...place, below];
}

/** A clerk's check: the texts are read again, and everything around the entry is compared. */
function refuseOtherChanges(entry: FoundEntry, text: string): void {
  const { file, syntax, place } = entry;
  const [before, after] = [file.text, text].map((one) => syntax.parse(one));
  const now = valueAt(after, place);
  if (now === undefined || !isDeepStrictEqual(without(before, place), without(after, place)))
    throw notUnderstood(entry);
}

/** A copy of `whole` in which the value at `place` says nothing. */
function without(whole: unknown, place: readonly string[]): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return null;
  if (typeof whole !== "object" || whole === null) return whole;
  return { ...whole, [key]: without((whole as Readonly<Record<string, unknown>>)[key], rest) };
}

/** The entry stands there in a way that cannot be changed as text. */
export function notUnderstood({ file, name }: FoundEntry): WispError {
  return new WispError(
    "config_invalid",
    `The entry ${name} in ${file.path} is written in a way that is not changed here.`,
    {
      why: "The file is as it was.",
      fix: `Look at ${shellQuoted(file.path)} and change it by hand.`,
    },
  );
}

/** For a person, in one line. */
export function whereOf({ client, scope, file }: Pick<FoundEntry, "client" | "scope" | "file">): string {
  return `${client} (${scope}): ${shownText(file.path)}`;
}
