/** What a gate knows of its server from the calls that were let through before: which it is, and what its tools said. */
import type { ToldDefinition, ToolDefinition } from "./tool-list.js";
import type { ServerIdentity } from "./tool-subject.js";

/** The pins of one gate. */
export interface Pins {
  /** Why what was allowed before does not count now, in words for a person; null where it counts. Looks at the file. */
  suspendedBecause(server: ServerIdentity, tool: ToolDefinition): string | null;
  /**
   * What was pinned and what is there now, where they differ, and what the client was `told`, where that is something else;
   * null where nothing differs.
   */
  changeOf(
    server: ServerIdentity,
    tool: ToolDefinition,
    told: ToldDefinition | null,
  ): { readonly before: string; readonly after: string } | null;
  /**
   * A call is let through: what it is to is pinned from now on, by a person's yes also in the place of another. On disk
   * when it resolves; null where it was pinned so before. Rejects with channel_unsafe, channel_unavailable.
   */
  pin(server: ServerIdentity, tool: ToolDefinition, by: "person" | "rule"): Promise<void> | null;
}
