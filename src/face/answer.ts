/** What a person decided, as the file that says so. */
import {
  type Answer,
  type QuestionContent,
  type Request,
  type Scope,
  startedAtOf,
  type Via,
  version,
} from "../broker/index.js";
import type { WideScope } from "./remember-lines.js";
import type { Seat } from "./seat.js";

/** What the person decided. */
export type Given =
  | {
      readonly decision: "approve";
      readonly scope: Exclude<Scope, WideScope>;
      readonly note: string | null;
      /** The wider scope that was asked for, where what is dangerous is not remembered. */
      readonly downgradedFrom?: WideScope;
    }
  /** `rule` is one of those that were offered, and stood before the person's eyes in full. */
  | {
      readonly decision: "approve";
      readonly scope: WideScope;
      readonly rule: string;
      readonly note: string | null;
    }
  | { readonly decision: "deny"; readonly scope: null; readonly note: string | null }
  /** A fact: kept in its directory or everywhere; a fact that has no directory takes only the latter. */
  | { readonly decision: "keep"; readonly scope: "project" | "always"; readonly note: null }
  /** A fact: dropped for this line of work, or, with `always`, for good. */
  | { readonly decision: "drop"; readonly scope: null | "always"; readonly note: null }
  /** A question: values that were offered, or a text of at most `longestAnswerBytes`. */
  | ({ readonly decision: "answer"; readonly scope: null; readonly note: null } & QuestionContent)
  | { readonly decision: "decline"; readonly scope: null; readonly note: string | null };

/** A yes to an approval. */
export type GivenYes = Extract<Given, { decision: "approve" }>;

/** The faces of this package that write answers. */
export type FaceVia = Extract<Via, "cli" | "tui" | "chat">;

/** What `given` is as a file: the answer of this very process to `request` as it was shown. */
export function answerOf(
  request: Pick<Request, "id" | "binding">,
  given: Given,
  via: FaceVia,
  seat: Pick<Seat, "clock" | "deviceName">,
): Answer {
  // What else a decision has stands in the file under the same names.
  const { decision, scope, note, ...beside } = given;
  return {
    v: 1,
    id: request.id,
    binding: request.binding,
    decision,
    scope,
    note,
    ...(beside as Partial<Answer>),
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
