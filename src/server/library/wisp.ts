/**
 * Asking for the tools of somebody else's MCP server. Invariants: nothing is opened before the first ask; the process is
 * the author's: its mask, its standard output and its signals are left alone; what was opened is closed by `close`.
 */
import type { ServerContext } from "@modelcontextprotocol/server";
import type { ServerIdentity } from "../gate/calls/tool-subject.js";
import { type ConnectionOptions, createConnection } from "../mcp/connection.js";
import { type AskReply, askAboutTool } from "./ask-about-tool.js";
import { askQuestion, type QuestionReply, type QuestionSchema } from "./ask-question.js";
import type { AnyServer, CallContext, ContextV1 } from "./call-context.js";
import { type OpenServer, openCall } from "./open-call.js";
import type { RefusalResult } from "./results.js";
import type { ToolRun } from "./run-approved.js";
import type { ToolAsk } from "./tool-ask.js";

/** Asks for the calls of one server, which has one client. One ask or one question a call. */
export interface Wisp {
  /**
   * Asks a person about this call, or lets it through by a rule of theirs; `run` does what was approved, once. Resolves with
   * what the tool is to return: what `run` returned, or a tool error that says why it was not called, or, in the 2026 era,
   * the form for the client's dialog. Rejects with what `run` throws, never for what a person or a timer did.
   */
  ask<Result>(context: ServerContext, about: ToolAsk, run: ToolRun<Result>): Promise<AskReply<Result>>;
  /** The same in a server of the first major, where no result holds a form. */
  ask<Result>(context: ContextV1, about: ToolAsk, run: ToolRun<Result>): Promise<Result | RefusalResult>;
  /** Asks the person what only they know. Whatever is no answer brings the result that the tool is to return. */
  question(context: ServerContext, schema: QuestionSchema): Promise<QuestionReply>;
  /** The same in a server of the first major. */
  question(context: ContextV1, schema: QuestionSchema): Promise<QuestionReplyV1>;
  /** To be called when the connection ends: settles what waits as withdrawn, then closes what was opened. Idempotent. */
  close(why?: string): Promise<void>;
}

/** What becomes of a question in a server of the first major. */
export type QuestionReplyV1 = Exclude<QuestionReply, { readonly kind: "dialog" }>;

/** What it is made of. */
export interface WispParts {
  readonly own: ServerIdentity;
  readonly server: AnyServer;
  readonly options: ConnectionOptions;
}

/** Opens nothing yet. */
export function openWisp({ own, server, options }: WispParts): Wisp {
  const connection = createConnection(options);
  const to: OpenServer = { own, server, options, connection };

  async function ask<Result>(
    context: CallContext,
    about: ToolAsk,
    run: ToolRun<Result>,
  ): Promise<AskReply<Result>> {
    const opened = await openCall(context, to);
    return opened.kind === "refused" ? opened.result : askAboutTool(about, run, opened.call);
  }

  async function question(context: CallContext, schema: QuestionSchema): Promise<QuestionReply> {
    const opened = await openCall(context, to);
    if (opened.kind === "open") return askQuestion(schema, opened.call);
    const { name, result } = opened;
    return { kind: "unanswered", name, result };
  }

  return {
    ask: <Result>(context: CallContext, about: ToolAsk, run: ToolRun<Result>) =>
      // A call of the first major is of the 2025 era, where no leg ends with a form.
      connection.track(ask(context, about, run)) as Promise<Result | RefusalResult>,
    question: (context: CallContext, schema: QuestionSchema) =>
      connection.track(question(context, schema)) as Promise<QuestionReplyV1>,
    close: (why = "the client left") => connection.close(why),
  };
}
