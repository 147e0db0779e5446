/** Tools of a server behind a gate. */
import { sha256Hex } from "../../src/broker/request/long-text.js";
import type { ToolDefinition } from "../../src/server/gate/calls/tool-list.js";

/** The tool `name` as the server says it. */
export function toolDefinition(name: string, description: string): ToolDefinition {
  const text = JSON.stringify({ name, description }, null, 2);
  return { name, title: null, description, isReadOnly: false, hash: sha256Hex(text), text };
}
