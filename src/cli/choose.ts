/** From a typed id to a request that may be answered or watched, or to the reason why not. */
import type { Kind, Request } from "../broker/index.js";
import { type Found, findRequest } from "../face/find.js";
import { quoted } from "../face/quote.js";
import { verbOf } from "../face/verb-of.js";
import type { Waiting } from "../face/waiting.js";
import { exits } from "./exits.js";
import { lineForDoctor, lineForList, lineToType } from "./line-to-type.js";
import { complain, refuse } from "./report.js";
import { reportEnded, reportTooLate } from "./report-ended.js";
import type { Terminal } from "./terminal.js";

/** The request that `typed` means, or the exit code after telling why there is none to go on with. */
export function chooseRequest(typed: string, waiting: Waiting, terminal: Terminal): Request | number {
  const found = findRequest(typed, waiting);
  return found.kind === "request" ? found.request : reportMissing(typed, found, terminal);
}

/**
 * The same for a verb that says yes, or no, to requests of `kind`: those of another are decided by another command, and an
 * end is too late.
 */
export function chooseOf<Wanted extends Kind>(
  kind: Wanted,
  isYes: boolean,
  typed: string,
  waiting: Waiting,
  terminal: Terminal,
): Extract<Request, { kind: Wanted }> | number {
  const found = findRequest(typed, waiting);
  if (found.kind === "settled") return reportTooLate(found.receipt, "request gone", terminal);
  if (found.kind !== "request") return reportMissing(typed, found, terminal);
  const { request } = found;
  if (isOf(request, kind)) return request;
  return refuse("invalid_input", terminal, {
    what: `${request.id} is ${oneOf(request.kind)}, not ${oneOf(kind)}.`,
    why: null,
    // A no never becomes a yes because somebody pastes what they are told.
    fix: lineToType(terminal, [...verbOf(request.kind, isYes), request.id]),
  });
}

function isOf<Wanted extends Kind>(
  request: Request,
  kind: Wanted,
): request is Extract<Request, { kind: Wanted }> {
  return request.kind === kind;
}

function oneOf(kind: Kind): string {
  return `${kind === "approval" ? "an" : "a"} ${kind}`;
}

/** Tells why `typed` means no request that waits; the exit code says which case it was. */
export function reportMissing(
  typed: string,
  found: Exclude<Found, { kind: "request" }>,
  terminal: Terminal,
): number {
  const list = lineForList(terminal);
  switch (found.kind) {
    case "settled":
      return reportEnded(found.receipt, "request gone", terminal);
    case "newer":
      complain(terminal, {
        what: `${found.id} was filed by a newer wisp.`,
        why: "This one cannot read all of it, so it cannot show or answer it.",
        fix: "Install the newer version, then try again.",
      });
      return exits.unexpected;
    case "ambiguous":
      return refuse("invalid_input", terminal, {
        what: `${quoted(typed)} fits several ids: ${someOf(found.ids)}`,
        why: null,
        fix: "Type more characters of the one you mean.",
      });
    case "no id": {
      const why = found.ids.length === 0 ? "Nothing waits." : `Waiting: ${someOf(found.ids)}`;
      return reportNoId(typed, why, list, terminal);
    }
    case "unreadable":
      return refuse("request_unknown", terminal, {
        what: `Nothing such waits: ${quoted(found.name)} is not a request.`,
        why: quoted(found.reason),
        fix: lineForDoctor(terminal),
      });
    case "unknown":
      return refuse("request_unknown", terminal, {
        what: `No request ${quoted(typed)} waits.`,
        why: "It was never filed here, or it ended more than ten minutes ago.",
        fix: list,
      });
    default:
      return found satisfies never;
  }
}

/** What was typed can be nobody's id; `why` says which there are, and `list` lists them. Returns the exit code. */
export function reportNoId(typed: string, why: string, list: string, terminal: Terminal): number {
  return refuse("invalid_input", terminal, {
    what: `${quoted(typed)} is no id: it takes four or more of its lower-case letters and digits.`,
    why,
    fix: list,
  });
}

const mostNamed = 8;

function someOf(ids: readonly string[]): string {
  const named = ids.slice(0, mostNamed).join(", ");
  return ids.length > mostNamed ? `${named} and ${ids.length - mostNamed} more` : named;
}
