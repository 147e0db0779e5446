/** `wisp approvals approve ID` for longer than the connection, and what it refuses: the rule is shown before it is given. */
import { type ApprovalRequest, isWider, type Scope, shownText, WispError } from "../../broker/index.js";
import type { GivenYes } from "../../face/answer.js";
import type { Kept } from "../../face/kept.js";
import { wispLine } from "../../face/quote.js";
import { downgradedText, narrowYes, type Reach, reachOf } from "../../face/remember.js";
import { viewOf } from "../../face/view.js";
import { refusedAltered } from "../altered.js";
import { chooseOf } from "../choose.js";
import { confirm, isHardToRead, untilEndOf } from "../confirm.js";
import { exits } from "../exits.js";
import { giveAnswer } from "../give-answer.js";
import { lineToType } from "../line-to-type.js";
import { notConfirmed } from "../not-confirmed.js";
import { drawCard, paintFor } from "../render.js";
import { refuse } from "../report.js";
import { talked } from "../talk.js";
import type { Terminal } from "../terminal.js";
import { type Chosen, chooseRule } from "./choose-rule.js";

/** What was typed after `approve`. */
export interface WiderApproval {
  readonly scope: Scope;
  /** What stood behind `--rule`, or null. */
  readonly rule: string | null;
  readonly note: string | null;
  /** The word of `--confirm`. */
  readonly word: string | null;
}

/** Shows the card, then the rule, and gives the yes that was confirmed. Ends with 0 only when it is the one that decided. */
export async function approveWide(
  typed: string,
  given: WiderApproval,
  { home, waiting, remembered }: Pick<Kept, "home" | "waiting" | "remembered">,
  terminal: Terminal,
): Promise<number> {
  const request = chooseOf("approval", true, typed, waiting, terminal);
  if (typeof request === "number") return request;
  const reach = reachOf(request, given.scope);
  if (reach.kind === "not offered") return refusedScope(request, given.scope, reach.offered, terminal);
  if (given.rule !== null && reach.kind === "narrow" && reach.downgradedFrom === null) throw strayRule();
  if (request.assurance === "signed") return refusedUnsigned(request, terminal);
  const { card, objection } = viewOf(request, home, terminal);
  if (objection !== null) return refusedAltered(request, objection, terminal);
  const { err, environment } = terminal;
  const drawn = await drawCard(card, err, paintFor(err, environment));
  err.write(drawn.text);
  if (reach.kind === "narrow" && reach.downgradedFrom !== null) err.write(`${downgradedText}\n`);
  const interrupted = terminal.interruption();
  const untilEnd = untilEndOf(request, waiting, terminal);
  const confirming = {
    request,
    scope: reach.scope,
    given: given.word,
    // The rule that it remembers is shown and asked about in any case.
    isHardToRead: reach.kind === "narrow" && isHardToRead(drawn, card, err),
    untilEnd,
  };
  const confirmation = await confirm(confirming, terminal, interrupted);
  if (confirmation.kind !== "yes") return notConfirmed(confirmation, request, terminal);
  const chosen: Chosen | number | null =
    reach.kind === "narrow"
      ? null
      : await chooseRule({ request, reach, typed: given.rule, untilEnd }, terminal, interrupted);
  if (typeof chosen === "number") return chosen;
  if (chosen !== null && chosen.kind !== "chosen") return notConfirmed(chosen, request, terminal);
  const yes = yesOf(reach, chosen?.rule ?? "", given.note);
  const exit = await giveAnswer(request, yes, waiting, terminal, interrupted);
  const isKept = waiting.channel.receipt(request.id)?.scope === yes.scope;
  if (exit === exits.done && isKept && "rule" in yes) {
    const left = remembered.list().rules.find((rule) => rule.request === request.id);
    tellRemembered(yes.rule, left?.id ?? null, terminal);
  }
  return exit;
}

function yesOf(reach: Exclude<Reach, { kind: "not offered" }>, rule: string, note: string | null): GivenYes {
  return reach.kind === "wide"
    ? { decision: "approve", scope: reach.scope, rule, note }
    : narrowYes(reach, note);
}

/** A line of its own: nothing that is shown before it can pass for it. `id` is null where its rule cannot be found. */
function tellRemembered(rule: string, id: string | null, { out, err, environment }: Terminal): void {
  out.write(talked(out, `remembered: ${shownText(rule)}\n`));
  const line = wispLine(environment, ["approvals", ...(id === null ? ["granted"] : ["revoke", id])]);
  err.write(`Take it back: ${line}${id === null ? " says its id." : ""}\n`);
}

function strayRule(): WispError {
  return new WispError("invalid_input", "--rule goes with --scope project or --scope always.", {
    fix: "wisp approvals approve --help",
  });
}

function refusedScope(
  request: ApprovalRequest,
  scope: Scope,
  offered: readonly Scope[],
  terminal: Terminal,
): number {
  const { id } = request;
  return refuse("invalid_input", terminal, {
    what: `${id} does not offer the scope ${scope}.`,
    why: `It offers ${offered.join(", ")}: ${whyNoMore(request, scope, offered)}.`,
    fix: lineToType(terminal, ["approvals", "approve", id]),
  });
}

/** What is known of it here: a rule that asks may say how far a yes reaches; without one only what it is does. */
function whyNoMore(
  { level, rule, subject }: ApprovalRequest,
  scope: Scope,
  offered: readonly Scope[],
): string {
  if (subject.type === "tool") {
    return isWider(scope)
      ? `for longer than the session write a rule in policy.json: ${shownText(`mcp__${subject.server}__${subject.tool}`)}`
      : "the call itself changes what a yes for the session would rest on, or a rule says so";
  }
  if (level === "dangerous" && offered.includes("session"))
    return "what is dangerous is remembered for the session at most";
  const isOfFile = rule !== null && /^(?:ask|deny|allow) /.test(rule);
  return isOfFile
    ? `that is how far a yes reaches under ${shownText(rule)}, or for what it runs`
    : "only one plain command whose words say what runs is remembered for longer";
}

function refusedUnsigned({ id }: ApprovalRequest, terminal: Terminal): number {
  return refuse("assurance_insufficient", terminal, {
    what: `Not approved: ${id} takes only an answer that is signed by an enrolled key.`,
    why: "This version of wisp cannot sign answers; it can deny.",
    fix: lineToType(terminal, ["approvals", "deny", id]),
  });
}
