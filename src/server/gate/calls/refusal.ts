/**
 * What a caller sees of a call that came to nothing here: a tool error in the words of our own tools, with its fields under
 * `_meta`. Never `structuredContent`: that belongs to the output schema of the server behind the gate, and clients throw
 * for what does not fit it.
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { shownText, type Verdict, type WispError } from "../../../broker/index.js";
import { errorResult, pendingResult, refused } from "../../mcp/result.js";
import { isObject, type JsonObject } from "../frames/json-object.js";
import type { OwnAnswer } from "../frames/passage.js";

/** Where the fields of a refusal stand. */
export const refusalKey = "wisp/refusal";

const fields = ["code", "retryable", "recovery", "request", "argsHash", "stateFingerprint"] as const;

/** `result` is one of `src/server/mcp/result.ts` for an ending that let nothing through; `more` stands beside its fields. */
export function refusalOf({ content, structuredContent }: CallToolResult, more: JsonObject = {}): OwnAnswer {
  const known: JsonObject = isObject(structuredContent) ? structuredContent : {};
  const told = fields.flatMap((field) => {
    const value = known[field];
    return value === undefined || value === null ? [] : [[field, value] as const];
  });
  return {
    result: { content, isError: true, _meta: { [refusalKey]: { ...Object.fromEntries(told), ...more } } },
  };
}

/** The same of a broken promise, before anybody was asked. */
export function refusalOfError(error: WispError, doctorLine: string): OwnAnswer {
  return refusalOf(errorResult(error, null, doctorLine));
}

/** The same of a call whose request waits on. It is a tool error for the same reason, so it says that nothing failed. */
export function pendingOf(...asked: Parameters<typeof pendingResult>): OwnAnswer {
  const { content = [], ...rest } = pendingResult(...asked);
  const text = { type: "text", text: "Nothing failed." } as const;
  return refusalOf({ ...rest, content: [text, ...content] });
}

/** Of a gate that only reads. */
export const beyondReading = refused({
  outcome: "refused",
  code: "read_only_mode",
  text: "Refused: the gate lets through only what is proven to change nothing, and nothing proves it of this tool. No person was asked. Do not look for another way.",
  request: null,
});

/** Of a call that says something in a way in which nobody can tell what it reaches, and that can be said in another. */
export function meantOtherwise({ rule: { text } }: Pick<Verdict, "rule">, instead: string): CallToolResult {
  return refused({
    outcome: "refused",
    code: "invalid_input",
    text: `Refused: ${shownText(text)}. No person was asked, and nothing ran. ${instead}`,
    request: null,
    recovery: instead,
  });
}

/** Of a call with more than a person is shown. */
export const unshown = refused({
  outcome: "refused",
  code: "invalid_input",
  text: "Refused: a call that a person is asked about holds its name, its arguments and _meta, and nothing else (no inputResponses, requestState or task). No person was asked, and nothing ran. Make the call from its beginning, without them.",
  request: null,
});
