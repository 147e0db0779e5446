/** What a person is shown of a call of another server's tool: all that is sent, and what it would be done to. */
import { canonicalJson, type Subject, sha256Hex } from "../../../broker/index.js";
import type { JsonObject } from "../frames/json-object.js";
import type { ToldDefinition, ToolDefinition } from "./tool-list.js";

/** The subject of a request for a call of a tool. */
export type ToolSubject = Extract<Subject, { type: "tool" }>;

/** What one call is about. */
export interface ToolCall {
  readonly tool: ToolDefinition;
  readonly arguments: JsonObject;
  /** What the client was told of the tool, where that is something else. */
  readonly told?: ToldDefinition | null;
}

/** The server behind the gate: by the name that our configuration gives it, and as what was started or connected to. */
export interface ServerIdentity {
  readonly name: string;
  /** SHA-256 in hex. */
  readonly hash: string;
  /** For a person: the command or the address. */
  readonly text: string;
}

/** What is bound of its surroundings; null where nobody says what that would be. */
export type BoundState = readonly { readonly target: string; readonly fingerprint: string }[] | "none" | null;

/** What goes with the call beside its arguments. */
export interface ToolSurroundings {
  readonly server: ServerIdentity;
  /** What its client sends beside them, as `metaShown` has it. */
  readonly meta: JsonObject | null;
  readonly state: BoundState;
  /** The definition that was pinned, or that the client was told, where this is another one. */
  readonly definition: ToolSubject["definition"];
  readonly preview: ToolSubject["preview"];
}

/** The longest that a request holds. */
const longestDescription = 4_000;

/** Throws for arguments that have no canonical JSON. */
export function toolSubject(
  { tool, arguments: given, told = null }: ToolCall,
  around: ToolSurroundings,
): ToolSubject {
  const { server, meta, state, definition, preview } = around;
  return {
    type: "tool",
    server: server.name,
    serverIdentity: server.text,
    tool: tool.name,
    title: tool.title,
    description:
      tool.description === null ? null : [...tool.description].slice(0, longestDescription).join(""),
    arguments: given,
    argumentsHash: sha256Hex(canonicalJson(given)),
    ...(meta !== null && { meta }),
    // A yes to the one is none to the other.
    definitionHash:
      told === null ? tool.hash : sha256Hex(`wisp/told-otherwise/v1\n${told.hash}\n${tool.hash}`),
    definition,
    preview,
    state: state === null || state === "none" ? "none" : { bound: state.map((one) => ({ ...one })) },
  };
}
