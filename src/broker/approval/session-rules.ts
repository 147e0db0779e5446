/**
 * Rules for as long as the connection lives, in memory: they end with the process at the latest. Invariant: where rules
 * have handles, none is used that another process cannot see and revoke.
 */

import type { Bound, GrantStore } from "../grants/grant-store.js";
import { expectWispError } from "../request/errors.js";
import type { RequestServer } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import { callerOf } from "./bound.js";
import { oneLine, reasonOf } from "./reason.js";
import type { Allowance, Rules } from "./rules.js";

/** By which other processes see and revoke the rules of `server`. */
export interface RuleHandles {
  readonly grants: Pick<GrantStore, "keepRule" | "isRuleKept" | "noteRuleUsed" | "endRule">;
  readonly server: RequestServer;
}

const hourMs = 3_600_000;
/** A rule that nobody used for so long is no longer on anybody's mind. */
const longestIdleMs = 2 * hourMs;
/** However often it is used: about a day's work. */
const longestLifeMs = 12 * hourMs;

/** Each is a person's yes, so a thousand are more than anybody gives; the oldest goes first. */
const mostRules = 1_000;

const overtaken = "a no, or the end of the connection, came in between";

interface Rule {
  /** The how-manieth yes left it. */
  readonly turn: number;
  readonly state: Bound["state"];
  readonly allowance: Allowance;
  /** Null where rules have none. */
  readonly handle: string | null;
  readonly endsAt: number;
  idleUntil: number;
}

/**
 * The last millisecond of each age still counts, and so does time while the machine is suspended: handles know of it.
 * Without `handles` rules are in memory alone, and both ages are monotonic time, which stands still meanwhile.
 */
export function createSessionRules(clock: Clock, handles: RuleHandles | null): Rules {
  /** By caller and subject: a newer yes takes the older one's place, whichever was written down first. */
  const rules = new Map<string, Rule>();
  /** A no about anything, between a yes and its rule, leaves no rule: rare, and never wrong. */
  let revocations = 0;
  let turns = 0;

  function leave(turn: number, bound: Bound, rule: string, allowance: Allowance): string | null {
    const key = keyOf(bound);
    // What a yes said is written down in its own time: one that was said later may have left its rule before.
    if ((rules.get(key)?.turn ?? 0) > turn) return null;
    let handle: string | null = null;
    try {
      handle = handleOf(bound, rule, allowance);
    } catch (error) {
      // Nobody could take it back.
      return oneLine(reasonOf(expectWispError(error)));
    }
    const now = clock.monotonic();
    end(key);
    rules.set(key, {
      turn,
      state: bound.state,
      allowance,
      handle,
      endsAt: now + longestLifeMs,
      idleUntil: now + longestIdleMs,
    });
    const [oldest] = rules.keys();
    if (rules.size > mostRules && oldest !== undefined) end(oldest);
    return null;
  }

  function handleOf(bound: Bound, rule: string, { request }: Allowance): string | null {
    if (handles === null) return null;
    const { client, directory } = bound;
    const { grants, server } = handles;
    return grants.keepRule({ rule, client, directory, request, server }, longestLifeMs, longestIdleMs);
  }

  function end(key: string): void {
    const handle = rules.get(key)?.handle ?? null;
    rules.delete(key);
    if (handle !== null) handles?.grants.endRule(handle);
  }

  function isAlive({ endsAt, idleUntil, handle }: Rule): boolean {
    const now = clock.monotonic();
    if (now > endsAt || now > idleUntil) return false;
    return handle === null || handles === null || handles.grants.isRuleKept(handle);
  }

  return {
    use(bound) {
      const key = keyOf(bound);
      const rule = rules.get(key);
      // The subject holds the directory, and the state the definition.
      if (rule?.state !== bound.state) return null;
      if (!isAlive(rule)) {
        end(key);
        return null;
      }
      rule.idleUntil = clock.monotonic() + longestIdleMs;
      if (rule.handle !== null) handles?.grants.noteRuleUsed(rule.handle);
      return rule.allowance;
    },
    isOvertaken(bound) {
      const rule = rules.get(keyOf(bound));
      return rule !== undefined && rule.state !== bound.state && isAlive(rule);
    },
    prepare(bound, rule, allowance) {
      const before = revocations;
      turns += 1;
      const turn = turns;
      return {
        kind: "session",
        leave: () => (revocations === before ? leave(turn, bound, rule, allowance) : overtaken),
        takeBack() {
          const key = keyOf(bound);
          if (rules.get(key)?.turn === turn) end(key);
        },
      };
    },
    revoke(bound) {
      revocations += 1;
      end(keyOf(bound));
    },
    clear() {
      revocations += 1;
      for (const key of [...rules.keys()]) end(key);
    },
  };
}

function keyOf(bound: Bound): string {
  return callerOf(bound) + bound.subject;
}
