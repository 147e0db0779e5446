/**
 * The calls that wait for one request, in order of arrival. Invariant: each is told once, and what it is told is in the
 * log before.
 */
import type { AuditEvent } from "../audit/audit-log.js";
import type { Clock } from "../system/clock.js";
import { type Alone, type CallOf, secondsBetween } from "./call.js";
import type { Askable } from "./dialog.js";
import type { Notes } from "./journal.js";
import type { AnyAsk, EndedAlone, WaitKind } from "./wait-kind.js";

/** A call, and how it is told. */
export interface Attached<Ask, Asked extends Askable, Told> {
  readonly call: CallOf<Ask, Asked>;
  /** The log knows that it came. */
  isNoted: boolean;
  readonly onAbort: () => void;
  readonly resolve: (told: Told) => void;
  readonly reject: (error: unknown) => void;
}

/** Empty before the first call, and while the request waits without any. */
export class Attendance<Ask extends AnyAsk, Asked extends Askable, Told> {
  readonly #attached = new Set<Attached<Ask, Asked, Told>>();
  readonly #notes: Notes;
  readonly #clock: Clock;
  readonly #kind: WaitKind<Ask, Asked, Told>;
  /** The request they wait for, once there is one. */
  #request: string | null = null;

  constructor(notes: Notes, clock: Clock, kind: WaitKind<Ask, Asked, Told>) {
    this.#notes = notes;
    this.#clock = clock;
    this.#kind = kind;
  }

  get size(): number {
    return this.#attached.size;
  }

  get oldest(): Attached<Ask, Asked, Told> | null {
    const [oldest = null] = this.#attached;
    return oldest;
  }

  /** As they are now. */
  get all(): readonly Attached<Ask, Asked, Told>[] {
    return [...this.#attached];
  }

  has(attached: Attached<Ask, Asked, Told>): boolean {
    return this.#attached.has(attached);
  }

  /** It may be told by itself from here on. */
  add(attached: Attached<Ask, Asked, Told>): void {
    this.#attached.add(attached);
    attached.call.signal.addEventListener("abort", attached.onAbort);
  }

  filed(request: string): void {
    this.#request = request;
  }

  /** The log hears that a call came, once. */
  noteJoined(attached: Attached<Ask, Asked, Told>): void {
    if (!attached.isNoted) this.#notes.note(this.#kind.joined(attached.call.ask, this.#request));
    attached.isNoted = true;
  }

  /** Could its client's dialog be raised? */
  canShow({ call: { ask, dialog } }: Attached<Ask, Asked, Told>): boolean {
    return this.#kind.objection(ask, dialog) === null;
  }

  /** Is it the only one whose client's dialog could be raised? */
  isLastShowing(attached: Attached<Ask, Asked, Told>): boolean {
    return this.canShow(attached) && !this.all.some((one) => one !== attached && this.canShow(one));
  }

  /** It goes alone. `name` and `why` stand in the log. */
  dismiss(attached: Attached<Ask, Asked, Told>, told: Told, name: EndedAlone["name"], why: string): void {
    this.#attached.delete(attached);
    this.#stopListening(attached);
    const lines = this.#endLines(attached, name, why);
    this.#notes.note(lines).then(() => attached.resolve(told));
  }

  /** Nobody comes or goes from here on, and nobody is told by itself. */
  close(): void {
    for (const attached of this.#attached) this.#stopListening(attached);
  }

  /** That it ended so is in the log for each of them when this resolves. */
  async noteEnd({ name, note }: Alone): Promise<void> {
    await this.#notes.note(this.all.flatMap((one) => this.#endLines(one, name, note)));
  }

  tellAll(tell: (attached: Attached<Ask, Asked, Told>) => void): void {
    for (const attached of this.#attached) tell(attached);
  }

  /** How it ended for a call to which nobody said anything. */
  endedAlone(call: CallOf<Ask, Asked>, alone: Alone): Told {
    return this.#kind.told(alone, { request: this.#request, seconds: this.secondsOf(call) });
  }

  /** Since it asked. */
  secondsOf({ startedAt }: CallOf<Ask, Asked>): number {
    return secondsBetween(startedAt, this.#clock.monotonic());
  }

  #stopListening({ call, onAbort }: Attached<Ask, Asked, Told>): void {
    call.signal.removeEventListener("abort", onAbort);
  }

  #endLines(
    { call, isNoted }: Attached<Ask, Asked, Told>,
    name: EndedAlone["name"],
    why: string | null,
  ): readonly AuditEvent[] {
    const { ask } = call;
    const ended = this.#kind.ended(ask, this.#request, { name, why, seconds: this.secondsOf(call) });
    return isNoted ? ended : [...this.#kind.joined(ask, this.#request), ...ended];
  }
}
