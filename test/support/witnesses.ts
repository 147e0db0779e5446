/** Witnesses that look at nothing, for tests in which faces have no terminal of their own. */
import type { Shortfall, Testimony, Witness } from "../../src/broker/request/assurance.js";

/** What was seen of a person at a terminal. */
export const atTerminal: Testimony = {
  verified: { terminal: true, ancestry: true, signed: null },
  seen: { pid: 4711 },
  shortfall: null,
};

/** Finds every answer to come from a person at a terminal. */
export const takesAll: Witness = () => atTerminal;

/** Finds every answer wanting. */
export function finds(shortfall: Shortfall): Witness {
  return () => ({ ...atTerminal, verified: { terminal: false, ancestry: false, signed: null }, shortfall });
}
