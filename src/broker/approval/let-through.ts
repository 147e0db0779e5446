/**
 * Calls that nobody is asked about, because a rule of a file or an earlier yes lets them through. Invariant: that one may
 * run is on disk before it is said.
 */
import type { AuditLog } from "../audit/audit-log.js";
import { type Via, vias } from "../request/answer.js";
import type { Outcome } from "../request/outcome.js";
import type { Clock } from "../system/clock.js";
import type { AllowedBy } from "./approver.js";
import { type Call, endedAlone, type Gone, secondsBetween } from "./call.js";
import type { Write } from "./journal.js";
import { decidedEvent, letThroughEvents } from "./record.js";

/** Where that is written down, and who says that a caller left. */
export interface LetThroughParts {
  readonly audit: AuditLog;
  readonly write: Write;
  readonly clock: Clock;
  readonly runOf: (call: object) => string;
  readonly whyGone: (signal: AbortSignal) => Gone | null;
}

/** What `call` is told. Rejects with audit_unavailable: then nothing may run. */
export async function letThrough(call: Call, by: AllowedBy, parts: LetThroughParts): Promise<Outcome> {
  const { ask, signal, startedAt } = call;
  const seconds = secondsBetween(startedAt, parts.clock.monotonic());
  const outcome: Outcome = {
    ...endedAlone({ name: "approved", note: null }, { request: null, seconds }),
    ...restingOn(by),
    run: parts.runOf(call),
  };
  await parts.audit.append(
    letThroughEvents(ask, outcome, by.kind === "remembered" ? by.rule.id : null),
    "durable",
  );
  const gone = parts.whyGone(signal);
  if (gone === null) return outcome;
  const { request } = outcome;
  const ended = decidedEvent(ask, request, gone.name, { why: gone.note, seconds });
  // What was written lets something run, and nothing does, whether or not that can be written, too.
  await parts.write([ended], "plain");
  return endedAlone(gone, { request, seconds });
}

function restingOn(by: AllowedBy): Pick<Outcome, "via" | "scope" | "assurance" | "request" | "rule"> {
  switch (by.kind) {
    case "policy": {
      const { text, place } = by;
      return {
        via: "policy",
        scope: null,
        assurance: null,
        request: null,
        rule: { kind: "policy", text, place },
      };
    }
    case "remembered": {
      const { rule, scope, via, assurance, request, createdAt } = by.rule;
      const known = viaOf(via);
      const earlier = { kind: "earlier", text: rule, place: by.place, yesAt: createdAt } as const;
      // A rule that was accepted as it stood in the file is no answer: nobody was asked, and no request says so.
      if (known === "policy") return { via: known, scope, assurance: null, request: null, rule: earlier };
      return { via: known, scope, assurance, request, rule: earlier };
    }
    default:
      return by satisfies never;
  }
}

/** The file holds text. One that no way of answering has is `accept`, or a newer wisp's: then only the rule speaks. */
function viaOf(via: string): Via | "policy" {
  return vias.find((one) => one === via) ?? "policy";
}
