/**
 * Reading files of rules, each again only when it is another file or another state of it. Invariant: what is used is what
 * stands there now; a file that cannot be told from one that was changed a moment ago is read again.
 */
import { isYoung, lookAt, stateOf } from "../files/look.js";
import { type BytesResult, readAnybodys, readBytes } from "../files/read.js";
import { type Accepted, readAccepted, sealedPath } from "../files/sealed.js";
import type { WispError } from "../request/errors.js";
import type { Keys } from "../request/seal.js";
import { shellQuoted } from "../request/shell-quote.js";
import type { Clock } from "../system/clock.js";
import { textOf } from "./jsonc.js";
import type { RuleFile } from "./read-rule.js";
import { noRules, type Rule, type RuleLists } from "./rule.js";
import { noSize, type RuleSize } from "./rule-size.js";
import { parseRules, policyFault } from "./rules.js";

/** The longest file of a person, and of a project, in bytes. */
export const largestPolicyBytes = 1024 * 1024;
const largestOfProject = 256 * 1024;

/** What one file says. */
export interface LoadedRules {
  readonly isThere: boolean;
  /** None where the file cannot be used. */
  readonly lists: RuleLists;
  readonly refused: readonly string[];
  /** policy_invalid; null where the file can be used, or is not there. */
  readonly fault: WispError | null;
  /** How much it is to read and to hold against calls. */
  readonly size: RuleSize & { readonly bytes: number };
}

const nothing: LoadedRules = {
  isThere: false,
  lists: noRules,
  refused: [],
  fault: null,
  size: { ...noSize, bytes: 0 },
};

/** Where the rules of one home come from. */
export interface RuleFiles {
  /** `policy.json` of the home, as it stands. */
  own(): LoadedRules;
  /** As it was accepted last. */
  accepted(): AcceptedRules;
  /** A project's file, by its path; `look` is what `lookAt` saw there just now. */
  ofProject(path: string, project: string, look: ReturnType<typeof lookAt>): LoadedRules;
}

/** The accepted copy. */
export interface AcceptedRules extends LoadedRules {
  /** Why the copy counts for nothing; null where it counts, or there is none. */
  readonly distrust: string | null;
}

/** What reading needs to know. */
export interface RuleFilesOptions {
  /** The path of the home of wisp. */
  readonly home: string;
  readonly keys: Pick<Keys, "existingKey">;
  readonly homeDirectory: string;
  readonly clock: Clock;
}

/** The name of the person's own file in a home. */
export const policyFileName = "policy.json";

/** How many files of projects are kept in memory. */
const mostProjects = 256;

/** Reads nothing before it is asked. No function of it throws for what stands in the files. */
export function openRuleFiles({ home, keys, homeDirectory, clock }: RuleFilesOptions): RuleFiles {
  const ownPath = `${home}/${policyFileName}`;
  const copyPath = sealedPath(home, policyFileName);
  const own = remembering<BytesResult, LoadedRules>(clock, areSameBytes);
  // A copy that is not trusted may be once a key is there: it is looked at again each time.
  const accepted = remembering<Accepted, AcceptedRules>(
    clock,
    areSameCopies,
    ({ kind }) => kind !== "untrusted",
  );
  const projects = new Map<string, Remembering<BytesResult, LoadedRules>>();
  /** The person's own rules as they were read last, where they can be used. */
  let latest: { readonly text: string; readonly loaded: LoadedRules } | null = null;
  const ownFile = { name: policyFileName, homeDirectory, project: null };

  function rulesOfCopy(copy: Accepted): AcceptedRules {
    if (copy.kind === "none") return { ...nothing, distrust: null };
    if (copy.kind === "untrusted") return { ...nothing, distrust: copy.reason };
    if (typeof copy.value !== "string") return { ...nothing, distrust: "not as wisp writes it" };
    // Most of the time they are the same text: it is read once.
    if (latest !== null && latest.text === copy.value)
      return { ...latest.loaded, lists: withoutLines(latest.loaded.lists), distrust: null };
    const file = { ...ownFile, name: `the accepted copy of ${policyFileName}`, isCurrent: false };
    const loaded = rulesIn(copy.value, file, copyPath);
    return { ...loaded, lists: renamed(loaded.lists), distrust: null };
  }

  function rulesOfOwn(read: BytesResult): LoadedRules {
    const loaded = loadedFrom(read, { ...ownFile, isCurrent: true }, ownPath);
    const decoded = read.kind === "bytes" ? textOf(read.bytes) : null;
    // A fault names the file that it is in.
    const isUsable = decoded !== null && "text" in decoded && loaded.fault === null;
    latest = isUsable ? { text: decoded.text, loaded } : null;
    return loaded;
  }

  return {
    own: () => own(lookAt(ownPath), () => readBytes(ownPath, largestPolicyBytes), rulesOfOwn),
    accepted: () => accepted(lookAt(copyPath), () => readAccepted(home, policyFileName, keys), rulesOfCopy),
    ofProject(path, project, look) {
      const kept = projects.get(path) ?? remembering<BytesResult, LoadedRules>(clock, areSameBytes);
      if (projects.size >= mostProjects / 2 || !projects.has(path)) {
        // The one that was asked for longest ago goes first. While there is room nobody has to know which that is.
        projects.delete(path);
        for (const oldest of projects.keys()) if (projects.size >= mostProjects) projects.delete(oldest);
        projects.set(path, kept);
      }
      const file = { name: path, homeDirectory, project, isCurrent: true };
      return kept(
        look,
        () => readAnybodys(path, largestOfProject),
        (read) => loadedFrom(read, file, path),
      );
    },
  };
}

