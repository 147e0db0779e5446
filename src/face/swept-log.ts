/** Writing down what a face swept. A program of its own: seals take longer to load than a verb to run, and most sweeps find nothing. */
import { ensureHome, type Home, rootSecretOf, type Swept } from "../broker/index.js";
import type { FaceVia } from "./answer.js";
import { auditIn } from "./kept-log.js";
import type { SweepingSeat } from "./seat.js";

/** Returns what writes that down in the log of `home`, which was judged. It rejects with audit_unavailable. */
export function sweptInto(
  home: Home,
  { clock }: Pick<SweepingSeat, "clock">,
  session: FaceVia,
): (swept: readonly Swept[]) => Promise<void> {
  const place = { path: home.path, ensureHome: () => ensureHome(home, clock), clock };
  const audit = auditIn(place, session, rootSecretOf(place));
  return (swept) =>
    audit.append(
      swept.map(({ id, what }) => ({ kind: "request.swept", call: id, verified: { what } }) as const),
      "plain",
    );
}
