/**
 * `remembered.json` and its sealed copy. Invariants: an entry is in force only where it stands in both, the same to the last
 * value; what is to be in force is sealed before it stands in the file, and what is not loses its seal before it goes from
 * there. So whoever dies between two steps leaves no rule, or the whole one that was shown.
 */
import { join } from "node:path";
import { type HomePlace, syncNames } from "../files/home-place.js";
import type { LockHolders } from "../files/lock.js";
import { looksAt } from "../files/look.js";
import { writeFault } from "../files/publish.js";
import { readBytes } from "../files/read.js";
import { prepare } from "../files/replace.js";
import { readAccepted, sealedPath, writeAccepted } from "../files/sealed.js";
import { changingSealed } from "../files/sealed-lock.js";
import { sealedNamesPath } from "../files/sealed-names.js";
import { WispError } from "../request/errors.js";
import { newIdentifier } from "../request/identifier.js";
import type { Keys } from "../request/seal.js";
import { shellQuoted } from "../request/shell-quote.js";
import type { ClearedRule, RememberedListing, RememberedRule, RememberedRules } from "./remembered.js";
import {
  keyOf,
  largestRememberedBytes,
  parseRemembered,
  placedFault,
  rememberedFileName,
  rememberedText,
} from "./remembered-file.js";

/** Where they are kept, who seals them, and how other writers are told apart. */
export interface RememberedStoreOptions extends HomePlace, Omit<LockHolders, "clock"> {
  readonly keys: Keys;
}

/** The file as it stands. */
type Standing =
  | { readonly kind: "rules"; readonly rules: readonly RememberedRule[] }
  | { readonly kind: "faulty"; readonly fault: string };

/** The remembered rules of one home. Each question is answered by the files as they stand. */
export function openRememberedRules(options: RememberedStoreOptions): RememberedRules {
  const { path: home, clock, keys } = options;
  const path = join(home, rememberedFileName);
  const paths = [path, sealedPath(home, rememberedFileName), sealedNamesPath(home)];
  /** What `list` read, for as long as nothing of it changes. */
  let known: { readonly state: string; readonly read: ReadRules } | null = null;

  /** Every call asks for it. Looked at before it is read: what changes meanwhile differs the next time. */
  function current(): ReadRules {
    const { state, isYoung } = looksAt(paths, clock.now());
    if (known?.state === state) return known.read;
    const standing = standingAt(path);
    const accepted = readAccepted(home, rememberedFileName, keys);
    const distrust = accepted.kind === "untrusted" ? accepted.reason : null;
    const read =
      standing.kind === "faulty"
        ? { both: [], alone: [], fault: standing.fault, distrust }
        : { ...compared(standing.rules, sealed(accepted)), fault: null, distrust };
    // What could not be read may be readable the next time, without any other sign of it.
    const isSure = read.fault === null && distrust === null;
    known = isSure && !isYoung ? { state, read } : null;
    return read;
  }

  /** Under its seal, whatever the file says. */
  function sealed(accepted = readAccepted(home, rememberedFileName, keys)): readonly RememberedRule[] {
    if (accepted.kind !== "accepted" || typeof accepted.value !== "string") return [];
    const parsed = parseRemembered(Buffer.from(accepted.value, "utf8"));
    return "rules" in parsed ? parsed.rules : [];
  }

  async function seal(rules: readonly RememberedRule[]): Promise<void> {
    await writeAccepted(options, rememberedFileName, rememberedText(rules), keys);
  }

  async function write(rules: readonly RememberedRule[]): Promise<void> {
    const prepared = await prepare(options.ensureHome(), rememberedFileName, rememberedText(rules), clock);
    try {
      prepared.replace();
    } catch (error) {
      prepared.drop();
      throw writeFault(path, error);
    }
    await syncNames(home);
  }

  /** What stands in both, and what stands in the file alone. */
  function compared(rules: readonly RememberedRule[], under = sealed()): Compared {
    const keys = new Set(under.map(keyOf));
    const both = rules.filter((rule) => keys.has(keyOf(rule)));
    const there = new Set(both.map(keyOf));
    return {
      both,
      alone: rules.filter((rule) => !keys.has(keyOf(rule))),
      missing: under.filter((rule) => !there.has(keyOf(rule))),
    };
  }

  return {
    list() {
      const read = current();
      const { both, alone, fault, distrust } = read;
      // Nothing of it begins or ends with time.
      if (both.length === 0) {
        read.listing ??= { rules: [], over: [], unaccepted: alone.map(({ rule }) => rule), fault, distrust };
        return read.listing;
      }
      const now = clock.now();
      const rules = both.filter((rule) => isInForce(rule, now)).sort(byAge);
      const over = both.filter((rule) => !isInForce(rule, now));
      return { rules, over, unaccepted: alone.map(({ rule }) => rule), fault, distrust };
    },

    remember: (given) =>
      changingSealed(options, options, async () => {
        const standing = standingAt(path);
        if (standing.kind === "faulty") throw unusable(path, standing.fault);
        const { both } = compared(standing.rules);
        const ids = new Set([...standing.rules, ...sealed()].map(({ id }) => id));
        const rule = { id: newId((size) => clock.randomBytes(size), ids), ...given };
        const fault = faultOf([...standing.rules, rule]);
        if (fault !== null) throw unusable(path, fault);
        await seal([...both, rule]);
        try {
          await write([...standing.rules, rule]);
        } catch (error) {
          // Whoever hears that nothing was remembered must not find it in force when somebody else writes it there.
          await seal(both).catch(() => {});
          throw error;
        }
        return rule;
      }),

    revoke: (id) =>
      changingSealed(options, options, async () => {
        const standing = standingAt(path);
        const before = sealed();
        // What is taken back is so whatever the file holds: without its seal nobody can put it back.
        const kept = before.filter((rule) => rule.id !== id);
        if (kept.length < before.length) await seal(kept);
        if (standing.kind === "faulty") return kept.length < before.length;
        const left = standing.rules.filter((rule) => rule.id !== id);
        if (left.length < standing.rules.length) await write(left);
        return kept.length < before.length || left.length < standing.rules.length;
      }),

    revocable,

    clear: () =>
      changingSealed(options, options, async () => {
        const standing = standingAt(path);
        const before = sealed();
        const taken = revocable();
        if (before.length === 0) return [];
        await seal([]);
        if (standing.kind === "faulty") return taken;
        const ids = new Set(before.map(({ id }) => id));
        const left = standing.rules.filter(({ id }) => !ids.has(id));
        if (left.length < standing.rules.length) await write(left);
        return taken;
      }),

    async expire() {
      if (!isSomethingOver(standingAt(path))) return [];
      try {
        return await changingSealed(options, options, clearAway);
      } catch {
        // What is over is in force for nobody, cleared away or not.
        return [];
      }
    },
  };

  function revocable(): readonly RememberedRule[] {
    const now = clock.now();
    return sealed()
      .filter((rule) => !isOver(rule, now))
      .sort(byAge);
  }

  function isSomethingOver(standing: Standing): standing is Extract<Standing, { kind: "rules" }> {
    if (standing.kind === "faulty") return false;
    const { both, missing } = compared(standing.rules);
    return missing.length > 0 || both.some((rule) => isOver(rule, clock.now()));
  }

  /** What a person took out of the file loses its seal, too: put back by somebody else it would count again. */
  async function clearAway(): Promise<readonly ClearedRule[]> {
    const standing = standingAt(path);
    if (!isSomethingOver(standing)) return [];
    const now = clock.now();
    const { both, missing } = compared(standing.rules);
    const over = both.filter((rule) => isOver(rule, now));
    await seal(both.filter((rule) => !isOver(rule, now)));
    if (over.length > 0) await write(standing.rules.filter((rule) => !over.includes(rule)));
    return [
      ...over.map((rule) => ({ rule, why: "expired" }) as const),
      ...missing.map((rule) => ({ rule, why: "removed" }) as const),
    ];
  }
}

