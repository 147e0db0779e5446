/** What `wisp audit stats` counts: each request once, however often its call was repeated, and whoever answered when. */
import { type LogRecord, localDay } from "../../broker/index.js";
import { isByPrecedent } from "./facts.js";
import { clientIn, numberIn, textIn, type Values } from "./values.js";

/** So many days, rules, clients and requests are told apart. */
const mostNames = 4_096;
/** Sooner than this nobody has read what they answer. */
export const quickSeconds = 2;
/** A rule that was always approved so often may be relaxed. */
const leastToRelax = 10;

interface Rule {
  /** Requests that a person was asked about and that ended. */
  asked: number;
  /** Those that a person approved, also after they had ended. */
  approved: number;
}

/** One request, as far as it was read: a call may return before a person answers, and be repeated while they think. */
interface Request {
  /** By which a call of it was told; undefined before. */
  rule: Rule | null | undefined;
  hasEnded: boolean;
  isApproved: boolean;
  /** What of it stands in its rule. */
  counted: "nothing" | "asked" | "approved";
  /** By its own word; undefined before a call of it was told. */
  client: string | null | undefined;
  /** Dialogs of it that nobody can have read. */
  unseen: number;
}

/** Counts as it reads; memory is bounded. */
export class Stats {
  readonly days = new Map<string, number>();
  readonly rules = new Map<string, Rule>();
  /** Dialogs that were answered sooner than anybody reads, by client. */
  readonly unseen = new Map<string, number>();
  answers = 0;
  quick = 0;
  readonly #requests = new Map<string, Request>();

  take(record: LogRecord): void {
    const { kind, call, details } = record;
    if (call === null) return;
    if (kind === "approval.pending") {
      if (details.filed === true || details.dialog === true) bump(this.days, localDay(record.at));
    } else if (kind === "approval.answered") this.#answered(call, details);
    else if (kind === "approval.settled") this.#ended(call);
    else if (kind === "request.swept" && record.verified.what === "stale") this.#ended(call);
    else if (kind === "dialog.ended" && details.unseen === true) this.#unseen(call);
    else if (kind === "approval.decided") this.#told(call, record);
  }

  /** Tells what is left. */
  end(): void {
    for (const request of this.#requests.values()) this.#forget(request);
    this.#requests.clear();
  }

  #answered(call: string, details: Values): void {
    this.answers += 1;
    if ((numberIn(details, "seconds") ?? quickSeconds) < quickSeconds) this.quick += 1;
    if (details.unseen === true) this.#unseen(call);
    const request = this.#known(call);
    if (details.decision === "approve") request.isApproved = true;
    this.#ended(call);
  }

  #ended(call: string): void {
    const request = this.#known(call);
    request.hasEnded = true;
    count(request);
  }

  #unseen(call: string): void {
    const request = this.#known(call);
    request.unseen += 1;
    if (request.client !== undefined) this.#forget(request);
  }

  /** A call of it returned: with its end, or to be repeated. What a yes before allowed was no question to a person. */
  #told(call: string, { selfReported, details }: LogRecord): void {
    const request = this.#known(call);
    request.client ??= clientIn(selfReported);
    this.#forget(request);
    if (request.rule !== undefined || isByPrecedent(details)) return;
    request.rule = this.#ruleOf(textIn(details, "rule") ?? "");
    count(request);
  }

  #ruleOf(name: string): Rule | null {
    const known = this.rules.get(name);
    if (known !== undefined) return known;
    if (this.rules.size >= mostNames) return null;
    const rule = { asked: 0, approved: 0 };
    this.rules.set(name, rule);
    return rule;
  }

  #known(call: string): Request {
    const one = this.#requests.get(call) ?? {
      rule: undefined,
      hasEnded: false,
      isApproved: false,
      counted: "nothing",
      client: undefined,
      unseen: 0,
    };
    // The one that was named longest ago is forgotten first.
    this.#requests.delete(call);
    this.#requests.set(call, one);
    if (this.#requests.size > mostNames) {
      const [[oldest, request] = [call, one]] = this.#requests;
      this.#forget(request);
      this.#requests.delete(oldest);
    }
    return one;
  }

  /** Counts its unseen dialogs, and holds them no longer. */
  #forget(request: Request): void {
    if (request.unseen > 0) bump(this.unseen, request.client ?? "", request.unseen);
    request.unseen = 0;
  }

  /** As `--json` prints it. */
  get summary() {
    const asks = [...this.days.values()].reduce((sum, count) => sum + count, 0);
    return {
      schemaVersion: 1,
      asks,
      days: [...this.days].map(([day, count]) => ({ day, asks: count })),
      answers: this.answers,
      answeredUnder2Seconds: this.quick,
      rules: [...this.rules]
        .filter(([, { asked }]) => asked > 0)
        .sort(([, one], [, other]) => other.asked - one.asked)
        .map(([rule, { asked, approved }]) => ({
          rule: rule === "" ? null : rule,
          asked,
          approved,
          mayRelax: approved === asked && asked >= leastToRelax,
        })),
      unseenDialogs: [...this.unseen].map(([client, count]) => ({
        client: client === "" ? null : client,
        count,
      })),
    };
  }
}

/** Puts it into its rule as soon as both are known; a yes after its end is made good. */
function count(request: Request): void {
  const { rule, hasEnded, isApproved, counted } = request;
  if (rule === undefined || rule === null || !hasEnded) return;
  if (counted === "nothing") rule.asked += 1;
  if (isApproved && counted !== "approved") rule.approved += 1;
  request.counted = isApproved ? "approved" : "asked";
}

function bump(counts: Map<string, number>, name: string, by = 1): void {
  if (!counts.has(name) && counts.size >= mostNames) return;
  counts.set(name, (counts.get(name) ?? 0) + by);
}
