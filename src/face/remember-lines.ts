/**
 * What a yes for the project or for always remembers, as a card tells it. Invariant: what is remembered is one of the rules
 * that the request offers, whole; at level dangerous nothing is.
 */
import {
  type ApprovalRequest,
  isStateBound,
  isWider,
  type Offer,
  type Request,
  type Scope,
  scopes,
} from "../broker/index.js";

/** A yes that outlasts the connection. */
export type WideScope = Extract<Scope, "project" | "always">;

/** The scopes that a yes to `request` may have, from narrow to wide: without a rule, nothing wide can be remembered. */
export function offeredScopes(request: ApprovalRequest): readonly Scope[] {
  const canRemember = request.level !== "dangerous" && offersOf(request).length > 0;
  return scopes.filter((scope) => request.scopes.includes(scope) && (canRemember || !isWider(scope)));
}

/** The rules that a yes for longer than the connection may remember: exactly this call first; raw. */
export function offersOf({ remember }: Pick<ApprovalRequest, "remember">): readonly Offer[] {
  return remember?.offers ?? [];
}

/** `30 days`: for how long a rule counts. */
export function daysText(days: number): string {
  return days === 1 ? "1 day" : `${days} days`;
}

/** For how long a yes counts that is remembered, where its scope does not say all of it; null for every other answer. */
export function lifeText(request: Request, { scope }: { readonly scope: Scope | null }): string | null {
  if (request.kind !== "approval") return null;
  if (scope === "session" && isStateBound(request.subject)) return "while what it touches stays as it is now";
  return isWider(scope) ? daysText(request.remember?.days ?? 0) : null;
}

/** `remembered for 30 days, in this directory alone`: for how long and where a rule counts, in words of our own. */
export function reachText(scope: WideScope, { remember, subject }: ApprovalRequest): string {
  const here = subject.type === "command" ? "in this directory alone" : "in this project alone";
  const where = scope === "project" ? here : "in every directory";
  return `remembered for ${daysText(remember?.days ?? 0)}, ${where}`;
}

/** One line of a card: a label of ours, and a text that is ours or the request's. */
export interface RememberLine {
  readonly label: string;
  readonly text: string;
  readonly isOurs: boolean;
}

/**
 * What is remembered for each scope that is offered, in full, and the forms that it can have with a call that each would let
 * through and one that it would not. No text of ours stands behind one of the request.
 */
export function rememberLines(request: ApprovalRequest): readonly RememberLine[] {
  const wide = offeredScopes(request).filter(isWider);
  if (wide.length === 0) return [];
  const offers = offersOf(request);
  return [
    ...wide.map((scope) => ({ label: scope, text: reachText(scope, request), isOurs: true })),
    ...offers.flatMap((offer, index) => [
      { label: offers.length === 1 ? "remembers" : `form ${index + 1}`, text: offer.rule, isOurs: false },
      ...previewLines(offer),
    ]),
  ];
}

/** A call that a wider form would let through, and one that it would not. */
export function previewLines({ matches, misses }: Offer): readonly RememberLine[] {
  return [
    ...(matches === null ? [] : [{ label: "also", text: matches, isOurs: false }]),
    ...(misses === null ? [] : [{ label: "but not", text: misses, isOurs: false }]),
  ];
}
