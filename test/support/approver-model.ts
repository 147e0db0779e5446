/**
 * What an approver promises of any number of calls, said once more and simply: the first claim of a request decides
 * it, identical calls share one, a no is remembered and a yes for the session leaves a rule. It knows nothing of how
 * the approver works; between two calms nothing that was set off has run.
 */
import { type OutcomeName, outcomes } from "../../src/broker/request/outcome.js";

const denialMs = 60_000;
const idleMs = 2 * 3_600_000;
const lifeMs = 12 * 3_600_000;

export interface ModelOptions {
  readonly hasChannel: boolean;
  readonly timeoutMs: number;
  readonly now: () => number;
}

/** What is asked: which action, on what state of its target, under which label. */
export interface Wanted {
  readonly subject: number;
  readonly state: number;
  readonly thread: string | null;
  readonly hasDialog: boolean;
}

export interface ModelCall {
  readonly wanted: Wanted;
  readonly serial: number;
  isCancelled: boolean;
  /** It was told what is asked. */
  hasHeard: boolean;
  /** The request that its outcome names, once it has one. */
  request: ModelRequest | null;
  /** What it is told; null while it waits. */
  outcome: OutcomeName | null;
  /** What it will be told as soon as everything has run, unless it leaves before. */
  next: { readonly outcome: OutcomeName; readonly isYes: boolean } | null;
}

export interface ModelRequest {
  readonly likeness: string;
  /** In order of arrival. */
  calls: ModelCall[];
  state: "starting" | "waiting" | "decided" | "over";
  /** Its first line could not be written. */
  readonly isUnwritten: boolean;
  isSuperseded: boolean;
  canBeJoined: boolean;
  isPlaced: boolean;
  dueAt: number;
  /** Whose dialog is up, or was. */
  raisedBy: ModelCall | null;
  isDialogOver: boolean;
  isWithdrawn: boolean;
  /** What the dialog said that nobody has heard yet. */
  said: Said | null;
  /** What claimed the slot, and for how long a yes is. */
  slot: OutcomeName | null;
  scope: "once" | "session" | null;
  /** Noes that had been said when it was decided. */
  noesBefore: number;
  /** The how-manieth it was to be decided. */
  turn: number;
  receipt: OutcomeName | "none";
}

/** What a dialog says, and the how-manieth thing said it is. */
export interface Said {
  readonly meaning: "once" | "session" | "no" | "nothing" | "unshown";
  readonly serial: number;
}

interface Denial {
  readonly request: ModelRequest;
  readonly outcome: OutcomeName;
  readonly until: number;
}

interface Rule {
  readonly request: ModelRequest;
  readonly state: number;
  readonly endsAt: number;
  idleUntil: number;
}

export interface Model {
  readonly calls: readonly ModelCall[];
  readonly requests: readonly ModelRequest[];
  isLogBroken: boolean;
  ask(wanted: Wanted): ModelCall;
  cancel(call: ModelCall): void;
  say(call: ModelCall, meaning: Said["meaning"]): void;
  claim(request: ModelRequest, slot: OutcomeName, scope?: "once" | "session"): void;
  timePassed(): void;
  close(): void;
  /** Everything that was set off has run. */
  calm(): void;
}