interface Compared {
  readonly both: readonly RememberedRule[];
  readonly alone: readonly RememberedRule[];
  /** What has a seal and does not stand in the file as it was sealed. */
  readonly missing: readonly RememberedRule[];
}

/** What stands in the files, whatever of it is in force by now. */
interface ReadRules extends Pick<Compared, "both" | "alone"> {
  /** As it is told, where none of them is in force or over by the time. */
  listing?: RememberedListing;
  readonly fault: string | null;
  readonly distrust: string | null;
}

function standingAt(path: string): Standing {
  const read = readBytes(path, largestRememberedBytes);
  switch (read.kind) {
    case "missing":
      return { kind: "rules", rules: [] };
    case "refused":
      return { kind: "faulty", fault: read.objection };
    case "bytes": {
      const parsed = parseRemembered(read.bytes);
      return "rules" in parsed
        ? { kind: "rules", rules: parsed.rules }
        : {
            kind: "faulty",
            fault: placedFault(parsed),
          };
    }
    default:
      return read satisfies never;
  }
}

/** By the wall clock: one that was set back makes nothing count that was not made yet. */
function isInForce(rule: RememberedRule, now: number): boolean {
  return rule.createdAt <= now && !isOver(rule, now);
}

function isOver({ expiresAt }: RememberedRule, now: number): boolean {
  return expiresAt <= now;
}

function byAge(one: RememberedRule, other: RememberedRule): number {
  return one.createdAt - other.createdAt;
}

function newId(randomBytes: (size: number) => Uint8Array, taken: ReadonlySet<string>): string {
  for (;;) {
    const id = newIdentifier(randomBytes);
    if (!taken.has(id)) return id;
  }
}

/** Why a file with these would hold none; null where it would hold all of them. */
function faultOf(rules: readonly RememberedRule[]): string | null {
  const bytes = Buffer.from(rememberedText(rules), "utf8");
  if (bytes.length > largestRememberedBytes) return "too large";
  const parsed = parseRemembered(bytes);
  return "rules" in parsed ? null : parsed.fault;
}

function unusable(path: string, fault: string): WispError {
  return new WispError("policy_invalid", `${rememberedFileName} cannot be used: ${fault}`, {
    why: "Until it can, nothing of it is in force and nothing more is remembered.",
    fix: `Correct ${shellQuoted(path)}, or remove it.`,
    details: { path },
  });
}
