/** What can happen to the calls of an approver, for a trial against its model (approver-model.ts). */
import fc from "fast-check";
import type { Detach } from "../../src/broker/approval/approver.js";
import type { DialogAnswer } from "../../src/broker/approval/dialog.js";
import type { Said } from "./model-parts.js";

/** How long a person has. */
export const timeoutMs = 600_000;
/** Later steps ask nothing more. */
export const mostCalls = 12;

/** What a dialog says, or that it breaks. */
export type Spoken = DialogAnswer | { readonly kind: "rejects" };

/** Steps between two calms happen at the same instant: nothing that was set off has run. */
export type Step =
  | { readonly do: "calm" }
  | { readonly do: "break audit" | "mend audit" | "break rules" | "mend rules" | "close" | "restart" }
  | { readonly do: "detach"; readonly call: number; readonly why: Detach["why"] }
  | { readonly do: "release"; readonly call: number }
  | AskStep
  | { readonly do: "pass"; readonly ms: number }
  | { readonly do: "dialog"; readonly call: number; readonly said: Spoken }
  | { readonly do: "cancel"; readonly call: number }
  | { readonly do: Deed; readonly call: number };

/** Somebody asks. */
export interface AskStep {
  readonly do: "ask";
  /** A deaf dialog ignores that it is withdrawn. */
  readonly dialog: "none" | "good" | "deaf";
  readonly subject: number;
  readonly state: number;
  readonly thread: string | null;
  readonly isAllowed: boolean;
}

const deeds = ["approve", "allow", "project", "always", "deny", "junk", "forge", "remove"] as const;
/** What other processes do. */
export type Deed = (typeof deeds)[number];

const forTheSession: Spoken = { kind: "approve", scope: "session" };
const spoken: readonly (readonly [Spoken, Said["meaning"]])[] = [
  [{ kind: "approve", scope: "once" }, "once"],
  [forTheSession, "session"],
  [{ kind: "approve", scope: "project" }, "project"],
  [{ kind: "approve", scope: "always" }, "always"],
  [{ kind: "deny" }, "no"],
  [{ kind: "decline" }, "no"],
  [{ kind: "dismissed" }, "nothing"],
  [{ kind: "invalid", why: "no decision" }, "nothing"],
  [{ kind: "failed", why: "too long" }, "unshown"],
  [{ kind: "rejects" }, "unshown"],
];
/** What each comes to. */
export const meanings: ReadonlyMap<Spoken, Said["meaning"]> = new Map(spoken);

/** Which of the calls that were made so far. */
const which = fc.nat(mostCalls - 1);
const anAskStep: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("ask" as const),
  dialog: fc.constantFrom<AskStep["dialog"]>("none", "good", "deaf"),
  subject: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) }),
  state: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) }),
  thread: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constant("t") }),
  isAllowed: fc.oneof(
    { weight: 7, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
});
const aWord: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("dialog" as const),
  call: which,
  said: fc.constantFrom(...meanings.keys()),
});
const aDetach: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("detach" as const),
  call: which,
  why: fc.constantFrom<Detach["why"]>("held", "dialog", "timed out"),
});
const aDeed: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom(...deeds, "cancel" as const),
  call: which,
});
const aRelease: fc.Arbitrary<Step> = fc.record({ do: fc.constant("release" as const), call: which });
const aPause: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("pass" as const),
  ms: fc.constantFrom(1, 60_000, 60_000, 200_000, timeoutMs, 7_200_000),
});
const aTurn: fc.Arbitrary<Step> = fc.record({
  do: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom("break audit" as const, "mend audit" as const) },
    { weight: 4, arbitrary: fc.constantFrom("break rules" as const, "mend rules" as const) },
    { weight: 1, arbitrary: fc.constantFrom("close" as const, "restart" as const) },
  ),
});
/** Whatever happens, in whatever order. */
export const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: anAskStep },
    { weight: 4, arbitrary: aWord },
    { weight: 6, arbitrary: aDeed },
    { weight: 4, arbitrary: aDetach },
    { weight: 1, arbitrary: aRelease },
    { weight: 2, arbitrary: aPause },
    { weight: 1, arbitrary: aTurn },
    { weight: 7, arbitrary: fc.constant<Step>({ do: "calm" }) },
  ),
  { minLength: 4, maxLength: 60, size: "max" },
);

/** What once failed. */
export const examples: readonly (readonly Step[])[] = [
  // The older of two yeses for the session is written down last.
  [
    { do: "ask", dialog: "none", subject: 0, state: 0, thread: null, isAllowed: false },
    { do: "ask", dialog: "deaf", subject: 0, state: 1, thread: "t", isAllowed: false },
    { do: "calm" },
    { do: "ask", dialog: "none", subject: 0, state: 0, thread: null, isAllowed: false },
    { do: "dialog", call: 1, said: forTheSession },
    { do: "detach", call: 0, why: "held" },
    { do: "allow", call: 0 },
    { do: "ask", dialog: "none", subject: 0, state: 1, thread: null, isAllowed: false },
    { do: "pass", ms: 1 },
    { do: "ask", dialog: "none", subject: 0, state: 1, thread: null, isAllowed: false },
  ],
  // The caller of a call that a rule lets through leaves, and that cannot be written down.
  [
    { do: "ask", dialog: "none", subject: 0, state: 0, thread: null, isAllowed: true },
    { do: "break audit" },
    { do: "cancel", call: 0 },
  ],
];
