/** What came of proposing a fact, as an MCP result: how `keep_fact` tells it, beside `result.ts`. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { errorCodes, type FactAsked, localDay } from "../../broker/index.js";
import { factHere, factLine } from "./facts-here.js";
import { refused, sentence } from "./result.js";

/** `doctor` is the command that tells a person what is wrong with asking. */
export function factAskedResult(asked: FactAsked, doctor: string): CallToolResult {
  switch (asked.kind) {
    case "waits":
      return waitsResult(asked);
    case "kept":
      return keptResult(asked);
    case "dropped":
      return refused({
        outcome: "refused",
        code: "fact_dropped",
        text: `Refused, a person dropped this on ${localDay(asked.at)}${asked.isForGood ? ", for good" : ""}, and it is not kept. ${errorCodes.fact_dropped.recovery}`,
        request: null,
      });
    case "too many":
      return refused({
        outcome: "refused",
        code: "rate_limited",
        text: `Refused, nobody was asked and it is not kept: ${asked.waiting} ${asked.isOwn ? "of your facts" : "facts"} wait for the person already. ${errorCodes.rate_limited.recovery}`,
        request: null,
      });
    case "failed":
      return refused(
        {
          outcome: "failed",
          code: "approval_unavailable",
          text: `Failed, no person could be asked and it is not kept: ${sentence(asked.why)} Tell the person to run: ${doctor}`,
          request: null,
        },
        doctor,
      );
    default:
      return asked satisfies never;
  }
}

/** No error: a person is asked. Unlike a command that waits, it is not to be called again. */
function waitsResult({ request, isJoined }: Extract<FactAsked, { kind: "waits" }>): CallToolResult {
  const { id, expiresAt } = request;
  const asked = isJoined ? "has been asked already" : "is asked";
  const text =
    `Pending: a person ${asked} whether to keep this (request ${id}). Nothing is kept until they say so. Go on working ` +
    "and do not wait for it; read_facts tells later what became of it.";
  const structuredContent = { outcome: "pending", request: id, expiresAt, notifications: [] };
  return { content: [{ type: "text", text }], structuredContent };
}

function keptResult({ fact }: Extract<FactAsked, { kind: "kept" }>): CallToolResult {
  const text = `Approved: a person kept this already, on ${localDay(fact.keptBy.at)}, and nobody was asked again. ${factLine(fact)}`;
  const structuredContent = { outcome: "approved", request: null, fact: factHere(fact), notifications: [] };
  return { content: [{ type: "text", text }], structuredContent };
}
