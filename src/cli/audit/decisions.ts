/**
 * The decisions in a log, from its records in order. Memory is bounded: a decision that so many others followed is told with
 * what was known of it by then.
 */
import type { LogRecord } from "../../broker/index.js";
import type { Decision } from "./decision.js";
import { answeredIn, effectIn, effectThat, type Facts, factsIn, isByPrecedent, noFacts } from "./facts.js";
import { textIn, type Values } from "./values.js";

/** So many decisions wait for what comes of them, and so many requests are known. */
const mostHeld = 4_096;

type Line = { -readonly [K in keyof Decision]: Decision[K] };

/** One request, as far as it was read. */
interface Known {
  facts: Facts;
  /** How a person answered last. */
  answer: Values | null;
  /** Its own line: how it ended, before any call was told. */
  line: Line | null;
  /** Has a call made that line its own? */
  isClaimed: boolean;
  /** The newest call that was allowed. */
  allowed: Line | null;
}

/** Takes records, the oldest first, and tells decisions, the oldest first. */
export interface DecisionReader {
  take(record: LogRecord): void;
  /** Tells what is left. */
  end(): void;
}

/** `tell` hears each decision once. */
export function createDecisions(tell: (decision: Decision) => void, most: number = mostHeld): DecisionReader {
  const held: Line[] = [];
  const requests = new Map<string, Known>();
  const runs = new Map<string, Line>();

  function add(record: LogRecord, parts: Partial<Decision>): Line {
    const line: Line = { ...noLine, ...parts, at: record.at, id: record.call };
    held.push(line);
    if (held.length > most) flush();
    return line;
  }

  function flush(): void {
    const line = held.shift();
    if (line === undefined) return;
    if (line.run !== null) runs.delete(line.run);
    tell(line);
  }

  /** The request that `record` names; a new one for what has no id. */
  function known({ call }: LogRecord): Known {
    const found = call === null ? undefined : requests.get(call);
    const one = found ?? { facts: noFacts, answer: null, line: null, isClaimed: false, allowed: null };
    if (call === null) return one;
    // The one that was named longest ago is forgotten first.
    requests.delete(call);
    requests.set(call, one);
    const [oldest] = requests.keys();
    if (requests.size > most && oldest !== undefined) requests.delete(oldest);
    return one;
  }

  /** What is asked about is told when it is decided; what is refused was decided by that. */
  function judged(record: LogRecord): void {
    if (record.details.verdict === "deny") add(record, { ...factsIn(record), outcome: "refused" });
  }

  function asked(record: LogRecord): void {
    if (record.call !== null) known(record).facts = factsIn(record);
  }

  function kept(record: LogRecord): void {
    const { allowed } = known(record);
    if (allowed !== null && allowed.effect === null) allowed.effect = effectThat("kept");
  }

  function answered(record: LogRecord): void {
    const request = known(record);
    request.answer = record.details;
    if (request.line === null) return;
    // It had ended: whoever answers now answers the next identical call.
    const outcome = outcomeOf("answered", record.details);
    request.line = add(record, { ...request.facts, ...answeredIn(record.details), outcome });
    request.isClaimed = true;
    request.allowed = outcome === "approved" ? request.line : null;
  }

  function settled(record: LogRecord): void {
    const request = known(record);
    const { details } = record;
    const outcome = outcomeOf(textIn(details, "outcome") ?? "?", request.answer ?? details);
    if (request.line !== null) {
      if (!request.isClaimed) request.line.outcome = outcome;
      return;
    }
    const answer = request.answer === null ? {} : answeredIn(request.answer);
    // The log holds no word of a question.
    if (record.kind === "question.settled") request.facts = factsIn(record);
    request.line = add(record, { ...request.facts, ...answeredIn(details), ...answer, outcome });
    if (outcome === "approved") request.allowed = request.line;
  }

  function decided(record: LogRecord): void {
    const { details } = record;
    const outcome = textIn(details, "outcome") ?? "?";
    const request = known(record);
    const facts = factsIn(record);
    if (outcome === "pending") {
      request.facts = facts;
      if (request.line !== null && !request.isClaimed) Object.assign(request.line, facts);
      return;
    }
    // Who answers when it has ended answers what was asked here.
    if (!isByPrecedent(details)) request.facts = facts;
    const run = textIn(details, "run");
    const parts = { ...facts, ...answeredIn(details), outcome, run, repeated: details.repeated === true };
    const line = lineFor(record, request, parts);
    if (outcome === "approved") request.allowed = line;
    if (run !== null) runs.set(run, line);
  }

  function lineFor(record: LogRecord, request: Known, parts: Partial<Decision>): Line {
    const { line, allowed } = request;
    if (isCorrection(allowed, parts)) return Object.assign(allowed, parts);
    if (line === null || request.isClaimed || isByPrecedent(record.details)) return add(record, parts);
    request.isClaimed = true;
    return Object.assign(line, parts, { at: record.at });
  }

  function effect(record: LogRecord): void {
    const run = textIn(record.details, "run");
    const line = (run === null ? null : runs.get(run)) ?? (run === null ? known(record).allowed : null);
    if (line === null) return;
    line.effect = record.kind === "effect.started" ? effectThat("began") : effectIn(record.details);
  }

  /** A question's own line has no client until a call is told. */
  function toldOf(record: LogRecord): void {
    const { line } = known(record);
    if (line !== null) Object.assign(line, factsIn(record));
  }

  function swept(record: LogRecord): void {
    const { what } = record.verified;
    if (what !== "stale" && what !== "decided, not run") return;
    const request = known(record);
    request.line ??= add(record, { ...request.facts, outcome: "stale" });
  }

  const takers = new Map<string, (record: LogRecord) => void>([
    ["policy.judged", judged],
    ["approval.requested", asked],
    ["approval.answered", answered],
    ["approval.settled", settled],
    ["approval.decided", decided],
    ["question.answered", answered],
    ["question.settled", settled],
    ["question.told", toldOf],
    ["fact.requested", asked],
    ["fact.answered", answered],
    ["fact.settled", settled],
    ["request.swept", swept],
    ["grant.kept", kept],
    ["effect.started", effect],
    ["effect.finished", effect],
  ]);

  return {
    take: (record) => takers.get(record.kind)?.(record),
    end() {
      while (held.length > 0) flush();
    },
  };
}

