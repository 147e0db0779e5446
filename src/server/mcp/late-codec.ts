/**
 * The codec of states, loaded with the first of them: it is made with the SDK, which a gate that only lets calls by never
 * evaluates. A server that speaks through the SDK has it there already; scripts/programs.mjs then replaces this file.
 */
import type { StateCodec } from "./state-codec.js";

/** What makes a codec from its key. */
export async function loadedCodec(): Promise<(key: Uint8Array) => StateCodec> {
  return (await import("./state-codec.js")).stateCodec;
}
