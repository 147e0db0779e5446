/** `wisp approvals wait ID`: watches until one request has ended, and never answers. */
import { exitOf, isReceiptVerified, type Receipt, waitForEnd } from "../../broker/index.js";
import { reportMissing } from "../choose.js";
import { endText, reportGone } from "../ended.js";
import { exits } from "../exits.js";
import { findRequest } from "../find.js";
import { jsonLine } from "../json.js";
import { wispLine } from "../quote.js";
import { complain } from "../report.js";
import type { Terminal } from "../terminal.js";
import type { Verb } from "../verb.js";
import { openWaiting } from "../waiting.js";

/** The exit code says how the request ended: 0 only after a yes. */
export const wait: Verb = {
  command: "wisp approvals wait",
  synopsis: "ID [--json]",
  summary: "wait until a request has ended and say how; answers nothing",
  switches: ["json"],
  options: [],
  takesId: true,
  async run({ switches, id }, terminal) {
    const waiting = openWaiting(terminal);
    const found = findRequest(id, waiting);
    if (found.kind === "settled") return tell(found.receipt, false, switches.has("json"), terminal);
    if (found.kind !== "request") return reportMissing(id, found, terminal);
    const { request } = found;
    const { channel, sweepAgain } = waiting;
    const interrupted = terminal.interruption();
    try {
      const options = { channel, clock: terminal.clock, signal: interrupted, sweep: sweepAgain };
      const receipt = await waitForEnd(request, options);
      if (receipt !== null)
        return tell(receipt, isReceiptVerified(receipt, request), switches.has("json"), terminal);
    } finally {
      channel.close();
    }
    if (!interrupted.aborted) return reportGone(request.id, terminal);
    complain(terminal, {
      what: `${request.id} still waits.`,
      why: null,
      fix: wispLine(terminal.environment, ["approvals", "pending"]),
    });
    return exits.interrupted;
  },
};

function tell(receipt: Receipt, isVerified: boolean, isJson: boolean, { out }: Terminal): number {
  out.write(isJson ? jsonLine(receipt) : `${receipt.id}: ${endText(receipt, isVerified)}\n`);
  return exitOf(receipt);
}