const noLine: Decision = {
  ...noFacts,
  at: 0,
  id: null,
  run: null,
  outcome: "?",
  via: null,
  assurance: null,
  scope: null,
  repeated: false,
  seconds: null,
  effect: null,
};

/** A call that a rule or a preset let through, as a decision; null for any other record. */
export function passedIn(record: LogRecord): Decision | null {
  if (record.kind !== "call.passed") return null;
  const { at, selfReported, verified, details } = record;
  const told = { ...record, details: { ...details, ...verified } };
  return { ...noLine, ...factsIn({ ...told, selfReported }), at, outcome: passed };
}

/** What only a call has that nobody was asked about. */
export const passed = "passed";

/** The second line of one call corrects its first, which is known by the very time it took. */
function isCorrection(line: Line | null, parts: Partial<Decision>): line is Line {
  if (line === null || line.effect !== null || parts.outcome === "already_decided") return false;
  const isSame =
    line.seconds === parts.seconds && line.client === parts.client && line.thread === parts.thread;
  const isSameRun = line.run !== null && line.run === parts.run;
  return isSame && line.run !== null && (isSameRun || parts.outcome !== "approved");
}

/** How a request ended, in the words of a call. */
function outcomeOf(outcome: string, { decision, via }: Values): string {
  if (outcome !== "answered") return outcome;
  switch (decision) {
    case "approve":
      return "approved";
    case "deny":
      return via === "elicitation" ? "declined" : "denied";
    case "keep":
      return "kept";
    case "drop":
      return "dropped";
    case "decline":
      return "declined";
    default:
      return "answered";
  }
}
