/** Which rule a yes for longer than the connection remembers: shown whole, and asked about before it is given. */
import { type ApprovalRequest, type Offer, shownText } from "../../broker/index.js";
import { offerNamed, type Reach } from "../../face/remember.js";
import { rememberCard } from "../../face/remember-card.js";
import { type Confirmation, readOrEnd, type UntilEnd } from "../confirm.js";
import { lineToType } from "../line-to-type.js";
import { drawCard, paintFor } from "../render.js";
import { refuse } from "../report.js";
import type { Terminal } from "../terminal.js";

/** What a rule is chosen for. */
export interface Choosing {
  readonly request: ApprovalRequest;
  readonly reach: Extract<Reach, { kind: "wide" }>;
  /** What stood behind `--rule`, or null. */
  readonly typed: string | null;
  readonly untilEnd: UntilEnd;
}

/** The rule that stood on the screen when the person said y, raw; or why there is none. */
export type Chosen =
  | { readonly kind: "chosen"; readonly rule: string }
  | Exclude<Confirmation, { kind: "yes" | "wrong word" }>;

/** Shows exactly this call, or the form that was named; a number shows another. A number is the exit code of a refusal. */
export async function chooseRule(
  { request, reach, typed, untilEnd }: Choosing,
  terminal: Terminal,
  interrupted: AbortSignal,
): Promise<Chosen | number> {
  const { offers, scope } = reach;
  let offer = typed === null ? offers[0] : offerNamed(typed, offers);
  while (offer) {
    const { err, environment } = terminal;
    const card = rememberCard(request, scope, offers.indexOf(offer));
    err.write(`\n${(await drawCard(card, err, paintFor(err, environment))).text}`);
    const others = offers.length === 1 ? "" : `; a number of 1 to ${offers.length} shows that form`;
    const question = `Type y and Enter to approve (${scope}) and remember this${others}; anything else answers nothing: `;
    const said = await readOrEnd(question, untilEnd, terminal, interrupted);
    if (said.kind !== "line") return said;
    const line = said.line?.trim() ?? "";
    if (line.toLowerCase() === "y") return { kind: "chosen", rule: offer.rule };
    const other = /^[0-9]+$/.test(line) && offers.length > 1 ? offerNamed(line, offers) : null;
    if (other === null) return { kind: "no", expected: "y" };
    offer = other;
  }
  return refusedRule(request, offers, terminal);
}

function refusedRule({ id }: ApprovalRequest, offers: readonly Offer[], terminal: Terminal): number {
  const named = offers.map(({ rule }, index) => `${index + 1} ${shownText(rule)}`).join(", ");
  return refuse("invalid_input", terminal, {
    what: `${id} does not offer this rule.`,
    why: `It offers: ${named}`,
    // Plain chat shows what it asks about.
    fix: lineToType(terminal, ["approvals", terminal.via === "chat" ? "approve" : "show", id]),
  });
}
