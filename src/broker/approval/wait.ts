/**
 * One request and the calls that wait for it, from the first call to what each is told. Invariants: it is filed at
 * most once and settled exactly once; every call that was attached is told exactly once; a call that leaves takes
 * nothing from the others, and the last one takes the request with it, unless it is detached: then the request waits on
 * for the next identical call.
 */

import type { ServerDecision } from "../request/answer.js";
import type { Detach } from "./approver.js";
import { dialogEndedEvent } from "./asking-record.js";
import { type Attached as AttachedCall, Attendance } from "./attendance.js";
import { type Alone, type CallOf, callerCancelled, detachOf, failedBy, type Gone } from "./call.js";
import type { Askable } from "./dialog.js";
import { Notes } from "./journal.js";
import type { HowItWaits, NoticeEnd } from "./notices.js";
import { type Placed, placeRequest } from "./place.js";
import { type Decided, Race } from "./race.js";
import { oneLine, reasonOf, shownFault } from "./reason.js";
import type { AnyAsk, WaitKind } from "./wait-kind.js";
import type { WaitParts, WaitTimes } from "./wait-parts.js";

/** What decided, and what that leaves once it counts. */
interface Decision<Left> {
  readonly decided: Decided;
  readonly left: Left;
  readonly banner: NoticeEnd;
}

/** A request that is decided, for whoever brings it to its end. Times in monotonic milliseconds. */
export interface Conclusion<Ask, Asked extends Askable, Left> extends Decision<Left> {
  readonly placed: Placed<Asked>;
  /** When the first call asked. */
  readonly startedAt: number;
  readonly decidedAt: number;
  /** Those that waited for it, in order of arrival. */
  readonly calls: readonly CallOf<Ask, Asked>[];
}

/** Why a request ends that only the client's dialog could answer. */
const nobodyAsks = "no call is left to show the client's dialog, and nothing else asks";

/** Begins with the first call that is attached. What depends on what is asked is `WaitKind`'s, or a subclass's. */
export abstract class Wait<Ask extends AnyAsk, Asked extends Askable, Told, Left> {
  /** What the first call asked; the others ask the same. */
  readonly ask: Ask;
  /** Calls that may join find it under this. */
  readonly key: string;
  readonly #kind: WaitKind<Ask, Asked, Told>;
  readonly #parts: WaitParts;
  readonly #notes: Notes;
  readonly #calls: Attendance<Ask, Asked, Told>;
  readonly #startedAt: number;
  readonly #times: WaitTimes;
  #ended: Promise<void> | null = null;
  #placed: Placed<Asked> | null = null;
  #race: Race<Asked> | null = null;
  /** In monotonic milliseconds; null for never. */
  #endsAt: number | null = null;
  /** No call is there whose dialog is up: the next one raises its own. */
  #isDialogFree = false;
  /** Dialogs that are with the client, which is expected back with their answers. */
  #dialogsAway = 0;
  /** All who are attached are about to be told. */
  #isOver = false;

  constructor(ask: Ask, key: string, kind: WaitKind<Ask, Asked, Told>, parts: WaitParts) {
    this.ask = ask;
    this.key = key;
    this.#kind = kind;
    this.#parts = parts;
    this.#notes = new Notes(parts.write);
    this.#calls = new Attendance(this.#notes, parts.clock, kind);
    this.#startedAt = parts.clock.monotonic();
    const { timeoutSeconds, unseenAnswerMs } = parts.times;
    this.#times = { timeoutSeconds, unseenAnswerMs };
  }

  /** It can be answered from here on, until `onDecided`. */
  protected abstract onRacing(placed: Placed<Asked>): void;
  /** Returns what the decision leaves once it counts. */
  protected abstract onDecided(placed: Placed<Asked>, decided: Decided): Left;
  /** No call may join it any more. May be called several times. */
  protected abstract onClosed(): void;
  /** How long ago a person was told of the same; null where that is not known, or no news any more. */
  protected abstract toldMsAgo(): number | null;
  /** Why nobody is to be asked any more although callers are there; null where somebody is. */
  protected abstract whyReplaced(): Gone | null;
  /** What a call is told that ends alone while `request` waits on. */
  protected abstract pendingEnd(request: Asked, seconds: number): Told;
  /** Settles it; one for each call, in order. */
  protected abstract conclude(conclusion: Conclusion<Ask, Asked, Left>): Promise<readonly Told[]>;

  /** Resolves with how it ended for `call`, which is identical to all others here and whose caller is there. */
  attach(call: CallOf<Ask, Asked>): Promise<Told> {
    return new Promise((resolve, reject) => {
      const isFirst = this.#ended === null;
      const onAbort = (): void => this.#hearAbort(attached);
      const attached: AttachedCall<Ask, Asked, Told> = { call, isNoted: isFirst, onAbort, resolve, reject };
      this.#calls.add(attached);
      if (isFirst) this.#ended = this.#run(call).catch((error: unknown) => this.#break(error));
      else this.#welcome(attached);
    });
  }

  /** Is there a call that waits for it? */
  get isAttended(): boolean {
    return this.#calls.size > 0;
  }

