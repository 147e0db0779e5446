/** By which gate a call was judged: where none is known, whoever reads the verdict must not take it for the gate's. */
import { presets } from "../../broker/index.js";
import type { AtGate } from "./at-gate.js";

/** One line; its texts are as they stand in files. Null where a preset was named. */
export function gateLine({ server, preset, gate }: AtGate): string | null {
  if (preset !== null) return null;
  if (gate !== null) {
    const { entry, path, preset: own, isAmbiguous } = gate;
    const others = isAmbiguous ? "; another entry starts a gate of this name otherwise" : "";
    return `gate: ${entry} in ${path}, ${own === null ? "no preset is for it" : `preset ${own}`}${others}`;
  }
  const none = `gate: no client's file here starts one called ${server}`;
  if (presets.has(server)) return `${none}; judged by the preset of this name`;
  return `${none}; judged without a preset: --preset NAME names one of ${[...presets.keys()].join(", ")}`;
}
