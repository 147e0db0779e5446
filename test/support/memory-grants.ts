/** GrantStore that are kept in memory. Several processes share a `Shelf`, as they share a directory. */
import type {
  Bound,
  GrantStore,
  Life,
  Moment,
  SessionRule,
  UnspentApproval,
} from "../../src/broker/grants/grant-store.js";
import { WispError } from "../../src/broker/request/errors.js";
import { newIdentifier } from "../../src/broker/request/identifier.js";
import type { Clock } from "../../src/broker/system/clock.js";
import type { Record } from "./grants.js";

/** What a directory would hold. */
export class Shelf {
  readonly unspent = new Map<string, UnspentApproval>();
  readonly rules = new Map<string, SessionRule>();
  readonly spent = new Set<string>();
  isBroken = false;

  check(): void {
    if (this.isBroken) throw new WispError("channel_unavailable", "Nothing can be written.");
  }
}

const ttlMs = 300_000;

/** One process's own, over what it shares with others. Its machine is never started again. */
export function memoryGrants(shelf: Shelf, record: Record, clock: Clock): GrantStore {
  const claimed = new Map<string, UnspentApproval>();
  const kept = new Set<string>();
  const rules = new Set<string>();

  const moment = (): Moment => ({ boot: "boot-1", uptimeMs: clock.monotonic(), at: clock.now() });
  const hasLife = ({ from, forMs }: Life): boolean => clock.monotonic() - from.uptimeMs <= forMs;
  const draw = (): string => newIdentifier((size) => clock.randomBytes(size));

  function isUsable({ id, request, life }: UnspentApproval): boolean {
    if (shelf.spent.has(id) || !hasLife(life)) return false;
    const found = record.of(request.id);
    return kept.has(id) || (found !== null && found.approvals.length > 0 && !found.hasEffect);
  }

  function where(matches: (bound: Bound) => boolean): readonly UnspentApproval[] {
    return [...shelf.unspent.values()].filter((one) => matches(one.bound) && isUsable(one));
  }

  function put(approval: UnspentApproval): UnspentApproval {
    shelf.check();
    shelf.unspent.set(approval.id, approval);
    kept.add(approval.id);
    return approval;
  }

  function spend(id: string): boolean {
    shelf.check();
    const isFirst = !shelf.spent.has(id) && (shelf.unspent.delete(id) || shelf.rules.delete(id));
    if (isFirst) shelf.spent.add(id);
    return isFirst;
  }

  return {
    async keep({ bound, request, answer, life: given }) {
      const isYes = answer.decision === "approve" && answer.binding === request.binding;
      if (!isYes) throw new TypeError("Only a yes to this request can be kept.");
      const { id } = request;
      const life = given ?? { from: moment(), forMs: ttlMs };
      if (!hasLife(life) || shelf.unspent.has(id) || shelf.spent.has(id)) return null;
      return put({ id, from: null, bound, request, answer, life });
    },
    find: (bound) => where((other) => differences(bound, other).length === 0)[0] ?? null,
    drifted: (bound) => where((other) => differences(bound, other).join() === "state"),
    async claim(id) {
      const approval = shelf.unspent.get(id);
      if (approval === undefined || !isUsable(approval) || !spend(id)) return false;
      claimed.set(id, approval);
      return true;
    },
    async release(id) {
      const approval = claimed.get(id);
      if (approval === undefined) throw new TypeError(`${id} is not claimed here.`);
      claimed.delete(id);
      return hasLife(approval.life) ? put({ ...approval, id: draw(), from: id }) : null;
    },
    keepRule(rule, forMs, idleMs) {
      shelf.check();
      const id = draw();
      const from = moment();
      shelf.rules.set(id, { ...rule, id, life: { from, forMs }, idle: { from, forMs: idleMs } });
      rules.add(id);
      return id;
    },
    isRuleKept(id) {
      const rule = shelf.rules.get(id);
      if (rule === undefined || !hasLife(rule.life) || !hasLife(rule.idle)) rules.delete(id);
      return rules.has(id);
    },
    noteRuleUsed(id) {
      const rule = shelf.rules.get(id);
      if (rule === undefined || !rules.has(id)) return;
      shelf.rules.set(id, { ...rule, idle: { ...rule.idle, from: moment() } });
    },
    endRule(id) {
      if (rules.delete(id)) shelf.rules.delete(id);
    },
    async revoke(id) {
      return (shelf.unspent.has(id) || shelf.rules.has(id)) && spend(id);
    },
    list() {
      const unspent = [...shelf.unspent.values()].map((approval) => ({
        approval,
        fault: hasLife(approval.life) ? null : ("it has expired" as const),
      }));
      const sessions = [...shelf.rules.values()].map((rule) => {
        const isOver = !hasLife(rule.life) || !hasLife(rule.idle);
        return { rule, fault: isOver ? ("it has expired" as const) : null };
      });
      return { unspent, sessions, unreadable: 0 };
    },
    expire() {
      const rulesOver = [...shelf.rules.values()].filter(
        ({ life, idle }) => !hasLife(life) || !hasLife(idle),
      );
      const all = [...[...shelf.unspent.values()].filter(({ life }) => !hasLife(life)), ...rulesOver];
      const gone = all.map(({ id }) => id);
      for (const id of gone) {
        shelf.unspent.delete(id);
        shelf.rules.delete(id);
      }
      return gone;
    },
  };
}

function differences(one: Bound, other: Bound): readonly string[] {
  return (Object.keys(one) as (keyof Bound)[]).filter((key) => one[key] !== other[key]);
}
