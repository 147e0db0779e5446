/**
 * The calls that wait for one request, in order of arrival. Invariant: each is told once, and what it is told is in the
 * log before.
 */
import type { AuditEvent } from "../audit/audit-log.js";
import type { Outcome } from "../request/outcome.js";
import type { Clock } from "../system/clock.js";
import { type Call, type Ended, endedAlone, secondsBetween } from "./call.js";
import type { DialogUse } from "./dialog-use.js";
import type { Notes } from "./journal.js";
import { decidedEvent, joinedEvents } from "./record.js";

/** A call, and how it is told. */
export interface Attached {
  readonly call: Call;
  /** The log knows that it came. */
  isNoted: boolean;
  readonly onAbort: () => void;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Empty before the first call, and while the request waits without any. */
export class Attendance {
  readonly #attached = new Set<Attached>();
  readonly #notes: Notes;
  readonly #clock: Clock;
  readonly #dialogs: DialogUse;
  /** The request they wait for, once there is one. */
  #request: string | null = null;

  constructor(notes: Notes, { clock, dialogs }: { readonly clock: Clock; readonly dialogs: DialogUse }) {
    this.#notes = notes;
    this.#clock = clock;
    this.#dialogs = dialogs;
  }

  get size(): number {
    return this.#attached.size;
  }

  get oldest(): Attached | null {
    const [oldest = null] = this.#attached;
    return oldest;
  }

  /** As they are now. */
  get all(): readonly Attached[] {
    return [...this.#attached];
  }

  has(attached: Attached): boolean {
    return this.#attached.has(attached);
  }

  /** It may be told by itself from here on. */
  add(attached: Attached): void {
    this.#attached.add(attached);
    attached.call.signal.addEventListener("abort", attached.onAbort);
  }

  filed(request: string): void {
    this.#request = request;
  }

  /** The log hears that a call came, once. */
  noteJoined(attached: Attached): void {
    if (!attached.isNoted) this.#notes.note(joinedEvents(attached.call.ask, this.#request));
    attached.isNoted = true;
  }

  /** Could its client's dialog be raised? */
  canShow({ call: { ask, dialog } }: Attached): boolean {
    return this.#dialogs.objection(ask, dialog) === null;
  }

  /** Is it the only one whose client's dialog could be raised? */
  isLastShowing(attached: Attached): boolean {
    return this.canShow(attached) && !this.all.some((one) => one !== attached && this.canShow(one));
  }

  /** It goes alone. `why` stands in the log. */
  dismiss(attached: Attached, outcome: Outcome, why: string): void {
    this.#attached.delete(attached);
    this.#stopListening(attached);
    const lines = this.#endLines(attached, { name: outcome.name, note: why });
    this.#notes.note(lines).then(() => attached.resolve(outcome));
  }

  /** Nobody comes or goes from here on, and nobody is told by itself. */
  close(): void {
    for (const attached of this.#attached) this.#stopListening(attached);
  }

  /** That it ended so is in the log for each of them when this resolves. */
  async noteEnd(ended: Ended): Promise<void> {
    await this.#notes.note(this.all.flatMap((one) => this.#endLines(one, ended)));
  }

  tellAll(tell: (attached: Attached) => void): void {
    for (const attached of this.#attached) tell(attached);
  }

  /** How it ended for a call to which nobody said yes or no. */
  endedAlone(call: Call, ended: Ended): Outcome {
    return endedAlone(ended, { request: this.#request, seconds: this.secondsOf(call) });
  }

  /** Since it asked. */
  secondsOf({ startedAt }: Call): number {
    return secondsBetween(startedAt, this.#clock.monotonic());
  }

  #stopListening({ call, onAbort }: Attached): void {
    call.signal.removeEventListener("abort", onAbort);
  }

  #endLines({ call, isNoted }: Attached, { name, note }: Ended): readonly AuditEvent[] {
    const how = { why: note, seconds: this.secondsOf(call) };
    const decided = decidedEvent(call.ask, this.#request, name, how);
    return isNoted ? [decided] : [...joinedEvents(call.ask, this.#request), decided];
  }
}
