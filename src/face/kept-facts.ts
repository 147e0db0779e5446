/** What a home keeps of facts, as a person's command opens it: the home is judged by then. */
import {
  type AuditLog,
  ensureHome,
  type FactStore,
  type Home,
  openAuditLog,
  openFactStore,
  rootSecretOf,
} from "../broker/index.js";
import type { FaceVia } from "./answer.js";
import type { Seat } from "./seat.js";

/** The facts, and where it is written down what a person does with them. */
export interface KeptFacts {
  readonly facts: FactStore;
  readonly audit: AuditLog;
}

/** Makes nothing. `session` is who writes down what becomes of them. */
export function factsIn(home: Home, { clock }: Pick<Seat, "clock">, session: FaceVia): KeptFacts {
  const place = { path: home.path, ensureHome: () => ensureHome(home, clock), clock };
  return {
    facts: openFactStore({ ...place, keys: rootSecretOf(place) }),
    audit: openAuditLog({ home: place.ensureHome, clock, session }),
  };
}
