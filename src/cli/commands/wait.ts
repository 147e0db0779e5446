/** `wisp approvals wait ID`: watches until one request has ended, and never answers. */
import { exitOf, type Receipt, waitForEnd } from "../../broker/index.js";
import { endText, type Proof, proofOf, unprovedText } from "../../face/ended.js";
import { findRequest } from "../../face/find.js";
import { openWaiting } from "../../face/waiting.js";
import { refusedIfAltered } from "../altered.js";
import { reportMissing } from "../choose.js";
import { exits } from "../exits.js";
import { jsonLine } from "../json.js";
import { lineForList } from "../line-to-type.js";
import { complain } from "../report.js";
import { reportGone } from "../report-ended.js";
import type { Terminal } from "../terminal.js";
import type { Verb } from "../verb.js";

/**
 * The exit code says how the request ended: 0 only after a yes. Of a request that was seen waiting only a yes that its
 * server proved is one.
 */
export const wait: Verb = {
  command: "wisp approvals wait",
  synopsis: "ID [--json]",
  summary: "wait until a request has ended and say how; answers nothing",
  details: ["--json          print its receipt as one JSON object", "Exit codes: wisp approvals --help"],
  switches: ["json"],
  options: [],
  takesId: true,
  async run({ switches, id }, terminal) {
    const waiting = openWaiting(terminal);
    const found = findRequest(id, waiting);
    if (found.kind === "settled") return tell(found.receipt, "request gone", switches.has("json"), terminal);
    if (found.kind !== "request") return reportMissing(id, found, terminal);
    const { request } = found;
    // Whoever changed it can have put a commitment of his own there: then a receipt proves nothing.
    const altered = refusedIfAltered(request, terminal, "Not waited for");
    if (altered !== null) return altered;
    if (terminal.err.isTerminal) {
      terminal.err.write(`waiting until ${request.id} has ended; Ctrl-C stops waiting and answers nothing\n`);
    }
    const { channel, sweepAgain } = waiting;
    const interrupted = terminal.interruption();
    try {
      const options = { channel, clock: terminal.clock, signal: interrupted, sweep: sweepAgain };
      const receipt = await waitForEnd(request, options);
      if (receipt !== null) return tell(receipt, proofOf(receipt, request), switches.has("json"), terminal);
    } finally {
      channel.close();
    }
    if (!interrupted.aborted) return reportGone(request.id, terminal);
    complain(terminal, {
      what: `${request.id} still waits.`,
      why: null,
      fix: lineForList(terminal),
    });
    return exits.interrupted;
  },
};

function tell(receipt: Receipt, proof: Proof, isJson: boolean, { out, err }: Terminal): number {
  out.write(isJson ? jsonLine(receipt) : `${receipt.id}: ${endText(receipt, proof)}\n`);
  // The receipt is printed as it lies there, and says nothing of this itself.
  if (isJson && proof !== "proved") err.write(`wisp: ${receipt.id} is ${unprovedText(proof)}\n`);
  const exit = exitOf(receipt);
  // A sweep writes no yes: one that the server did not prove was written by nobody who may.
  return exit === exits.done && proof === "unproved" ? exits.stale : exit;
}