export function createModel({ hasChannel, timeoutMs, now }: ModelOptions): Model {
  const calls: ModelCall[] = [];
  const requests: ModelRequest[] = [];
  const denials = new Map<string, Denial>();
  const rules = new Map<number, Rule>();
  let isClosed = false;
  let noes = 0;
  let saidCount = 0;
  let turns = 0;

  function newCall(wanted: Wanted): ModelCall {
    const serial = calls.length;
    const rest = { hasHeard: false, request: null, outcome: null, next: null };
    const call: ModelCall = { wanted, serial, isCancelled: false, ...rest };
    calls.push(call);
    return call;
  }

  function newRequest(wanted: Wanted, isUnwritten: boolean): ModelRequest {
    const request: ModelRequest = {
      likeness: likenessOf(wanted),
      calls: [],
      state: "starting",
      isUnwritten,
      isSuperseded: false,
      canBeJoined: true,
      isPlaced: false,
      dueAt: Number.POSITIVE_INFINITY,
      raisedBy: null,
      isDialogOver: false,
      isWithdrawn: false,
      said: null,
      slot: null,
      scope: null,
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

  function claim(request: ModelRequest, slot: OutcomeName, scope: "once" | "session" | null = null): void {
    if (request.state !== "waiting") return;
    request.state = "decided";
    turns += 1;
    request.turn = turns;
    request.canBeJoined = false;
    request.slot = slot;
    request.scope = scope;
    request.isWithdrawn = request.raisedBy !== null && !request.isDialogOver;
    const { subject } = wantedOf(request);
    if (slot === "denied" || slot === "declined") {
      noes += 1;
      denials.set(request.likeness, { request, outcome: slot, until: now() + denialMs });
      rules.delete(subject);
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
    request.raisedBy = oldest.wanted.hasDialog ? oldest : null;
    for (const call of request.calls) hear(call, request);
  }

  function hear(call: ModelCall, request: ModelRequest): void {
    call.hasHeard = true;
    call.request = request;
  }

  function hearDialog(request: ModelRequest, { meaning }: Said): void {
    request.said = null;
    request.isDialogOver = true;
    if (meaning === "once" || meaning === "session") claim(request, "approved", meaning);
    else if (meaning === "no") claim(request, "declined");
    else if (!hasChannel) claim(request, meaning === "unshown" ? "failed" : "not_obtained");
  }

  function settle(request: ModelRequest, isLogBroken: boolean): void {
    const { slot, scope } = request;
    if (slot === null) throw new Error("Nothing decided it.");
    request.state = "over";
    let isGiven = false;
    for (const call of request.calls) {
      call.outcome = slot;
      if (slot !== "approved") continue;
      const kept: OutcomeName = isLogBroken
        ? "failed"
        : isGiven && scope === "once"
          ? "already_decided"
          : "approved";
      call.outcome = whyGone(call) ?? kept;
      isGiven ||= call.outcome === "approved";
    }
    const isFailed = request.calls.some(({ outcome }) => outcome === "failed");
    request.receipt = isFailed ? "failed" : slot;
    const { subject, state } = wantedOf(request);
    if (!isGiven || scope !== "session" || noes !== request.noesBefore) return;
    rules.set(subject, { request, state, endsAt: now() + lifeMs, idleUntil: now() + idleMs });
  }

  const model: Model = {
    calls,
    requests,
    isLogBroken: false,
    ask(wanted) {
      const call = newCall(wanted);
      const denial = denials.get(likenessOf(wanted));
      const rule = rules.get(wanted.subject);
      if (isClosed) call.outcome = "withdrawn";
      else if (denial !== undefined && now() <= denial.until) {
        call.request = denial.request;
        call.next = { outcome: denial.outcome, isYes: false };
      } else if (rule?.state === wanted.state && now() <= rule.endsAt && now() <= rule.idleUntil) {
        rule.idleUntil = now() + idleMs;
        call.request = rule.request;
        call.next = { outcome: model.isLogBroken ? "failed" : "approved", isYes: true };
      } else {
        const there = requests.find((one) => one.canBeJoined && isSameAction(wantedOf(one), wanted));
        const isJoining = there?.likeness === likenessOf(wanted);
        if (there !== undefined && !isJoining) {
          there.isSuperseded = true;
          there.canBeJoined = false;
          claim(there, "withdrawn");
        }
        const request = there !== undefined && isJoining ? there : newRequest(wanted, model.isLogBroken);
        request.calls.push(call);
        if (request.isPlaced) hear(call, request);
      }
      return call;
    },
    cancel(call) {
      if (call.isCancelled) return;
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
    say(call, meaning) {
      const request = requests.find((one) => one.raisedBy === call);
      if (request?.state !== "waiting" || request.isDialogOver) return;
      saidCount += 1;
      request.said ??= { meaning, serial: saidCount };
    },
    claim,
    timePassed() {
      for (const request of requests) if (request.dueAt <= now()) claim(request, "timed_out");
    },
    close() {
      isClosed = true;
      for (const request of requests) claim(request, "withdrawn");
      denials.clear();
      rules.clear();
    },
    calm() {
      for (const call of calls) {
        if (call.next === null) continue;
        const { outcome, isYes } = call.next;
        call.outcome = isYes ? (whyGone(call) ?? outcome) : outcome;
        call.next = null;
      }
      const heard = requests.filter(({ state, said }) => state === "waiting" && said !== null);
      heard.sort((a, b) => (a.said?.serial ?? 0) - (b.said?.serial ?? 0));
      for (const request of heard) if (request.said !== null) hearDialog(request, request.said);
      for (const request of requests) if (request.state === "starting") start(request);
      const decided = requests.filter(({ state }) => state === "decided").sort((a, b) => a.turn - b.turn);
      for (const request of decided) settle(request, model.isLogBroken);
    },
  };
  return model;
}

/** What the receipt of a request says, or null where none is there. */
export function receiptOf({ receipt, calls }: ModelRequest): { outcome: string; ran: boolean | null } | null {
  if (receipt === "none") return null;
  const ran = calls.some(({ outcome }) => outcome === "approved") ? null : false;
  return { outcome: outcomes[receipt].receipt, ran };
}

function likenessOf(wanted: Wanted): string {
  return `${wanted.subject}/${wanted.state}`;
}

function wantedOf({ calls: [first] }: ModelRequest): Wanted {
  if (first === undefined) throw new Error("Nobody asks.");
  return first.wanted;
}

function isSameAction(one: Wanted, other: Wanted): boolean {
  return one.subject === other.subject && one.thread === other.thread;
}
