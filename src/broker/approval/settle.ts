/**
 * From a decision to what each call is told. Invariants: what a person said is on disk before anything follows from
 * it; a yes for `once` reaches one call, the oldest that is still there when the receipt is published, or is kept for the
 * next one before that; a yes that was to be remembered, and cannot be, is one for `once`; a yes that cannot be written down
 * or kept, or whose receipt cannot be published, reaches none.
 */
import { lateEndings } from "../grants/grant-store.js";
import type { Outcome } from "../request/outcome.js";
import { oneLine, reasonOf } from "./reason.js";
import { endedEvents } from "./record.js";
import type { PreparedRule } from "./rules.js";
import { correct, correctEnding, lineOf, wordsOf } from "./settle-record.js";
import type { Settling } from "./settling.js";
import {
  endingOf,
  endings,
  type Hindrance,
  isLeftOver,
  isOtherEnding,
  othersIn,
  outcomeOf,
  type Told,
  unhindered,
  type WiderRule,
} from "./told.js";
import type { Lasting } from "./wider-yes.js";

/** Writes the decision down, keeps what is left over, then publishes the receipt. One outcome for each call, in order. */
export async function settle(settling: Settling): Promise<readonly Outcome[]> {
  const { request, slot, decided, lasting, write } = settling;
  let told = endings(settling, unhindered);
  const written = endingOf(told, decided, unhindered);
  const ended = endedEvents(request.id, decided, written, wordsOf(settling, null));
  const lines = told.map((one) => lineOf(settling, one));
  // What a person said is on disk before anything follows from it; what the server decided lets nothing follow.
  const isPersons = decided.taken.answer.via !== "server";
  const fault = await write([...ended, ...lines], isPersons ? "durable" : "plain");

  let standing = await caughtUp(settling, { told, fault, lost: null });
  const rule = await remembered(settling, standing);
  // Rules that are kept elsewhere take a while, and callers may leave meanwhile.
  if (rule !== null) standing = await caughtUp(settling, { ...standing, lost: rule.lost });
  ({ told } = standing);
  const isKept = standing.fault === null && isLeftOver(told, decided) && !rule?.isLeft;
  let hindrance: Hindrance = standing;
  // The rule is there in the same step as the receipt: what says approved has something behind it.
  if (isKept)
    hindrance = { ...hindrance, fault: isOfSession(lasting) ? leave(lasting) : await keep(settling) };
  if (isKept && hindrance.fault !== null) told = await corrected(settling, told, hindrance);
  const ending = endingOf(told, decided, hindrance);
  // Nothing is awaited where nothing is to be corrected: a caller may leave in any pause.
  if (isOtherEnding(ending, written)) await correctEnding(settling, ending, hindrance);
  try {
    slot.settle(ending);
  } catch (error) {
    hindrance = { ...hindrance, fault: oneLine(reasonOf(error)) };
    if (isKept || rule?.isLeft === true) await takeBack(settling, rule);
    told = await corrected(settling, told, hindrance);
    const unpublished = endingOf(told, decided, hindrance);
    if (isOtherEnding(unpublished, ending)) await correctEnding(settling, unpublished, hindrance);
  }
  await leaveBehind(settling);
  // The yes stands for its call, with a rule or without one: then the next call asks.
  if (isOfSession(lasting) && told.some(({ name }) => name === "approved")) lasting.leave();
  return told.map((one) => outcomeOf(settling, one, rule));
}

/** What was told so far, and what keeps the yes from counting. */
interface Standing extends Hindrance {
  readonly told: readonly Told[];
}

/** Callers may have left meanwhile, and a yes falls to the next one: that is on disk, too, before it counts. */
async function caughtUp(settling: Settling, standing: Standing): Promise<Standing> {
  const { lost } = standing;
  let { told, fault } = standing;
  for (;;) {
    const now = endings(settling, { fault, lost });
    if (othersIn(now, told).length === 0) return { told, fault, lost };
    fault = (await correct(settling, told, now)) ?? fault;
    told = now;
  }
}

/** Leaves it where the yes counts for somebody; null where it does not, and for every other yes. */
async function remembered(
  { lasting, decided }: Settling,
  { told, fault }: Standing,
): Promise<WiderRule | null> {
  const isCounting = told.some(({ name }) => name === "approved") || isLeftOver(told, decided);
  if (lasting?.kind !== "wider" || fault !== null || !isCounting) return null;
  const rule = await lasting.leave();
  const lost = rule.kind === "lost" ? `nothing is remembered: ${rule.why}` : null;
  return { isLeft: rule.kind === "left", lost, rule };
}

/** A yes for once is kept for the next call that is bound to the same. Why it is not, or null. */
function keep({ unspent, bound, request, decided }: Settling): Promise<string | null> {
  return unspent.keep(bound, request, decided.taken);
}

/** A rule stays in memory, and is all that a yes comes to for which no call waits. Why there is none, or null. */
function leave(rule: PreparedRule): string | null {
  const why = rule.leave();
  return why === null ? null : oneLine(`no call waits for it any more, and it leaves no rule: ${why}`);
}

async function takeBack({ lasting, unspent, request }: Settling, rule: WiderRule | null): Promise<void> {
  if (isOfSession(lasting)) lasting.takeBack();
  else if (lasting !== null && rule?.isLeft === true) await lasting.takeBack();
  else await unspent.takeBack(request);
}

function isOfSession(lasting: Lasting): lasting is PreparedRule {
  return lasting?.kind === "session";
}

/** What nobody said no to may be answered late, but for what another call took the place of, and for what still waits. */
async function leaveBehind(settling: Settling): Promise<void> {
  const { leavings, bound, request, decided, isReplaced, isAskedElsewhere } = settling;
  const { toldMsAgo } = settling.banner;
  const how = lateEndings.find((ending) => ending === decided.name);
  if (how === undefined || isReplaced || isAskedElsewhere()) return;
  await leavings.leave({ bound, request, how, toldMsAgo });
}

/** What the calls are told where a yes cannot count any more. */
async function corrected(
  settling: Settling,
  before: readonly Told[],
  hindrance: Hindrance,
): Promise<readonly Told[]> {
  const now = endings(settling, hindrance);
  await correct(settling, before, now);
  return now;
}
