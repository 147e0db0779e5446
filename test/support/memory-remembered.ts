/** Remembered rules that are kept in memory. Several processes share a `RememberedShelf`, as they share a home. */
import type { RememberedRule, RememberedRules } from "../../src/broker/policy/remembered.js";
import { WispError } from "../../src/broker/request/errors.js";
import { newIdentifier } from "../../src/broker/request/identifier.js";
import type { Clock } from "../../src/broker/system/clock.js";

/** What the file and its sealed copy would hold. */
export class RememberedShelf {
  file: readonly RememberedRule[] = [];
  sealed: readonly RememberedRule[] = [];
  /** Why the file cannot be used. */
  fault: string | null = null;
  /** Nothing can be written. */
  isBroken = false;

  check(): void {
    if (this.isBroken) throw new WispError("channel_unsafe", "It is open to others.");
    if (this.fault !== null) throw new WispError("policy_invalid", this.fault);
  }

  both(): readonly RememberedRule[] {
    return this.file.filter((rule) => this.sealed.some((one) => isSame(one, rule)));
  }
}

/** One process's own, over what it shares with others. */
export function memoryRemembered(
  shelf: RememberedShelf,
  clock: Pick<Clock, "now" | "randomBytes">,
): RememberedRules {
  const revocable = (): readonly RememberedRule[] =>
    shelf.sealed
      .filter(({ expiresAt }) => clock.now() < expiresAt)
      .sort((one, other) => one.createdAt - other.createdAt);
  return {
    list() {
      if (shelf.fault !== null)
        return { rules: [], over: [], unaccepted: [], fault: shelf.fault, distrust: null };
      const both = shelf.both();
      const now = clock.now();
      return {
        rules: both
          .filter(({ createdAt, expiresAt }) => createdAt <= now && now < expiresAt)
          .sort((one, other) => one.createdAt - other.createdAt),
        over: both.filter(({ createdAt, expiresAt }) => now < createdAt || expiresAt <= now),
        unaccepted: shelf.file.filter((rule) => !both.includes(rule)).map(({ rule }) => rule),
        fault: null,
        distrust: null,
      };
    },
    async remember(given) {
      shelf.check();
      const rule = { id: newIdentifier((size) => clock.randomBytes(size)), ...given };
      shelf.sealed = [...shelf.both(), rule];
      shelf.file = [...shelf.file, rule];
      return rule;
    },
    async revoke(id) {
      if (shelf.isBroken) shelf.check();
      const isThere = [...shelf.sealed, ...shelf.file].some((rule) => rule.id === id);
      const isSealed = shelf.sealed.some((rule) => rule.id === id);
      shelf.sealed = shelf.sealed.filter((rule) => rule.id !== id);
      if (shelf.fault !== null) return isSealed;
      shelf.file = shelf.file.filter((rule) => rule.id !== id);
      return isThere;
    },
    revocable,
    async clear() {
      if (shelf.isBroken) shelf.check();
      const taken = revocable();
      const ids = shelf.sealed.map(({ id }) => id);
      shelf.sealed = [];
      if (shelf.fault === null) shelf.file = shelf.file.filter(({ id }) => !ids.includes(id));
      return taken;
    },
    async expire() {
      if (shelf.isBroken || shelf.fault !== null) return [];
      const both = shelf.both();
      const missing = shelf.sealed.filter((rule) => !both.some((one) => isSame(one, rule)));
      const over = both.filter(({ expiresAt }) => expiresAt <= clock.now());
      shelf.sealed = both.filter((rule) => !over.includes(rule));
      shelf.file = shelf.file.filter((rule) => !over.includes(rule));
      return [
        ...over.map((rule) => ({ rule, why: "expired" }) as const),
        ...missing.map((rule) => ({ rule, why: "removed" }) as const),
      ];
    },
  };
}

function isSame(one: RememberedRule, other: RememberedRule): boolean {
  return Object.entries(one).every(([key, value]) =>
    Object.entries(other).some(([k, v]) => k === key && v === value),
  );
}
