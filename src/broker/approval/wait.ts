/**
 * One request and the calls that wait for it, from the first call to what each is told. Invariants: it is filed at
 * most once and settled exactly once; every call that was attached is told exactly once; a call that leaves takes
 * nothing from the others, and the last one takes the request with it.
 */
import type { AuditEvent } from "../audit/audit-log.js";
import type { ServerDecision } from "../request/answer.js";
import type { Likeness } from "../request/likeness.js";
import type { Outcome } from "../request/outcome.js";
import type { Clock } from "../system/clock.js";
import type { Ask } from "./approver.js";
import {
  type Call,
  callerCancelled,
  type Ended,
  endedAlone,
  failedBy,
  type Gone,
  secondsBetween,
} from "./call.js";
import type { Dialog } from "./dialog.js";
import type { DialogUse } from "./dialog-use.js";
import type { Write } from "./journal.js";
import { type Placed, type PlaceOptions, placeRequest } from "./place.js";
import { type Decided, Race } from "./race.js";
import { oneLine, reasonOf, shownFault } from "./reason.js";
import { decidedEvent, dialogEndedEvent, joinedEvents, pendingEvent, requestedEvents } from "./record.js";
import { settle } from "./settle.js";

/** What all waits of an approver share, and who hears how far each has come. */
export interface WaitParts {
  readonly write: Write;
  readonly clock: Clock;
  readonly placing: PlaceOptions;
  readonly dialogs: DialogUse;
  /** In `RaceStart` it says what this is. */
  readonly unseenAnswerMs: number;
  readonly whyGone: (signal: AbortSignal) => Gone | null;
  /** It can be answered from here on, until `onDecided`. */
  readonly onRacing: (wait: Wait, placed: Placed) => void;
  /** What is returned is called once a caller got the yes that decided. */
  readonly onDecided: (wait: Wait, placed: Placed, decided: Decided) => (() => void) | null;
  /** No call may join it any more. May be called several times. */
  readonly onClosed: (wait: Wait) => void;
}

/** A call, and how it is told. */
interface Attached {
  readonly call: Call;
  /** The log knows that it came. */
  isNoted: boolean;
  readonly onAbort: () => void;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** What decided, and what is to be done once a caller got that. */
interface Settled {
  readonly decided: Decided;
  readonly onGiven: (() => void) | null;
}

const superseded: Gone = { name: "withdrawn", note: "superseded by a newer call" };

/** Begins with the first call that is attached. */
export class Wait {
  readonly likeness: Likeness;
  /** Calls that may join find it under this. */
  readonly key: string;
  readonly #parts: WaitParts;
  /** In order of arrival; empty only before the first. */
  readonly #attached = new Set<Attached>();
  readonly #startedAt: number;
  #placed: Placed | null = null;
  #race: Race | null = null;
  /** What the log was last told; what follows waits for it. */
  #noted: Promise<string | null> | null = null;
  #isSuperseded = false;
  /** All who are attached are about to be told. */
  #isOver = false;

  constructor(likeness: Likeness, key: string, parts: WaitParts) {
    this.likeness = likeness;
    this.key = key;
    this.#parts = parts;
    this.#startedAt = parts.clock.monotonic();
  }

