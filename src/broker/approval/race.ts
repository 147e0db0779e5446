/**
 * One wait: all ways of asking against each other, and against time, cancellation and closing. Invariant: whatever
 * comes at the same instant, `onDecided` is called exactly once, with what stands in the slot, and by then a
 * dialog that was still open has been withdrawn. A losing way is never awaited: what it says later is ignored.
 */

import type { Taken } from "../channel/channel.js";
import { type Answer, objectionTo, type ServerDecision } from "../request/answer.js";
import { answerHash } from "../request/binding.js";
import { WispError } from "../request/errors.js";
import { type Outcome, outcomeOf } from "../request/outcome.js";
import type { ApprovalRequest } from "../request/request.js";
import type { Scope } from "../request/scope.js";
import type { DecisionSlot, WriteAnswer } from "./decision-slot.js";
import type { Dialog, DialogAnswer } from "./dialog.js";
import { oneLine, reasonOf, shownFault } from "./reason.js";

/** What may be done to a wait from outside. Once it is decided, nothing here changes anything. */
export interface Race {
  /** Looks into the slot, then raises the dialog. Call once. */
  begin(): void;
  /** Something may have happened to the request in the channel: looks for itself. */
  look(): void;
  /** Claims the slot for the server's own decision. When somebody was first, that answer decides. */
  end(decision: ServerDecision, note: string): void;
  /** Ends as withdrawn without touching slot or channel: the process ends, and a sweep says so to every face. */
  leave(note: string): void;
}

/** One request with every way of answering it, and who hears how it went. */
export interface RaceStart {
  readonly request: ApprovalRequest;
  readonly slot: DecisionSlot;
  readonly dialog: Dialog | null;
  readonly writeAnswer: WriteAnswer;
  /** Why the channel does not ask: told to the dialog, and to the caller where that gave no answer; null while it does. */
  readonly channelFault: string | null;
  readonly onDecided: (decided: Decided) => void;
  /** The dialog gave something that is no answer. */
  readonly onInvalid: (why: string) => void;
}

/** What stood in the slot at the end, and what it means for the one who asked. */
export interface Decided {
  readonly taken: Taken;
  readonly name: Outcome["name"];
  /** The person's words, or why nobody answered. */
  readonly note: string | null;
  readonly dialog: DialogPart;
  /** The request was left to a sweep: there is nothing to settle. */
  readonly isLeft: boolean;
}

/** What became of the dialog's part in a race; `none` when no dialog was raised. */
export type DialogPart = "none" | "open" | "answered" | "withdrawn" | "dismissed" | "invalid" | "failed";

/**
 * Junk may stand in the slot when the dialog's answer is published; each look moves it away. A process that plants
 * it faster than this keeps the request from being approved, never from being refused.
 */
const mostClaims = 4;

/** A race in which nobody runs yet: `begin` starts it. */
export function createRace(start: RaceStart): Race {
  const { request, slot, dialog } = start;
  const withdrawal = new AbortController();
  let part: DialogPart = "none";
  let isDecided = false;
  let isEnding = false;
  /** What the server's own `failed` means: no way could ask, or the only way was dismissed. */
  let failure: "failed" | "not_obtained" = "failed";

  function decide(taken: Taken, isLeft = false): void {
    if (isDecided) return;
    isDecided = true;
    const { answer } = taken;
    const named = outcomeOf(answer);
    // The channel has checked this already; here a yes becomes an effect, so it is checked against memory again.
    const objection = named === "approved" ? objectionTo(answer, request) : null;
    const name = objection !== null ? "failed" : named === "failed" ? failure : named;
    if (part === "open") {
      part = "withdrawn";
      withdrawal.abort(`${name} (${answer.via})`);
    }
    start.onDecided({ taken, name, note: objection ?? answer.note ?? null, dialog: part, isLeft });
  }

  function look(): void {
    if (isDecided) return;
    const news = slot.take();
    if (news === null) return;
    switch (news.kind) {
      case "answer":
        decide(news.taken);
        break;
      case "broken":
        end("failed", news.why);
        break;
      default:
        news satisfies never;
    }
  }

  function end(decision: ServerDecision, note: string): void {
    // Claiming the slot may bring news, an abort or a second ending before it returns.
    if (isDecided || isEnding) return;
    isEnding = true;
    decide(slot.withdraw(decision, oneLine(note)));
  }

  function leave(note: string): void {
    const words = { decision: "withdrawn", via: "server", scope: null, note: oneLine(note) } as const;
    const answer = start.writeAnswer(request, words);
    decide({ answer, hash: answerHash(answer), testimony: null }, true);
  }

  async function raise(dialog: Dialog): Promise<void> {
    part = "open";
    const said = await ask(dialog);
    if (isDecided) return;
    switch (said.kind) {
      case "approve":
        return claim("approve", said.scope);
      case "deny":
        return claim("deny", null);
      case "dismissed":
        return dialogOver("dismissed", "the dialog was dismissed");
      case "invalid":
      case "failed":
        return dialogOver(said.kind, said.why);
      case "unsupported":
        return dialogOver("failed", said.why);
      default:
        said satisfies never;
        return dialogOver("invalid", "the dialog said something unknown");
    }
  }

  async function ask(dialog: Dialog): Promise<DialogAnswer> {
    try {
      return await dialog.ask(request, withdrawal.signal, shownFault(start.channelFault));
    } catch (error) {
      return { kind: "failed", why: reasonOf(error) };
    }
  }

  function dialogOver(how: "dismissed" | "invalid" | "failed", why: string): void {
    part = how;
    if (how === "invalid") start.onInvalid(why);
    if (slot.isFiled) return;
    if (how !== "failed") failure = "not_obtained";
    end("failed", start.channelFault === null ? why : `${start.channelFault}; ${why}`);
  }

  /** Publishes what the person said in the dialog; then what stands in the slot decides. */
  function claim(decision: "approve" | "deny", scope: Scope | null): void {
    const answer = start.writeAnswer(request, { decision, via: "elicitation", scope, note: null });
    const objection = objectionTo(answer, request);
    if (objection !== null) {
      dialogOver("invalid", objection);
      return;
    }
    part = "answered";
    const fault = publish(answer);
    if (isDecided) return;
    // A person's no stands even where it cannot be published: it lets nothing run. A yes does not.
    if (decision === "deny") decide({ answer, hash: answerHash(answer), testimony: null });
    else end("failed", `the dialog's answer could not be published: ${fault}`);
  }

  /** Returns why nothing was decided although `answer` was offered; means nothing once something was. */
  function publish(answer: Answer): string {
    for (let claims = 0; claims < mostClaims; claims += 1) {
      const fault = offer(answer);
      const news = slot.take();
      if (news?.kind === "broken") return news.why;
      if (news?.kind === "answer") {
        decide(news.taken);
        return "";
      }
      if (fault !== null) return fault;
    }
    return "something else stood in the slot each time";
  }

  function offer(answer: Answer): string | null {
    try {
      slot.answer(answer);
      return null;
    } catch (error) {
      if (!(error instanceof WispError)) throw error;
      return reasonOf(error);
    }
  }

  return {
    begin() {
      look();
      if (isDecided || dialog === null) return;
      raise(dialog).catch((error: unknown) => end("failed", reasonOf(error)));
    },
    look,
    end,
    leave,
  };
}
