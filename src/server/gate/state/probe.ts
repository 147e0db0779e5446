/**
 * Calls of the server's tools that only look, so that a yes can rest on what they say. Invariant: such a call is one that
 * a rule of the person's or the preset's list of reads lets through, with a definition that was not changed since: to describe
 * a request nothing is done that would itself have to be asked about.
 */
import { type GateRuling, shownText, WispError } from "../../../broker/index.js";
import type { ToolBook } from "../calls/tool-book.js";
import type { ToolCall } from "../calls/tool-subject.js";
import type { JsonObject } from "../frames/json-object.js";

/** Calls `tool`; rejects with policy_refused where no rule allows that, and with upstream_unavailable where it fails. */
export type Probe = (tool: string, given: JsonObject, signal: AbortSignal) => Promise<JsonObject>;

/** What a probe is judged and made with. */
export interface ProbeParts {
  readonly tools: Pick<ToolBook, "find">;
  /** As for a call of the client's. */
  readonly rule: (call: ToolCall) => Promise<Pick<GateRuling, "verdict" | "isBeyondReading">>;
  /** Makes the call, and rejects with upstream_unavailable where its answer is an error or none. */
  readonly make: Probe;
  /** Writes it down: it is a call like any other. Rejects with audit_unavailable. */
  readonly note: (call: ToolCall, ruling: Pick<GateRuling, "verdict">) => Promise<void>;
}

/** Judges each call anew: rules change while a gate stands. */
export function createProbe({ tools, rule, make, note }: ProbeParts): Probe {
  return async (name, given, signal) => {
    const tool = await tools.find(name);
    if (tool === null) {
      throw new WispError("upstream_unavailable", `The server lists no tool ${shownText(name)}.`, {
        why: "It is to say what a yes to this call would be about.",
      });
    }
    const call: ToolCall = { tool, arguments: given };
    const ruling = await rule(call);
    const { verdict, isBeyondReading } = ruling;
    // A trusted hint allows, too, and is no rule: the server would choose what is called before anybody is asked.
    const isAllowed = verdict.name === "allow" && verdict.rule.list === "allow";
    if (!isAllowed || isBeyondReading) throw notAllowed(name);
    signal.throwIfAborted();
    await note(call, ruling);
    return await make(name, given, signal);
  };
}

function notAllowed(name: string): WispError {
  return new WispError("policy_refused", `No rule lets ${shownText(name)} through without asking.`, {
    why: "It is to say what a yes to this call would be about, and nobody is asked about that first.",
    fix: "Allow it in policy.json, or bind the call to something else.",
  });
}
