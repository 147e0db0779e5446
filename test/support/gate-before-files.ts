/** A gate before the server of files, in a directory of its own. */
import { join } from "node:path";
import { createGatePolicy } from "../../src/server/gate/calls/create-gate-policy.js";
import { createPins } from "../../src/server/gate/state/gate-pins.js";
import { createStateBinding } from "../../src/server/gate/state/state-binding.js";
import { presetNamed } from "./gate-calls.js";
import { makePlaces } from "./mcp-server.js";
import { gatedServer, type MemoryGate, type MemoryGateOptions, openGateIn } from "./memory-gate.js";
import { memoryPins } from "./memory-pins.js";
import type { ToolResult } from "./raw-client.js";

/** Its client shows nothing; `directory` is where the server works. */
export async function gateBeforeFiles(
  options: MemoryGateOptions = {},
): Promise<MemoryGate & { readonly directory: string }> {
  const places = makePlaces();
  const { home, work: directory } = places;
  const pins = createPins(memoryPins());
  const around = { home, homeDirectory: join(home, ".."), directory, roots: [directory], areFilesHere: true };
  const preset = presetNamed("filesystem", around);
  const policy = createGatePolicy({
    ...{ server: gatedServer, preset, directory, pins, isReadOnly: false },
    areHintsTrusted: () => false,
  });
  const states = createStateBinding({
    directory,
    previewOf: (tool) => preset.previewOf(tool),
    probe: () => Promise.reject(new Error("nothing is probed here")),
  });
  const memory = await openGateIn("2025-06-18", {
    places,
    pins,
    policy,
    states: () => states,
    capabilities: {},
    ...options,
  });
  return { ...memory, directory };
}

/** Under which code the gate refused it; undefined where it did not. */
export function refusalCode(result: ToolResult): unknown {
  const { _meta } = result as ToolResult & { readonly _meta?: Readonly<Record<string, { code?: string }>> };
  return _meta?.["wisp/refusal"]?.code;
}
