/** Pins of a gate in memory, which several openings may share; what lies there can be spoilt as files can. */
import { pinsAfter } from "../../src/broker/gates/next-pins.js";
import type { GatePins, PinnedGate } from "../../src/broker/gates/pins.js";
import { WispError } from "../../src/broker/request/errors.js";

/** Where they lie. */
export class PinShelf {
  gate: PinnedGate | null = null;
  /** Why what lies there is not to be trusted. */
  distrust: string | null = null;
  isBroken = false;
}

/** As a gate opens them. */
export function memoryPins(shelf = new PinShelf()): GatePins {
  function current(): ReturnType<GatePins["current"]> {
    const { gate, distrust } = shelf;
    if (distrust !== null) return { kind: "untrusted", reason: distrust };
    return gate === null ? { kind: "none" } : { kind: "pinned", gate };
  }
  return {
    current,
    async pin(call) {
      const next = pinsAfter(current(), call);
      if (next === null) return;
      if (shelf.isBroken) throw new WispError("channel_unavailable", "The disk is full.");
      shelf.gate = next;
      shelf.distrust = null;
    },
  };
}