  /** Does it wait on for a call that is to come, with nobody there whom an answer would reach at once? */
  get isDetached(): boolean {
    return !this.isAttended && this.#dialogsAway === 0;
  }

  /** Null before there is one. */
  get request(): Asked | null {
    return this.#placed?.request ?? null;
  }

  /** How long a person has; null for ever. */
  get timeoutMs(): number | null {
    const { timeoutSeconds } = this.#times;
    return timeoutSeconds === 0 ? null : timeoutSeconds * 1_000;
  }

  /** Its time is over. */
  timeOut(): void {
    this.end("timed_out", `nobody answered within ${this.#times.timeoutSeconds} s`);
  }

  /** Resolves when everything that follows from its end is done. */
  async ended(): Promise<void> {
    await this.#ended;
  }

  /** Something may have happened to the request in the channel. */
  look(): void {
    this.#race?.look();
  }

  /** Claims the slot for the server's own decision; nothing to do while the request is not there yet. */
  end(decision: ServerDecision, note: string): void {
    this.#race?.end(decision, note);
  }

  /** Ends without touching slot or channel: see `Race.leave`. */
  leaveToSweep(note: string): void {
    this.#race?.leave(note);
  }

  async #run(first: CallOf<Ask, Asked>): Promise<void> {
    const kind = this.#kind;
    const { placing } = this.#parts;
    const hasDialog = kind.objection(first.ask, first.dialog) === null;
    const ways = { channel: placing.channel !== null, dialog: hasDialog };
    const fault = await this.#notes.note(kind.requested(first.ask, ways));
    if (fault !== null) return this.#refuse(failedBy(fault));
    const gone = this.#whyGone();
    if (gone !== null) return this.#refuse(gone);