function areSameBytes(a: BytesResult, b: BytesResult): boolean {
  return a.kind === "bytes" && b.kind === "bytes" && Buffer.compare(a.bytes, b.bytes) === 0;
}

function areSameCopies(a: Accepted, b: Accepted): boolean {
  return a.kind === "accepted" && b.kind === "accepted" && a.value === b.value;
}

/** Accepted rules are named as those of the file are, so that the same rule has one name. */
function renamed({ deny, ask, allow }: RuleLists): RuleLists {
  const name = <R extends { readonly file: string }>(rules: readonly R[]): readonly R[] =>
    rules.map((rule) => ({ ...rule, file: policyFileName }));
  return { deny: name(deny), ask: name(ask), allow: name(allow) };
}

/** The same rules of a text that is not the file as it stands. */
function withoutLines({ deny, ask, allow }: RuleLists): RuleLists {
  const unlined = (rules: readonly Rule[]): readonly Rule[] => rules.map((rule) => ({ ...rule, line: null }));
  return { deny: unlined(deny), ask: unlined(ask), allow: unlined(allow) };
}

function loadedFrom(read: BytesResult, file: RuleFile, path: string): LoadedRules {
  switch (read.kind) {
    case "missing":
      return nothing;
    case "refused": {
      const mode = read.objection === "open to others" ? `chmod 600 ${shellQuoted(path)}` : undefined;
      return unusableRules(file.name, path, [read.objection], mode);
    }
    case "bytes": {
      const decoded = textOf(read.bytes);
      const loaded =
        "why" in decoded ? unusableRules(file.name, path, [decoded.why]) : rulesIn(decoded.text, file, path);
      return { ...loaded, size: { ...loaded.size, bytes: read.bytes.length } };
    }
    default:
      return read satisfies never;
  }
}

function rulesIn(text: string, file: RuleFile, path: string): LoadedRules {
  const parsed = parseRules(text, file);
  if (parsed.kind === "wrong") return unusableRules(file.name, path, parsed.objections);
  const { lists, refused, size } = parsed;
  return { isThere: true, lists, refused, fault: null, size: { ...size, bytes: text.length } };
}

/** A file that is there, and gives no rules. */
export function unusableRules(name: string, path: string, why: readonly string[], fix?: string): LoadedRules {
  return { ...nothing, isThere: true, fault: policyFault(name, path, why, fix) };
}

type Remembering<Raw, Value> = (
  stats: ReturnType<typeof lookAt>,
  read: () => Raw,
  judge: (raw: Raw) => Value,
) => Value;

/**
 * Keeps what was read of one file for as long as the file is the same: by its state, and where a change may have left no
 * trace, by what stands in it.
 */
function remembering<Raw, Value>(
  clock: Clock,
  areSame: (a: Raw, b: Raw) => boolean,
  isKept: (raw: Raw) => boolean = () => true,
): Remembering<Raw, Value> {
  let kept: { readonly state: string | null; readonly raw: Raw; readonly value: Value } | null = null;
  let isFixed = false;
  return (stats, read, judge) => {
    // Looked at first: what is read afterwards is of this state or a later one, which shows at the next look.
    const state = stats === null ? null : stateOf(stats);
    if (kept !== null && isFixed && kept.state === state) return kept.value;
    const raw = read();
    const value = kept !== null && areSame(kept.raw, raw) ? kept.value : judge(raw);
    kept = { state, raw, value };
    isFixed = isKept(raw) && (stats === null || !isYoung(stats, clock.now()));
    return value;
  };
}
