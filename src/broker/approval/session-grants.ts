/** Rules for as long as the connection lives, in memory: they end with the process at the latest. */
import type { Likeness } from "../request/likeness.js";
import type { Clock } from "../system/clock.js";
import type { Grant, Grants } from "./grants.js";

const hourMs = 3_600_000;
/** A rule that nobody used for so long is no longer on anybody's mind. */
const longestIdleMs = 2 * hourMs;
/** However often it is used: about a day's work. */
const longestLifeMs = 12 * hourMs;

/** Each is a person's yes, so a thousand are more than anybody gives; the oldest goes first. */
const mostRules = 1_000;

interface Rule {
  readonly state: string;
  readonly grant: Grant;
  readonly endsAt: number;
  idleUntil: number;
}

/** Both ages are monotonic time, and the last millisecond of each still counts. */
export function createSessionGrants(clock: Clock): Grants {
  /** By subject: a newer yes for another state of it takes the older one's place. */
  const rules = new Map<string, Rule>();
  /** A no about anything, between a yes and its rule, leaves no rule: rare, and never wrong. */
  let revocations = 0;

  function leave({ subject, state }: Likeness, grant: Grant): void {
    const now = clock.monotonic();
    rules.delete(subject);
    rules.set(subject, { state, grant, endsAt: now + longestLifeMs, idleUntil: now + longestIdleMs });
    const [oldest] = rules.keys();
    if (rules.size > mostRules && oldest !== undefined) rules.delete(oldest);
  }

  return {
    use({ subject, state }) {
      const rule = rules.get(subject);
      if (rule === undefined || rule.state !== state) return null;
      const now = clock.monotonic();
      if (now > rule.endsAt || now > rule.idleUntil) {
        rules.delete(subject);
        return null;
      }
      rule.idleUntil = now + longestIdleMs;
      return rule.grant;
    },
    prepare(likeness, grant) {
      const before = revocations;
      return () => {
        if (revocations === before) leave(likeness, grant);
      };
    },
    revoke(subject) {
      revocations += 1;
      rules.delete(subject);
    },
    clear() {
      revocations += 1;
      rules.clear();
    },
  };
}
