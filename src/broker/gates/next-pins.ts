/** What is pinned after a call was let through. Pure: the same over a home and in memory. */
import { sha256Hex } from "../request/long-text.js";
import { textObjection } from "../request/strict-json.js";
import type { LetThrough, PinnedGate, PinnedServer, PinnedTool, PinsNow } from "./pins.js";

/** Null where nothing changes. */
export function pinsAfter(now: PinsNow, { server, tool, definition, by }: LetThrough): PinnedGate | null {
  const key = pinKeyOf(tool);
  const { identity, identityText } = server;
  switch (now.kind) {
    case "none":
      return { ...firstOf(server, key, definition), isRestored: false };
    case "untrusted":
      // What was pinned of the other tools nobody knows any more.
      return by === "person" ? { ...firstOf(server, key, definition), isRestored: true } : null;
    case "pinned": {
      const { gate } = now;
      const before = gate.tools.get(key);
      const isSame = gate.identity === identity;
      if (isSame && before?.hash === definition.hash) return null;
      if (by === "rule" && (!isSame || before !== undefined || gate.isRestored)) return null;
      return { ...gate, identity, identityText, tools: new Map([...gate.tools, [key, definition]]) };
    }
    default:
      return now satisfies never;
  }
}

function firstOf({ identity, identityText }: PinnedServer, key: string, definition: PinnedTool) {
  return { identity, identityText, tools: new Map([[key, definition]]) };
}

/** Servers may call a tool anything; names that are longer, or that no file holds, are told apart by their hash. */
const longestName = 256;

/** Under which key the pin of a tool stands. */
export function pinKeyOf(tool: string): string {
  return tool.length <= longestName && textObjection(tool) === null ? tool : `sha256 ${sha256Hex(tool)}`;
}

/** Texts of tools that are longer are pinned by their hash alone. */
const longestText = 64 * 1024;

/** What is pinned of a tool that says this of itself. */
export function pinnedFrom({ hash, text }: { readonly hash: string; readonly text: string }): PinnedTool {
  return { hash, text: text.length > longestText ? null : text };
}
