/**
 * What an approver promises of any number of calls, said once more and simply: the first claim of a request decides
 * it, identical calls share one, a no is remembered and a yes for the session leaves a rule; a request waits on without
 * the calls that ended alone, and what is said of it then is there for the next one. It knows nothing of how the approver
 * works; between two calms nothing that was set off has run.
 */
import type { Detach } from "../../src/broker/approval/approver.js";
import { type OutcomeName, outcomes } from "../../src/broker/request/outcome.js";
import { type Scope, scopes } from "../../src/broker/request/scope.js";
import type {
  Denial,
  Model,
  ModelCall,
  ModelOptions,
  ModelRequest,
  Rule,
  Said,
  Unspent,
  Wanted,
} from "./model-parts.js";

const denialMs = 60_000;
const unspentMs = 300_000;
const idleMs = 2 * 3_600_000;
const lifeMs = 12 * 3_600_000;

export function createModel({ hasChannel, timeoutMs, now }: ModelOptions): Model {
  const calls: ModelCall[] = [];
  const requests: ModelRequest[] = [];
  const denials = new Map<string, Denial>();
  const rules = new Map<number, Rule>();
  let late: { readonly request: ModelRequest; readonly at: number }[] = [];
  let unspent: Unspent[] = [];
  let isClosed = false;
  let noes = 0;
  let saidCount = 0;
  let turns = 0;

  function newCall(wanted: Wanted): ModelCall {
    const serial = calls.length;
    const isOfThis = (one: ModelRequest): boolean => one.wanted.subject === wanted.subject;
    const left = requests.filter((one) => isOfThis(one) && isLeftBehind(one));
    const rest = { hasHeard: false, request: null, outcome: null, next: null, left };
    const call: ModelCall = { wanted, serial, isCancelled: false, detached: null, redeemed: null, ...rest };
    calls.push(call);
    return call;
  }

  function newRequest(wanted: Wanted, isUnwritten: boolean): ModelRequest {
    const request: ModelRequest = {
      wanted,
      calls: [],
      state: "starting",
      isUnwritten,
      isSuperseded: false,
      canBeJoined: true,
      isPlaced: false,
      dueAt: Number.POSITIVE_INFINITY,
      dialogs: [],
      isDialogFree: false,
      isAway: false,
      said: null,
      slot: null,
      scope: null,
      rule: null,
      isKept: false,
      noesBefore: 0,
      turn: 0,
      receipt: "none",
    };
    requests.push(request);
    return request;
  }

  function whyGone(call: ModelCall): OutcomeName | null {
    return call.isCancelled ? "abandoned" : isClosed ? "withdrawn" : null;
  }

  /** Whoever was still there at the decision, and only reads its result a little later, gets it. */
  function hasGivenUp({ detached }: ModelCall): boolean {
    return detached === "timed out";
  }

  function claim(request: ModelRequest, slot: OutcomeName, scope: Scope | null = null): void {
    if (request.state !== "waiting") return;
    request.state = "decided";
    turns += 1;
    request.turn = turns;
    request.canBeJoined = false;
    request.slot = slot;
    request.scope = scope;
    withdrawDialog(request);
    if (slot === "denied" || slot === "declined") {
      noes += 1;
      const isTold = request.calls.length > 0;
      const until = Math.max(now() + denialMs, isTold ? 0 : request.dueAt);
      denials.set(likenessOf(request.wanted), { request, outcome: slot, until, isTold });
      rules.delete(request.wanted.subject);
    }
    request.noesBefore = noes;
  }

  function start(request: ModelRequest): void {
    const [oldest] = request.calls;
    if (oldest === undefined) throw new Error("Nobody asks.");
    const gone = request.isUnwritten
      ? "failed"
      : (whyGone(oldest) ?? (request.isSuperseded ? "withdrawn" : null));
    const outcome = gone ?? (hasChannel || oldest.wanted.hasDialog ? null : "failed");
    if (outcome !== null) {
      request.state = "over";
      request.canBeJoined = false;
      for (const call of request.calls) call.outcome = outcome;
      return;
    }
    request.state = "waiting";
    request.isPlaced = true;
    request.dueAt = now() + timeoutMs;
    late = late.filter((one) => !isLike(one.request.wanted, request.wanted));
    for (const call of [...request.calls]) hear(call, request);
    const [first] = request.calls;
    if (first?.wanted.hasDialog === true) raise(request, first);
  }

  function hear(call: ModelCall, request: ModelRequest): void {
    call.request = request;
    if (request.state !== "waiting") return;
    call.hasHeard = true;
    if (call.detached !== null) leave(call, call.detached, request);
    else if (request.isDialogFree && call.wanted.hasDialog) raise(request, call);
  }

  function raise(request: ModelRequest, call: ModelCall): void {
    if (request.state !== "waiting") return;
    request.isDialogFree = false;
    withdrawDialog(request);
    request.dialogs.push({ call, state: "up" });
  }

  function withdrawDialog(request: ModelRequest): void {
    const up = request.dialogs.at(-1);
    if (up?.state !== "up") return;
    up.state = "withdrawn";
    request.said = null;
  }

  /** A call ends alone. */
  function leave(call: ModelCall, why: Detach["why"], request: ModelRequest): void {
    const others = request.calls.filter((one) => one !== call);
    const isLast = call.wanted.hasDialog && !others.some(({ wanted }) => wanted.hasDialog);
    const takesDialog = why !== "dialog" && isLast;
    if (takesDialog && !hasChannel) {
      claim(request, "withdrawn");
      return;
    }
    if (takesDialog) withdrawDialog(request);
    request.calls = others;
    request.isDialogFree ||= takesDialog || others.length === 0;
    request.isAway ||= why === "dialog";
    call.next = { outcome: "pending", isYes: false };
  }

  function hearDialog(request: ModelRequest, { meaning }: Said): void {
    const up = request.dialogs.at(-1);
    if (up === undefined) throw new Error("Nothing was raised.");
    request.said = null;
    up.state = "over";
    if (isScope(meaning)) claim(request, "approved", meaning);
    else if (meaning === "no") claim(request, "declined");
    else if (!hasChannel) claim(request, meaning === "unshown" ? "failed" : "not_obtained");
  }

  function settle(request: ModelRequest, isLogBroken: boolean): void {
    const { slot, calls: told } = request;
    if (slot === null) throw new Error("Nothing decided it.");
    request.state = "over";
    const isLeftOver = told.every((call) => whyGone(call) !== null || hasGivenUp(call));
    const isWanted = told.length === 0 || told.some((call) => whyGone(call) === null);
    if (slot === "approved" && isWider(request.scope) && !isLogBroken && isWanted) {
      request.rule = model.areRulesBroken ? "lost" : "left";
      if (model.areRulesBroken) request.scope = "once";
    }
    const { scope, rule } = request;
    // A rule is not left behind a no, nor behind the end.
    const canLeave = noes === request.noesBefore && !isClosed;
    const canKeep = rule === "left" || (scope === "session" ? canLeave : hasChannel);
    const isBroken = isLogBroken || (isLeftOver && isWanted && !canKeep);
    request.isKept = slot === "approved" && isLeftOver && isWanted && !isBroken;
    let isGiven = false;
    for (const call of told) {
      call.outcome = slot;
      if (slot !== "approved") continue;
      const isSecond: boolean = isGiven && scope === "once";
      const kept: OutcomeName = hasGivenUp(call) ? "pending" : isSecond ? "already_decided" : "approved";
      call.outcome = whyGone(call) ?? (isBroken ? "failed" : kept);
      isGiven ||= call.outcome === "approved";
    }
    const isFailed =
      told.some(({ outcome }) => outcome === "failed") ||
      (slot === "approved" && told.length === 0 && isBroken);
    request.receipt = isFailed ? "failed" : slot;
    leaveBehind(request, slot);
    if (request.isKept && scope === "once") unspent.push({ request, until: now() + unspentMs });
    if (!(isGiven || request.isKept) || scope !== "session" || noes !== request.noesBefore) return;
    const { subject, state } = request.wanted;
    rules.set(subject, { request, state, endsAt: now() + lifeMs, idleUntil: now() + idleMs });
  }

  function leaveBehind(request: ModelRequest, slot: OutcomeName): void {
    const isLate = slot === "timed_out" || slot === "abandoned" || slot === "withdrawn";
    const isAskedElsewhere = requests.some(
      (one) => one.state === "waiting" && isLike(one.wanted, request.wanted),
    );
    if (hasChannel && isLate && !request.isSuperseded && !isAskedElsewhere) late.push({ request, at: now() });
  }

  /** What a yes that nobody heard is worth for a call that comes when all is calm. */
  function redeem(call: ModelCall, isSameOnly = false): boolean {
    const { subject, state } = call.wanted;
    unspent = unspent.filter(({ until }) => now() <= until);
    const forThis = unspent.filter(({ request }) => request.wanted.subject === subject);
    const same = forThis.find(({ request }) => request.wanted.state === state);
    const drifted = isSameOnly ? [] : forThis;
    const spent = same === undefined ? drifted : [same];
    const [first] = spent;
    if (first === undefined) return false;
    unspent = unspent.filter((one) => !spent.includes(one));
    call.request = first.request;
    if (same === undefined) call.next = { outcome: "drifted", isYes: false };
    else call.next = { outcome: model.isLogBroken ? "failed" : "approved", isYes: true };
    call.redeemed = same ?? null;
    return true;
  }

  /** What was set off for one call alone. */
  function tell(): void {
    for (const call of calls) {
      if (call.next === null) continue;
      const { outcome, isYes } = call.next;
      call.outcome = isYes ? (whyGone(call) ?? outcome) : outcome;
      call.next = null;
      if (call.wanted.isAllowed && call.outcome === "approved") endNeedless(call);
    }
  }

  /** What nobody waits for, and a rule lets through, needs no answer any more. */
  function endNeedless({ wanted, left }: ModelCall): void {
    late = late.filter((one) => !isLike(one.request.wanted, wanted));
    for (const request of left.filter(({ calls: there, isAway }) => there.length === 0 && !isAway)) {
      request.isSuperseded = true;
      claim(request, "withdrawn");
    }
  }

  const model: Model = {
    calls,
    requests,
    isLogBroken: false,
    areRulesBroken: false,
    get late() {
      return late.map(({ request }) => request);
    },
    isPromised(subject) {
      const isOf = ({ wanted }: ModelRequest): boolean => wanted.subject === subject;
      return (
        unspent.some(({ request }) => isOf(request)) ||
        requests.some((one) => isOf(one) && one.state === "decided" && one.slot === "approved")
      );
    },
    ask(wanted) {
      const call = newCall(wanted);
      const denial = denials.get(likenessOf(wanted));
      const rule = rules.get(wanted.subject);
      if (isClosed) call.outcome = "withdrawn";
      else if (denial !== undefined && now() <= denial.until) {
        if (!denial.isTold) Object.assign(denial, { isTold: true, until: now() + denialMs });
        call.request = denial.request;
        call.next = { outcome: denial.outcome, isYes: false };
      } else if (wanted.isAllowed && redeem(call, true)) {
        // What it got is used up, though a rule would have let it through.
      } else if (wanted.isAllowed) {
        call.next = model.isLogBroken
          ? { outcome: "rejected", isYes: false }
          : { outcome: "approved", isYes: true };
      } else if (rule?.state === wanted.state && now() <= rule.endsAt && now() <= rule.idleUntil) {
        rule.idleUntil = now() + idleMs;
        call.request = rule.request;
        call.next = { outcome: model.isLogBroken ? "failed" : "approved", isYes: true };
      } else if (!redeem(call)) {
        const there = requests.find((one) => one.canBeJoined && isSameAction(one.wanted, wanted));
        const isJoining = there !== undefined && isLike(there.wanted, wanted);
        if (there !== undefined && !isJoining) {
          there.isSuperseded = true;
          there.canBeJoined = false;
          claim(there, "withdrawn");
        }
        const request = isJoining ? there : newRequest(wanted, model.isLogBroken);
        request.calls.push(call);
        if (request.isPlaced) hear(call, request);
      }
      return call;
    },
    cancel(call) {
      if (call.isCancelled || call.detached !== null) return;
      call.isCancelled = true;
      const request = requests.find((one) => one.calls.includes(call));
      if (request === undefined || request.state === "decided" || request.state === "over") return;
      if (request.calls.length > 1) {
        request.calls = request.calls.filter((one) => one !== call);
        call.next = { outcome: "abandoned", isYes: false };
        return;
      }
      request.canBeJoined = false;
      claim(request, "abandoned");
    },
    detach(call, why) {
      if (call.isCancelled || call.detached !== null) return;
      call.detached = why;
      const request = requests.find((one) => one.calls.includes(call));
      if (request?.state === "waiting") leave(call, why, request);
    },
    release(call) {
      const { redeemed } = call;
      if (redeemed === null || call.outcome !== "approved") return;
      call.redeemed = null;
      if (!model.isLogBroken && now() <= redeemed.until) unspent.push(redeemed);
    },
    say(call, meaning) {
      const request = requests.find(({ dialogs }) => isUp(dialogs.at(-1), call));
      if (request?.state !== "waiting") return;
      saidCount += 1;
      request.said ??= { meaning, serial: saidCount };
    },
    claim,
    timePassed() {
      for (const request of requests) if (request.dueAt <= now()) claim(request, "timed_out");
    },
    close() {
      isClosed = true;
      // As after a no: a yes whose rule was not there yet leaves none.
      noes += 1;
      for (const request of requests) claim(request, "withdrawn");
      denials.clear();
      rules.clear();
    },
    restart() {
      isClosed = false;
    },
    calm() {
      tell();
      const heard = requests.filter(({ state, said }) => state === "waiting" && said !== null);
      heard.sort((a, b) => (a.said?.serial ?? 0) - (b.said?.serial ?? 0));
      for (const request of heard) if (request.said !== null) hearDialog(request, request.said);
      for (const request of requests) if (request.state === "starting") start(request);
      const decided = requests.filter(({ state }) => state === "decided").sort((a, b) => a.turn - b.turn);
      for (const request of decided) settle(request, model.isLogBroken);
      tell();
    },
  };
  return model;
}

/** What the receipt of a request says, or null where none is there. */
export function receiptOf(request: ModelRequest): { outcome: string; ran: boolean | null } | null {
  const { receipt, calls, isKept } = request;
  if (receipt === "none") return null;
  const ran = isKept || calls.some(({ outcome }) => outcome === "approved") ? null : false;
  return { outcome: outcomes[receipt].receipt ?? "none", ran };
}

function isLeftBehind({ state, calls, isAway }: ModelRequest): boolean {
  return state === "waiting" && calls.length === 0 && !isAway;
}

function isScope(meaning: Said["meaning"]): meaning is Scope {
  return scopes.some((scope) => scope === meaning);
}

function isWider(scope: Scope | null): boolean {
  return scope === "project" || scope === "always";
}

function likenessOf(wanted: Wanted): string {
  return `${wanted.subject}/${wanted.state}`;
}

function isLike(one: Wanted, other: Wanted): boolean {
  return likenessOf(one) === likenessOf(other);
}

function isUp(dialog: ModelRequest["dialogs"][number] | undefined, call: ModelCall): boolean {
  return dialog?.state === "up" && dialog.call === call;
}

function isSameAction(one: Wanted, other: Wanted): boolean {
  return one.subject === other.subject && one.thread === other.thread;
}
