/** What two calls must have in common for one to use what was approved for the other. */

import * as s from "../request/shape.js";
import type { Bound } from "./grant-store.js";

/** As it stands in files. */
export const boundSchema = s.strictObject({
  client: s.string(),
  role: s.string(),
  server: s.string(),
  directory: s.string(),
  subject: s.string(),
  definition: s.nullable(s.string()),
  state: s.nullable(s.string()),
});

/** All but the state. A field that is added to `Bound` does not type-check before it is compared here. */
const sameCall = {
  client: true,
  role: true,
  server: true,
  directory: true,
  subject: true,
  definition: true,
} as const satisfies Record<Exclude<keyof Bound, "state">, true>;

const fields = Object.keys(sameCall) as (keyof typeof sameCall)[];

/** Do they agree in everything? */
export function isSame(one: Bound, other: Bound): boolean {
  return isSameCall(one, other) && one.state === other.state;
}

/** Do they agree in everything but the state, in which they differ? */
export function isDrifted(one: Bound, other: Bound): boolean {
  return isSameCall(one, other) && one.state !== other.state;
}

/** Only what belongs to it: what else a caller's object holds is not ours to keep. */
export function boundPart({ client, role, server, directory, subject, definition, state }: Bound): Bound {
  return { client, role, server, directory, subject, definition, state };
}

function isSameCall(one: Bound, other: Bound): boolean {
  return fields.every((field) => one[field] === other[field]);
}
