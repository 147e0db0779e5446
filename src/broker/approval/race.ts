/**
 * One wait: all ways of asking against each other, and against time, cancellation and closing. Invariant: whatever
 * comes at the same instant, `onDecided` is called exactly once, with what stands in the slot, and by then a
 * dialog that was still open has been withdrawn. A losing way is never awaited: what it says later is ignored, and so is
 * what a dialog says that was withdrawn before.
 */

import type { Taken } from "../channel/channel.js";
import { type Answer, isNo, objectionTo, type ServerDecision } from "../request/answer.js";
import { answerHash } from "../request/binding.js";
import { expectWispError } from "../request/errors.js";
import { type EndingName, outcomeOf } from "../request/outcome.js";
import type { ApprovalRequest } from "../request/request.js";
import type { Scope } from "../request/scope.js";
import type { Clock } from "../system/clock.js";
import { secondsBetween } from "./call.js";
import type { DecisionSlot, WriteAnswer } from "./decision-slot.js";
import type { Askable, Dialog, DialogAnswer, QuestionContent } from "./dialog.js";
import type { Unusable } from "./dialog-use.js";
import { oneLine, reasonOf, shownFault } from "./reason.js";

/** One request with every way of answering it, and who hears how it went. */
export interface RaceStart<Asked extends Askable = ApprovalRequest> {
  readonly request: Asked;
  readonly slot: DecisionSlot;
  readonly writeAnswer: WriteAnswer;
  readonly clock: Clock;
  /** An answer of the dialog that comes sooner than this was read by nobody; 0 believes every answer. */
  readonly unseenAnswerMs: number;
  /** Why the channel does not ask: told to the dialog, and to the caller where that gave no answer; null while it does. */
  readonly channelFault: string | null;
  readonly onDecided: (decided: Decided) => void;
  /** The dialog's part is over, and it decided nothing. */
  readonly onDialogEnded: (end: DialogEnd) => void;
  /** The dialog is not to be raised again. */
  readonly onUnusable: (why: Unusable) => void;
}

/** How a dialog's part ended that decided nothing; `declined` when nobody can have read what was declined. */
export interface DialogEnd {
  readonly how: "dismissed" | "invalid" | "failed" | "unsupported" | "declined";
  /** From raising the dialog, to the millisecond. */
  readonly seconds: number;
  /** It came sooner than anybody reads. */
  readonly isUnseen: boolean;
  /** What the caller is told where the dialog was the only way; not yet safe to show. */
  readonly why: string;
}

/** What stood in the slot at the end, and what it means for the one who asked. */
export interface Decided {
  readonly taken: Taken;
  readonly name: EndingName;
  /** The person's words, or why nobody answered. */
  readonly note: string | null;
  readonly dialog: DialogPart;
  /** When the dialog decided: how soon after it was raised. Null for every other decision. */
  readonly reading: Reading | null;
  /** The request was left to a sweep: there is nothing to settle. */
  readonly isLeft: boolean;
}

/** How long a dialog was there before it was answered, in milliseconds. */
export interface Reading {
  readonly ms: number;
  /** Sooner than anybody reads. */
  readonly isUnseen: boolean;
}

/** What became of the dialog's part in a race; `none` when no dialog was raised. */
export type DialogPart = "none" | "open" | "answered" | "withdrawn" | DialogEnd["how"];

/**
 * Junk may stand in the slot when the dialog's answer is published; each look moves it away. A process that plants
 * it faster than this keeps the request from being approved, never from being refused.
 */
const mostClaims = 4;

/** Nobody runs yet: `begin` starts it. Once it is decided, nothing here changes anything. */
export class Race<Asked extends Askable = ApprovalRequest> {
  readonly #start: RaceStart<Asked>;
  /** Only where a dialog is raised: thousands may wait without one, and this is large. */
  #withdrawal: AbortController | null = null;
  /** The one that was raised last. */
  #dialog: Dialog<Asked> | null = null;
  #part: DialogPart = "none";
  #isDecided = false;
  #isEnding = false;
  /** What the server's own `failed` means: no way could ask, or the only way was dismissed. */
  #failure: "failed" | "not_obtained" = "failed";
  #reading: Reading | null = null;

