/**
 * What asking needs of one call on the wire. The SDK's context of a call is one; the gate, which serves no call itself,
 * makes one of frames.
 */
import type { ElicitRequestFormParams, ServerContext } from "@modelcontextprotocol/server";

type McpReq = ServerContext["mcpReq"];

/** A request that puts a form in front of the person at the client. */
export interface FormRequest {
  readonly method: "elicitation/create";
  readonly params: { readonly mode: "form" } & Pick<ElicitRequestFormParams, "message" | "requestedSchema">;
}

/** The ways of one call to its client, and what came back with it. */
export interface CallWire
  extends Pick<McpReq, "requestState" | "inputResponses" | "droppedInputResponseKeys"> {
  /**
   * Resolves with the client's answer as it came. Rejects with the SDK's errors: `ProtocolError` where the client answers
   * with one, `SdkError` where what it answers is no result. Once `signal` aborts, the client is told and nothing counts.
   */
  send(
    request: FormRequest,
    options: { readonly signal: AbortSignal; readonly timeout: number },
  ): Promise<unknown>;
  /** Tells the client something about this call. Rejects where it cannot be reached any more. */
  notify(notification: {
    readonly method: "notifications/progress";
    readonly params: {
      readonly progressToken: string | number;
      readonly progress: number;
      readonly message: string;
    };
  }): Promise<void>;
}
