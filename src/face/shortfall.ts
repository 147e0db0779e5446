/** Why a yes was not taken because of who gave it, and what the person does then. */
import { type Request, type Shortfall, shownText } from "../broker/index.js";
import type { Complaint } from "./complaint.js";
import { wispLine } from "./quote.js";
import type { Seat } from "./seat.js";
import { verbOf } from "./verb-of.js";

/** The request still waits, so the command to paste is the same one. */
export function insufficientComplaint(
  request: Request,
  shortfall: Shortfall,
  environment: Seat["environment"],
): Complaint {
  const line = wispLine(environment, [...verbOf(request.kind, true), request.id]);
  const client = clientOf(request);
  switch (shortfall) {
    case "within_client":
      return {
        what: `Not taken: this command was started from within ${client}, or another agent's client.`,
        why: "An agent must not answer its own request. A terminal inside an editor is part of that editor.",
        fix: `Open a terminal outside of it and run: ${line}`,
      };
    case "terminal_held":
      return {
        what: `Not taken: a process of ${client}, or of another agent's client, holds the other end of this terminal.`,
        why: "Whoever holds it can type here, so an answer from here proves no person.",
        fix: `Open a terminal outside of it and run: ${line}`,
      };
    case "no_terminal":
      return {
        what: "Not taken: standard input is not the terminal that controls this command.",
        why: "A shell on a terminal starts commands so; programs and redirections hand over another one.",
        fix: `Open a terminal, and in its shell run: ${line}`,
      };
    case "process_unseen":
      return {
        what: `Not taken: the server (process ${request.server.pid}) cannot look at this command.`,
        why: "It runs in another container or under another account, or the server cannot tell who started it.",
        fix: `Open a terminal where the server runs, under its account, and run: ${line}`,
      };
    case "process_gone":
      return {
        what: `Not taken: the server (process ${request.server.pid}) found no living process behind this answer.`,
        why: "It looks at whoever answers, so this command must run until it is told how that ended.",
        fix: `Run it again and leave it running: ${line}`,
      };
    default:
      return shortfall satisfies never;
  }
}

function clientOf({ client }: Request): string {
  return client === null ? "the client that asks" : `${shownText(client.name)}, the client that asks`;
}
