/** From a typed id to a request that may be answered or watched, or to the reason why not. */
import type { ApprovalRequest, Request } from "../broker/index.js";
import { reportSettled } from "./ended.js";
import { exits } from "./exits.js";
import { type Found, findRequest } from "./find.js";
import { quoted, wispLine } from "./quote.js";
import { complain } from "./report.js";
import type { Terminal } from "./terminal.js";
import type { Waiting } from "./waiting.js";

/** The request that `typed` means, or the exit code after telling why there is none to go on with. */
export function chooseRequest(typed: string, waiting: Waiting, terminal: Terminal): Request | number {
  const found = findRequest(typed, waiting);
  return found.kind === "request" ? found.request : reportMissing(typed, found, terminal);
}

/** The same for a verb that decides approvals: another kind is answered by another command. */
export function chooseApproval(
  typed: string,
  waiting: Waiting,
  terminal: Terminal,
): ApprovalRequest | number {
  const request = chooseRequest(typed, waiting, terminal);
  if (typeof request === "number" || request.kind === "approval") return request;
  const other = request.kind === "fact" ? "wisp facts keep|drop" : "wisp questions answer|decline";
  complain(terminal, {
    what: `${request.id} is a ${request.kind}, not an approval.`,
    why: `It is decided with: ${other} ${request.id} (a later version of wisp has this command)`,
    fix: wispLine(terminal.environment, ["approvals", "show", request.id]),
  });
  return exits.usage;
}

/** Tells why `typed` means no request that waits; the exit code says which case it was. */
export function reportMissing(
  typed: string,
  found: Exclude<Found, { kind: "request" }>,
  terminal: Terminal,
): number {
  const list = wispLine(terminal.environment, ["approvals", "pending"]);
  switch (found.kind) {
    case "settled":
      return reportSettled(found.receipt, false, terminal);
    case "newer":
      complain(terminal, {
        what: `${found.id} was filed by a newer wisp.`,
        why: "This one cannot read all of it, so it cannot show or answer it.",
        fix: "Install the newer version, then try again.",
      });
      return exits.unexpected;
    case "ambiguous":
      complain(terminal, {
        what: `${quoted(typed)} fits several ids: ${someOf(found.ids)}`,
        why: null,
        fix: "Type more characters of the one you mean.",
      });
      return exits.usage;
    case "no id":
      complain(terminal, {
        what: `${quoted(typed)} is no id: it takes four or more of its letters and digits.`,
        why: found.ids.length === 0 ? "Nothing waits." : `Waiting: ${someOf(found.ids)}`,
        fix: list,
      });
      return exits.usage;
    case "unreadable":
      complain(terminal, {
        what: `Nothing such waits: ${quoted(found.name)} is not a request.`,
        why: quoted(found.reason),
        fix: wispLine(terminal.environment, ["doctor"]),
      });
      return exits.unknown;
    case "unknown":
      complain(terminal, {
        what: `No request ${quoted(typed)} waits.`,
        why: "It was never filed here, or it ended more than ten minutes ago.",
        fix: list,
      });
      return exits.unknown;
    default:
      return found satisfies never;
  }
}

const mostNamed = 8;

function someOf(ids: readonly string[]): string {
  const named = ids.slice(0, mostNamed).join(", ");
  return ids.length > mostNamed ? `${named} and ${ids.length - mostNamed} more` : named;
}