  /** Resolves with how it ended for `call`, which is identical to all others here and whose caller is there. */
  attach(call: Call): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const isFirst = this.#attached.size === 0;
      const onAbort = (): void => this.#leave(attached, "abandoned", callerCancelled);
      const attached: Attached = { call, isNoted: isFirst, onAbort, resolve, reject };
      this.#attached.add(attached);
      call.signal.addEventListener("abort", onAbort);
      if (isFirst) this.#run(call).catch((error: unknown) => this.#break(error));
      else this.#welcome(attached);
    });
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

  /** Another takes its place for calls that may join, because what it would be done to has changed. */
  supersede(): void {
    this.#isSuperseded = true;
    this.end(superseded.name, superseded.note);
  }

  async #run(first: Call): Promise<void> {
    const { placing, dialogs } = this.#parts;
    const hasDialog = dialogs.objection(first.ask, first.dialog) === null;
    const ways = { channel: placing.channel !== null, dialog: hasDialog };
    const fault = await this.#note(requestedEvents(first.ask, ways));
    if (fault !== null) return this.#refuse(failedBy(fault));
    const gone = this.#whyGone();
    if (gone !== null) return this.#refuse(gone);

    // All ways are counted before any starts: what cannot be filed is asked by the dialog alone.
    const { ask, dialog } = this.#oldest()?.call ?? first;
    const noDialog = dialogs.objection(ask, dialog);
    let placed: ReturnType<typeof placeRequest>;
    try {
      placed = placeRequest(ask, noDialog, placing);
    } catch (error) {
      // Nothing can be asked in this form, and whoever called hears why; the log has an ending for each ask.
      return this.#refuse(failedBy(oneLine(reasonOf(error))), ({ reject }) => reject(error));
    }
    const { request, slot, fault: why } = placed;
    const how = { filed: slot?.isFiled ?? false, why, dialog: noDialog === null, noDialog };
    this.#note([pendingEvent(request, how)]);
    if (request === null) return this.#refuse(failedBy(oneLine(why)));
    this.#placed = placed;
    return this.#settle(placed, await this.#decision(placed, noDialog === null ? dialog : null, ask.client));
  }

  /** Why nothing is to be asked any more. A call of several whose caller left is no longer attached. */
  #whyGone(): Gone | null {
    const oldest = this.#oldest();
    const gone = oldest === undefined ? null : this.#parts.whyGone(oldest.call.signal);
    return gone ?? (this.#isSuperseded ? superseded : null);
  }

  #oldest(): Attached | undefined {
    const [oldest] = this.#attached;
    return oldest;
  }

  /** Ends it for everybody; nobody was asked. */
  async #refuse(ended: Ended, tell?: (attached: Attached) => void): Promise<void> {
    this.#close();
    const lines = [...this.#attached].flatMap((one) => this.#endLines(one, ended));
    await this.#note(lines);
    this.#tellAll(tell ?? (({ call, resolve }) => resolve(this.#endedAlone(call, ended))));
  }

  #decision(placed: Placed, dialog: Dialog | null, client: Ask["client"]): Promise<Settled> {
    const { dialogs, placing, clock, unseenAnswerMs, onRacing, onDecided } = this.#parts;
    const { request, slot, fault } = placed;
    return new Promise((resolve) => {
      const race = new Race({
        request,
        slot,
        dialog,
        clock,
        unseenAnswerMs,
        writeAnswer: placing.writeAnswer,
        channelFault: fault,
        onUnusable: (why) => dialogs.stop(client, why),
        onDialogEnded: (end) => void this.#note([dialogEndedEvent(request, end)]),
        onDecided: (decided) => {
          this.#close();
          resolve({ decided, onGiven: onDecided(this, placed, decided) });
        },
      });
      this.#race = race;
      onRacing(this, placed);
      // What came while the request was being filed was heard by nobody.
      const gone = this.#whyGone();
      if (gone !== null) race.end(gone.name, gone.note);
      for (const attached of [...this.#attached]) this.#welcome(attached);
      race.begin();
    });
  }

  /** Tells a call what it waits for: at once, or as soon as there is something. */
  #welcome(attached: Attached): void {
    const { call } = attached;
    if (this.#placed === null || !this.#attached.has(attached)) return;
    const { request, fault } = this.#placed;
    if (!attached.isNoted) this.#note(joinedEvents(call.ask, request.id));
    attached.isNoted = true;
    if (this.#isOver) return;
    try {
      call.onAsked?.(request, shownFault(fault));
    } catch (error) {
      this.#leave(attached, "failed", reasonOf(error));
    }
  }

  /** One call goes. The last one ends the request, and is told how that ended. */
  #leave(attached: Attached, name: "abandoned" | "failed", why: string): void {
    if (this.#attached.size === 1) {
      this.#parts.onClosed(this);
      this.end(name, why);
      return;
    }
    this.#attached.delete(attached);
    attached.call.signal.removeEventListener("abort", attached.onAbort);
    const ended = { name, note: oneLine(why) };
    const outcome = this.#endedAlone(attached.call, ended);
    this.#note(this.#endLines(attached, ended)).then(() => attached.resolve(outcome));
  }

  async #settle({ request, slot }: Placed, { decided, onGiven }: Settled): Promise<void> {
    const { write, whyGone, clock } = this.#parts;
    const decidedAt = clock.monotonic();
    const attached = [...this.#attached];
    const calls = attached.map(({ call }) => call);
    await this.#noted;
    if (decided.isLeft) return this.#tellAll(({ call, resolve }) => resolve(this.#endedAlone(call, decided)));
    const times = { startedAt: this.#startedAt, decidedAt };
    const outcomes = await settle({ request, slot, decided, ...times, calls, write, whyGone });
    if (outcomes.some(({ name }) => name === "approved")) onGiven?.();
    for (const [index, outcome] of outcomes.entries()) attached[index]?.resolve(outcome);
  }

  /** A programmer's error: everybody hears of it, and nobody joins what will never be decided. */
  #break(error: unknown): void {
    this.#close();
    this.#tellAll(({ reject }) => reject(error));
  }

  /** From here on nobody comes or goes: who leaves while it is settled is seen there. */
  #close(): void {
    this.#isOver = true;
    this.#parts.onClosed(this);
    for (const { call, onAbort } of this.#attached) call.signal.removeEventListener("abort", onAbort);
  }

  #tellAll(tell: (attached: Attached) => void): void {
    for (const attached of this.#attached) tell(attached);
  }

  /** How it ended for a call to which nobody said yes or no. */
  #endedAlone(call: Call, ended: Ended): Outcome {
    return endedAlone(ended, { request: this.#placed?.request.id ?? null, seconds: this.#secondsOf(call) });
  }

  #endLines({ call, isNoted }: Attached, { name, note }: Ended): readonly AuditEvent[] {
    const id = this.#placed?.request.id ?? null;
    const decided = decidedEvent(call.ask, id, name, { why: note, seconds: this.#secondsOf(call) });
    return isNoted ? [decided] : [...joinedEvents(call.ask, id), decided];
  }

  #secondsOf({ startedAt }: Call): number {
    return secondsBetween(startedAt, this.#parts.clock.monotonic());
  }

  /** In order, and nothing depends on it: a log that cannot be written stops the yes. */
  #note(events: readonly AuditEvent[]): Promise<string | null> {
    const noting = (): Promise<string | null> => this.#parts.write(events, "plain");
    this.#noted = this.#noted === null ? noting() : this.#noted.then(noting);
    return this.#noted;
  }
}