    // All ways are counted before any starts: what cannot be filed is asked by the dialog alone.
    const { ask, dialog } = this.#calls.oldest?.call ?? first;
    const noDialog = kind.objection(ask, dialog);
    let placed: ReturnType<typeof placeRequest<Asked>>;
    try {
      const how = { ...placing, timeoutMs: this.timeoutMs };
      placed = placeRequest((...drafted) => kind.drafted(ask, ...drafted), noDialog, how);
    } catch (error) {
      // Nothing can be asked in this form, and whoever called hears why; the log has an ending for each ask.
      return this.#refuse(failedBy(oneLine(reasonOf(error))), ({ reject }) => reject(error));
    }
    const { request, slot, fault: why } = placed;
    const how = { filed: slot?.isFiled ?? false, why, dialog: noDialog === null, noDialog };
    const delaySeconds = how.dialog ? this.#parts.notices.delaySeconds : 0;
    const bannerDelaySeconds = request === null ? null : delaySeconds;
    this.#notes.note([kind.pending(request, { ...how, bannerDelaySeconds })]);
    if (placed.slot === null) return this.#refuse(failedBy(oneLine(placed.fault)));
    this.#placed = placed;
    this.#calls.filed(placed.request.id);
    const { filed } = how;
    const waits = { filed, dialog: how.dialog, toldMsAgo: this.toldMsAgo() };
    return this.#settle(placed, await this.#decision(placed, ask.client, waits));
  }

  /** Why nothing is to be asked any more. A call of several whose caller left is no longer attached. */
  #whyGone(): Gone | null {
    const { oldest } = this.#calls;
    const gone = oldest === null ? null : this.#parts.whyGone(oldest.call.signal);
    return gone ?? this.whyReplaced();
  }

  /** Ends it for everybody; nobody was asked. */
  async #refuse(ended: Alone, tell?: (attached: AttachedCall<Ask, Asked, Told>) => void): Promise<void> {
    this.#close();
    await this.#calls.noteEnd(ended);
    this.#calls.tellAll(tell ?? (({ call, resolve }) => resolve(this.#calls.endedAlone(call, ended))));
  }

  #decision(placed: Placed<Asked>, client: Ask["client"], waits: HowItWaits): Promise<Decision<Left>> {
    const { dialogUse, placing, clock, notices } = this.#parts;
    const { unseenAnswerMs } = this.#times;
    const { request, slot, fault } = placed;
    return new Promise((resolve) => {
      const race = new Race({
        request,
        slot,
        clock,
        unseenAnswerMs,
        writeAnswer: placing.writeAnswer,
        channelFault: fault,
        onUnusable: (why) => dialogUse.stop(client, why),
        onDialogEnded: (end) => {
          this.#notes.note([dialogEndedEvent(request, end)]);
          // Where only the dialog could ask, it ends with it.
          if (slot.isFiled) notices.dialogEnded(request.id);
        },
        onDecided: (decided) => {
          this.#close();
          const left = this.onDecided(placed, decided);
          const { word, toldMsAgo } = notices.settled(request.id);
          // What ended before anybody was to be told of it leaves to the next what was known before.
          resolve({ decided, left, banner: { word, toldMsAgo: toldMsAgo ?? waits.toldMsAgo } });
        },
      });
      this.#race = race;
      if (this.timeoutMs !== null) this.#endsAt = clock.monotonic() + this.timeoutMs;
      this.onRacing(placed);
      // What came while the request was being filed was heard by nobody.
      const gone = this.#whyGone();
      if (gone !== null) race.end(gone.name, gone.note);
      else notices.waits(request, waits);
      for (const attached of this.#calls.all) this.#welcome(attached);
      const { oldest } = this.#calls;
      race.begin(oldest !== null && this.#calls.canShow(oldest) ? oldest.call.dialog : null);
    });
  }

  /** Tells a call what it waits for: at once, or as soon as there is something. */
  #welcome(attached: AttachedCall<Ask, Asked, Told>): void {
    const { call } = attached;
    if (this.#placed === null || !this.#calls.has(attached)) return;
    const { request, fault } = this.#placed;
    this.#calls.noteJoined(attached);
    if (this.#isOver) return;
    try {
      call.onAsked?.(request, shownFault(fault), this.#endsAt);
    } catch (error) {
      this.#leave(attached, "failed", reasonOf(error));
      return;
    }
    // It may have been detached while nothing was filed yet, or before it came.
    const detach = detachOf(call.signal);
    if (detach === null) this.#stay(attached);
    else this.#detach(attached, detach);
  }

  /** A call that comes to a request that waited without any raises its own dialog. */
  #stay(attached: AttachedCall<Ask, Asked, Told>): void {
    const { dialog } = attached.call;
    this.#tellFaces();
    if (!this.#isDialogFree || dialog === null || !this.#calls.canShow(attached)) return;
    this.#isDialogFree = false;
    this.#race?.raise(dialog);
  }

  #hearAbort(attached: AttachedCall<Ask, Asked, Told>): void {
    const detach = detachOf(attached.call.signal);
    // What is closing ends in its turn, for all who are there; whoever cancelled must be out of that, or they hear its end.
    if (this.#parts.isClosing() && (detach !== null || this.#calls.size === 1)) return;
    if (detach === null) this.#leave(attached, "abandoned", callerCancelled);
    else this.#detach(attached, detach);
  }

  /** One call goes, and the request waits on, also without any. One that is not filed yet is heard when it is. */
  #detach(attached: AttachedCall<Ask, Asked, Told>, { why, away }: Detach): void {
    if (this.#placed === null || !this.#calls.has(attached)) return;
    const { request, slot } = this.#placed;
    const takesDialog = why !== "dialog" && this.#calls.isLastShowing(attached);
    if (takesDialog && !slot.isFiled) {
      this.end("withdrawn", nobodyAsks);
      return;
    }
    // On the wire the dialog is gone before its call is told anything: one client leaves an orphan otherwise.
    const isTaken = takesDialog && this.#race?.withdrawDialog(why) === true;
    const told = this.pendingEnd(request, this.#calls.secondsOf(attached.call));
    this.#calls.dismiss(attached, told, "pending", why);
    this.#isDialogFree ||= takesDialog || !this.isAttended;
    if (isTaken) this.#parts.notices.dialogEnded(request.id);
    if (why === "dialog") this.#expectBack(away);
    this.#tellFaces();
  }

  /** A client whose dialog is up has not stopped waiting, although no call of its is there. */
  #expectBack(away: AbortSignal | null): void {
    if (away?.aborted === true) return;
    this.#dialogsAway += 1;
    const onBack = (): void => {
      this.#dialogsAway -= 1;
      this.#tellFaces();
    };
    away?.addEventListener("abort", onBack, { once: true });
  }

  /** Whether anybody is still there whom an answer would reach at once. */
  #tellFaces(): void {
    if (this.#isOver) return;
    this.#placed?.slot.detached(this.isDetached);
  }

  /** One call goes. The last one ends the request, and is told how that ended. */
  #leave(attached: AttachedCall<Ask, Asked, Told>, name: "abandoned" | "failed", why: string): void {
    if (this.#calls.size === 1) {
      this.onClosed();
      this.end(name, why);
      return;
    }
    const note = oneLine(why);
    this.#calls.dismiss(attached, this.#calls.endedAlone(attached.call, { name, note }), name, note);
  }

  async #settle(placed: Placed<Asked>, decision: Decision<Left>): Promise<void> {
    const decidedAt = this.#parts.clock.monotonic();
    const attached = this.#calls.all;
    await this.#notes.written();
    const { isLeft, note } = decision.decided;
    if (isLeft) {
      const left = { name: "withdrawn", note } as const;
      this.#calls.tellAll(({ call, resolve }) => resolve(this.#calls.endedAlone(call, left)));
      return;
    }
    const calls = attached.map(({ call }) => call);
    const times = { startedAt: this.#startedAt, decidedAt };
    const told = await this.conclude({ ...decision, placed, ...times, calls });
    for (const [index, one] of told.entries()) attached[index]?.resolve(one);
  }

  /** A programmer's error: everybody hears of it, and nobody joins what will never be decided. */
  #break(error: unknown): void {
    this.#close();
    this.#calls.tellAll(({ reject }) => reject(error));
  }

  /** From here on nobody comes or goes: who leaves while it is settled is seen there. */
  #close(): void {
    this.#isOver = true;
    this.onClosed();
    this.#calls.close();
  }
}
