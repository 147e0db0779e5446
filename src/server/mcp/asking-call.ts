/** One call of a tool that asks a person, with everything that its leg is made of. */
import type { Asking } from "./asking.js";
import type { CallWire } from "./call-wire.js";
import type { Connection, ConnectionOptions } from "./connection.js";
import type { Heartbeat } from "./heartbeat.js";
import type { LegParts } from "./leg.js";
import type { Era, Peer } from "./peer.js";

/** The connection that a tool asks through, and the era that its client speaks. */
export interface AskingToolParts {
  readonly connection: Connection;
  readonly options: ConnectionOptions;
  readonly era: Era;
}

/** Who calls, and how it is answered. */
export interface AskingCall {
  readonly peer: Peer;
  readonly wire: CallWire;
  readonly parts: AskingToolParts;
}

/** What `runLeg` needs of `call`. */
export function legPartsOf(
  { peer, wire, parts: { connection, options } }: AskingCall,
  asking: Asking,
  heartbeat: Heartbeat,
): LegParts {
  const { holds, forms } = connection;
  const isDialogOff = options.environment.WISP_ELICITATION === "off";
  const { clock, hold: holdFlag } = options;
  return { peer, wire, asking, holds, forms, clock, holdFlag, isDialogOff, heartbeat };
}
