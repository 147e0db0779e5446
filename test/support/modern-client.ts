/** A raw client of the 2026 era: each leg of its calls is a request of its own, with everything about its caller. */
import { type RawClient, showsForms, type ToolResult } from "./raw-client.js";

/** One leg of a call. */
export interface Leg {
  readonly args: Readonly<Record<string, unknown>>;
  /** The tool, where it is not `run_command`. */
  readonly tool?: string;
  readonly name?: string;
  readonly capabilities?: Readonly<Record<string, unknown>>;
  readonly progressToken?: string;
  /** What came with the dialog that this leg answers. */
  readonly state?: unknown;
  /** The answers by the ids of requests. */
  readonly responses?: unknown;
}

/** What a client sends with every request of this era. */
export function envelope({
  name = "raw",
  capabilities = showsForms,
}: Pick<Leg, "name" | "capabilities"> = {}) {
  return {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name, version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
}

/** Sends one leg of a call without waiting. */
export function sendLeg(client: RawClient, leg: Leg): number {
  const { args, tool = "run_command", progressToken, state, responses } = leg;
  return client.request("tools/call", {
    name: tool,
    arguments: args,
    ...(state !== undefined && { requestState: state }),
    ...(responses !== undefined && { inputResponses: responses }),
    _meta: { ...envelope(leg), ...(progressToken !== undefined && { progressToken }) },
  });
}

/** A dialog as it came: whose request it shows, what it says, and what has to come back with its answer. */
export interface ShownDialog {
  readonly id: string;
  readonly message: string;
  readonly schema: unknown;
  readonly state: string;
}

/** The dialog that a result holds; throws where it holds none. */
export function dialogIn(result: ToolResult): ShownDialog {
  const { resultType, inputRequests = {}, requestState } = result as unknown as Asking;
  const [[id, request] = ["", null], ...others] = Object.entries(inputRequests);
  if (resultType !== "input_required" || request === null || others.length > 0) {
    throw new Error(`No dialog: ${JSON.stringify(result)}`);
  }
  const { message, requestedSchema } = request.params;
  return { id, message, schema: requestedSchema, state: requestState };
}

interface Asking {
  readonly resultType?: string;
  readonly inputRequests?: Readonly<
    Record<string, { readonly params: { readonly message: string; readonly requestedSchema: unknown } }>
  >;
  readonly requestState: string;
}

/** The first leg of a call, with the dialog that it brings. */
export async function askedIn2026(client: RawClient, leg: Leg): Promise<ShownDialog> {
  return dialogIn(await client.resultOf(sendLeg(client, leg)));
}

/** Answers `dialog` in the next leg of the same call, without waiting. */
export function answerDialog(
  client: RawClient,
  leg: Leg,
  { id, state }: ShownDialog,
  reply: unknown,
): number {
  return sendLeg(client, { ...leg, state, ...(reply !== undefined && { responses: { [id]: reply } }) });
}
