/** What a yes comes to that somebody wants for longer than the connection, the same in every face. */
import { type ApprovalRequest, isWider, type Offer, type Scope } from "../broker/index.js";
import type { GivenYes } from "./answer.js";
import { offeredScopes, offersOf, type WideScope } from "./remember-lines.js";

/** What a yes that somebody wants comes to. */
export type Reach =
  /** `downgradedFrom` is the wider scope that was asked for, where what is dangerous is not remembered. */
  | {
      readonly kind: "narrow";
      readonly scope: Exclude<Scope, WideScope>;
      readonly downgradedFrom: WideScope | null;
    }
  /** It remembers one of `offers`, of which there is at least one. */
  | { readonly kind: "wide"; readonly scope: WideScope; readonly offers: readonly Offer[] }
  | { readonly kind: "not offered"; readonly offered: readonly Scope[] };

/** What a yes of the scope `wanted` is; null stands for the narrowest. */
export function reachOf(request: ApprovalRequest, wanted: Scope | null): Reach {
  const offered = offeredScopes(request);
  const scope = wanted ?? offered[0] ?? "once";
  if (isWider(scope) && request.level === "dangerous" && offered.includes("session")) {
    return { kind: "narrow", scope: "session", downgradedFrom: scope };
  }
  if (!offered.includes(scope)) return { kind: "not offered", offered };
  return isWider(scope)
    ? { kind: "wide", scope, offers: offersOf(request) }
    : { kind: "narrow", scope, downgradedFrom: null };
}

/** Said where more than the session was asked for what is dangerous. */
export const downgradedText =
  "Dangerous: remembered for the session at most, so this is a yes for the session.";

/** The offer that `typed` names, by its number from 1 or as it is written; null where none is. */
export function offerNamed(typed: string, offers: readonly Offer[]): Offer | null {
  const byNumber = /^[1-9][0-9]?$/.test(typed) ? offers[Number(typed) - 1] : undefined;
  return byNumber ?? offers.find(({ rule }) => rule === typed) ?? null;
}

/** The yes of a narrow reach. */
export function narrowYes(
  { scope, downgradedFrom }: Extract<Reach, { kind: "narrow" }>,
  note: string | null,
): GivenYes {
  return { decision: "approve", scope, note, ...(downgradedFrom === null ? {} : { downgradedFrom }) };
}