  constructor(start: RaceStart<Asked>) {
    this.#start = start;
  }

  /** Looks into the slot, then raises the dialog. Call once. */
  begin(dialog: Dialog<Asked> | null): void {
    this.look();
    if (dialog !== null) this.raise(dialog);
  }

  /** Raises `dialog`, in place of another that is up. */
  raise(dialog: Dialog<Asked>): void {
    if (this.#isDecided || (this.#part === "open" && this.#dialog === dialog)) return;
    this.withdrawDialog("another call shows it");
    this.#dialog = dialog;
    this.#show(dialog).catch((error: unknown) => this.end("failed", reasonOf(error)));
  }

  /** Takes down a dialog that is up, on the wire before this returns. True where one was. */
  withdrawDialog(why: string): boolean {
    if (this.#part !== "open") return false;
    this.#part = "withdrawn";
    this.#withdrawal?.abort(why);
    return true;
  }

  /** Something may have happened to the request in the channel: looks for itself. */
  look(): void {
    if (this.#isDecided) return;
    const news = this.#start.slot.take();
    if (news === null) return;
    switch (news.kind) {
      case "answer":
        this.#decide(news.taken);
        break;
      case "broken":
        this.end("failed", news.why);
        break;
      default:
        news satisfies never;
    }
  }

  /** Claims the slot for the server's own decision. When somebody was first, that answer decides. */
  end(decision: ServerDecision, note: string): void {
    // Claiming the slot may bring news, an abort or a second ending before it returns.
    if (this.#isDecided || this.#isEnding) return;
    this.#isEnding = true;
    this.#decide(this.#start.slot.withdraw(decision, oneLine(note)));
  }

  /** Ends as withdrawn without touching slot or channel: the process ends, and a sweep says so to every face. */
  leave(note: string): void {
    const words = { decision: "withdrawn", via: "server", scope: null, note: oneLine(note) } as const;
    const answer = this.#start.writeAnswer(this.#start.request, words);
    this.#decide({ answer, hash: answerHash(answer), testimony: null }, true);
  }

  get #no(): Said {
    return { decision: this.#start.request.kind === "question" ? "decline" : "deny", scope: null };
  }

  #decide(taken: Taken, isLeft = false): void {
    if (this.#isDecided) return;
    this.#isDecided = true;
    const { answer } = taken;
    const named = outcomeOf(answer);
    // The channel has checked this already; here a yes becomes an effect, so it is checked against memory again.
    const objection = named === "approved" ? objectionTo(answer, this.#start.request) : null;
    const name = objection !== null ? "failed" : named === "failed" ? this.#failure : named;
    this.withdrawDialog(`${name} (${answer.via})`);
    const note = objection ?? answer.note ?? null;
    const reading = answer.via === "elicitation" ? this.#reading : null;
    this.#start.onDecided({ taken, name, note, dialog: this.#part, reading, isLeft });
  }

  async #show(dialog: Dialog<Asked>): Promise<void> {
    const { clock } = this.#start;
    this.#part = "open";
    this.#withdrawal = new AbortController();
    const { signal } = this.#withdrawal;
    const raisedAt = clock.monotonic();
    const said = await this.#ask(dialog, signal);
    // Of several only the one that is up is heard.
    if (this.#isDecided || signal.aborted) return;
    this.#hear(said, dialog, said.shownForMs ?? clock.monotonic() - raisedAt);
  }

  async #ask(dialog: Dialog<Asked>, signal: AbortSignal): Promise<DialogAnswer> {
    const { request, channelFault } = this.#start;
    try {
      return await dialog.ask(request, signal, shownFault(channelFault));
    } catch (error) {
      return { kind: "failed", why: reasonOf(error) };
    }
  }

  #hear(said: DialogAnswer, dialog: Dialog<Asked>, ms: number): void {
    // What could not be shown was answered by nobody; for everything else a reader takes longer than this.
    const isAnswer = said.kind !== "failed" && said.kind !== "unsupported";
    const isUnseen = isAnswer && ms < this.#start.unseenAnswerMs;
    const reading = { ms, isUnseen };
    this.#reading = reading;
    if (said.kind === "unsupported") this.#start.onUnusable("unsupported");
    else if (isUnseen) this.#start.onUnusable("unseen");
    switch (said.kind) {
      case "approve":
        this.#claim({ decision: "approve", scope: said.scope }, reading);
        break;
      case "deny":
        this.#claim(this.#no, reading);
        break;
      case "answer":
        // Nothing runs after it that a person could take back: what nobody can have read answers nothing.
        if (isUnseen)
          this.#over("invalid", `the dialog was answered after ${Math.round(ms)} ms, unread`, reading);
        else this.#claim({ decision: "answer", scope: null, content: contentOf(said) }, reading);
        break;
      case "decline":
        if (isUnseen && dialog.unseenDecline === "cancel") {
          this.#over("declined", `the dialog was declined after ${Math.round(ms)} ms, unread`, reading);
        } else this.#claim(this.#no, reading);
        break;
      case "dismissed":
        this.#over("dismissed", "the dialog was dismissed", reading);
        break;
      case "invalid":
      case "failed":
      case "unsupported":
        this.#over(said.kind, said.why, reading);
        break;
      default:
        said satisfies never;
        this.#over("invalid", "the dialog said something unknown", reading);
    }
  }

  /** The dialog's way is over, and it decided nothing. */
  #over(how: DialogEnd["how"], why: string, { ms, isUnseen }: Reading): void {
    const { slot, channelFault } = this.#start;
    this.#part = how;
    this.#start.onDialogEnded({ how, why, isUnseen, seconds: secondsBetween(0, ms) });
    if (slot.isFiled) return;
    // Nobody said no where a dialog was dismissed; where it could not even be shown, asking failed.
    if (how !== "failed" && how !== "unsupported") this.#failure = "not_obtained";
    this.end("failed", channelFault === null ? why : `${channelFault}; ${why}`);
  }

  /** Publishes what the person said in the dialog; then what stands in the slot decides. */
  #claim(said: Said, reading: Reading): void {
    const { request, writeAnswer } = this.#start;
    const answer = writeAnswer(request, { ...said, via: "elicitation", note: null });
    const objection = objectionTo(answer, request);
    if (objection !== null) {
      this.#over("invalid", objection, reading);
      return;
    }
    this.#part = "answered";
    const fault = this.#publish(answer);
    if (this.#isDecided) return;
    // A person's no stands even where it cannot be published: it lets nothing run. A yes does not.
    if (isNo(said.decision)) this.#decide({ answer, hash: answerHash(answer), testimony: null });
    else this.end("failed", `the dialog's answer could not be published: ${fault}`);
  }

  /** Returns why nothing was decided although `answer` was offered; means nothing once something was. */
  #publish(answer: Answer): string {
    const { slot } = this.#start;
    for (let claims = 0; claims < mostClaims; claims += 1) {
      const fault = offer(slot, answer);
      const news = slot.take();
      if (news?.kind === "broken") return news.why;
      if (news?.kind === "answer") {
        this.#decide(news.taken);
        return "";
      }
      if (fault !== null) return fault;
    }
    return "something else stood in the slot each time";
  }
}

/** What a person said in the dialog, in the words of an answer. */
interface Said {
  readonly decision: "approve" | "deny" | "answer" | "decline";
  readonly scope: Scope | null;
  readonly content?: QuestionContent;
}

function contentOf({ values, text }: QuestionContent): QuestionContent {
  return values === null ? { values, text } : { values, text: null };
}

function offer(slot: DecisionSlot, answer: Answer): string | null {
  try {
    slot.answer(answer);
    return null;
  } catch (error) {
    return reasonOf(expectWispError(error));
  }
}
