/** What a person decided, as the file that says so. */
import { type Answer, type Request, startedAtOf, type Via, version } from "../broker/index.js";
import type { Seat } from "./seat.js";

/** What the person decided. */
export type Given =
  | {
      readonly decision: "approve";
      readonly scope: NonNullable<Answer["scope"]>;
      readonly note: string | null;
    }
  | { readonly decision: "deny"; readonly scope: null; readonly note: string | null };

/** The faces of this package that write answers. */
export type FaceVia = Extract<Via, "cli" | "tui" | "chat">;

/** What `given` is as a file: the answer of this very process to `request` as it was shown. */
export function answerOf(
  request: Pick<Request, "id" | "binding">,
  given: Given,
  via: FaceVia,
  seat: Pick<Seat, "clock" | "deviceName">,
): Answer {
  return {
    v: 1,
    id: request.id,
    binding: request.binding,
    ...given,
    via,
    answeredAt: seat.clock.now(),
    by: {
      pid: process.pid,
      startedAt: startedAtOf(process.pid) ?? "",
      tty: seat.deviceName(),
      version,
    },
  };
}
