/** What a home keeps of facts, as a person's command opens it: the home is judged by then. */
import {
  type AuditLog,
  ensureHome,
  type FactStore,
  type Home,
  type Keys,
  openFactStore,
  rootSecretOf,
} from "../broker/index.js";
import type { FaceVia } from "./answer.js";
import { auditIn } from "./kept-log.js";
import type { Seat } from "./seat.js";

/** The facts, and where it is written down what a person does with them. */
export interface KeptFacts {
  readonly facts: FactStore;
  readonly audit: AuditLog;
  readonly keys: Keys;
}

/** Makes nothing. `session` is who writes down what becomes of them. */
export function factsIn(home: Home, { clock }: Pick<Seat, "clock">, session: FaceVia): KeptFacts {
  const place = { path: home.path, ensureHome: () => ensureHome(home, clock), clock };
  const keys = rootSecretOf(place);
  return { facts: openFactStore({ ...place, keys }), audit: auditIn(place, session, keys), keys };
}
