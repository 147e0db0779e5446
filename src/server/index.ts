/** The library's second door, `wisp-broker/mcp`: a person in front of the tools of an MCP server of one's own. */
export type { AskReply } from "./library/ask-about-tool.js";
export type { QuestionReply, QuestionSchema } from "./library/ask-question.js";
export type { LookAtState, StateOfThings } from "./library/bound-state.js";
export type { AnyServer, CallContext, ContextV1 } from "./library/call-context.js";
export { createWisp, type WispOptions } from "./library/create-wisp.js";
export type { RefusalResult } from "./library/results.js";
export type { Approved, ToolRun } from "./library/run-approved.js";
export type { ToolAsk } from "./library/tool-ask.js";
export type { QuestionReplyV1, Wisp } from "./library/wisp.js";
