/** The audit log of a home, as a person's command writes into it. */
import {
  type AuditLog,
  type HomePlace,
  type Keys,
  livenessOf,
  openAuditLog,
  ownIdentity,
} from "../broker/index.js";
import type { FaceVia } from "./answer.js";

/** Makes nothing. `session` is the face that writes, `keys` are those of the home at `place`. */
export function auditIn({ ensureHome, clock }: HomePlace, session: FaceVia, keys: Keys): AuditLog {
  return openAuditLog({
    home: ensureHome,
    clock,
    session,
    keys,
    identity: ownIdentity,
    liveness: livenessOf,
    // A face writes little and reads no settings for it: servers put files aside.
    rotation: null,
    // Most faces end as soon as they have written.
    headDelayMs: 0,
  });
}
