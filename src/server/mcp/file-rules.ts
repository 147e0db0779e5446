/** The rules that stand in the files of a home: a program of its own, which a server loads once a client is there. */
import {
  type Liveness,
  livenessOf,
  openPolicy,
  openRememberedRules,
  type SoughtProcess,
} from "../../broker/index.js";
import type { Rules, RulesPlace } from "./rules.js";

/** Reads nothing yet. */
export function fileRules({ path, ensureHome, identity, ...place }: RulesPlace): Rules {
  const { clock, keys, homeDirectory, startDirectory } = place;
  const liveness = (one: SoughtProcess): Liveness => livenessOf(one, identity);
  const remembered = openRememberedRules({ path, ensureHome, clock, keys, own: identity, liveness });
  const policy = openPolicy({ home: path, keys, remembered, homeDirectory, startDirectory, clock });
  return { policy, remembered };
}
