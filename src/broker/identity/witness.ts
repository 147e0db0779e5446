/** Looks at the process that answered. */
import type { Witness } from "../request/assurance.js";

/** Looks at nothing, and says so. */
export const blindWitness: Witness = () => ({
  verified: { terminal: null, ancestry: null, signed: null },
  seen: {},
  shortfall: null,
});
