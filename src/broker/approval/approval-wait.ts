/** The life of one approval: beside what all requests share, what a yes is bound to, leaves behind, and gives way to. */
import type { Bound } from "../grants/grant-store.js";
import type { Likeness } from "../request/likeness.js";
import type { Outcome } from "../request/outcome.js";
import type { ApprovalRequest } from "../request/request.js";
import type { Ask } from "./approver.js";
import { boundOf } from "./bound.js";
import { endedPending, type Gone } from "./call.js";
import type { Leavings } from "./leavings.js";
import type { Placed } from "./place.js";
import type { Decided } from "./race.js";
import { settle } from "./settle.js";
import type { Unspent } from "./unspent.js";
import { type Conclusion, Wait } from "./wait.js";
import type { WaitKind } from "./wait-kind.js";
import type { WaitParts } from "./wait-parts.js";
import type { Lasting } from "./wider-yes.js";

/** What the waits of one approver leave behind, and who hears how far each has come. */
export interface ApprovalWaitParts extends WaitParts {
  readonly unspent: Pick<Unspent, "keep" | "takeBack">;
  readonly leavings: Leavings;
  /** The id of the run of a call. */
  readonly runOf: (call: object) => string;
  /** Does another wait for the same, as from another thread? */
  readonly isAskedElsewhere: (wait: ApprovalWait) => boolean;
  /** `Wait` says when each of these is called, and that `onClosed` may be several times. */
  readonly onRacing: (wait: ApprovalWait, placed: Placed<ApprovalRequest>) => void;
  readonly onDecided: (wait: ApprovalWait, placed: Placed<ApprovalRequest>, decided: Decided) => Lasting;
  readonly onClosed: (wait: ApprovalWait) => void;
}

type ApprovalKind = WaitKind<Ask, ApprovalRequest, Outcome>;

const superseded: Gone = { name: "withdrawn", note: "superseded by a newer call" };
const needless: Gone = { name: "withdrawn", note: "a rule lets this call run now, without an answer" };

/** What a yes leaves beyond its calls is what its decision prepares. */
export class ApprovalWait extends Wait<Ask, ApprovalRequest, Outcome, Lasting> {
  readonly likeness: Likeness;
  readonly #parts: ApprovalWaitParts;
  /** Why no call comes back to it. */
  #replaced: Gone | null = null;

  constructor(ask: Ask, likeness: Likeness, key: string, kind: ApprovalKind, parts: ApprovalWaitParts) {
    super(ask, key, kind, parts);
    this.likeness = likeness;
    this.#parts = parts;
  }

  /** What a yes to it is bound to. */
  get bound(): Bound {
    return boundOf(this.ask, this.likeness);
  }

  /** Another takes its place for calls that may join, because what it would be done to has changed. */
  supersede(): void {
    this.#replace(superseded);
  }

  /** The same call runs without an answer to it, and no call waits for one. */
  becomeNeedless(): void {
    this.#replace(needless);
  }

  protected onRacing(placed: Placed<ApprovalRequest>): void {
    this.#parts.onRacing(this, placed);
  }

  protected onDecided(placed: Placed<ApprovalRequest>, decided: Decided): Lasting {
    return this.#parts.onDecided(this, placed, decided);
  }

  protected onClosed(): void {
    this.#parts.onClosed(this);
  }

  protected toldMsAgo(): number | null {
    return this.#parts.leavings.succeed(this.bound);
  }

  protected whyReplaced(): Gone | null {
    return this.#replaced;
  }

  protected pendingEnd(request: ApprovalRequest, seconds: number): Outcome {
    return endedPending(request, this.likeness, seconds);
  }

  protected conclude({
    placed: { request, slot },
    left: lasting,
    ...conclusion
  }: Conclusion<Ask, ApprovalRequest, Lasting>): Promise<readonly Outcome[]> {
    return settle({
      ...this.#parts,
      ...conclusion,
      request,
      slot,
      lasting,
      bound: this.bound,
      likeness: this.likeness,
      isReplaced: this.#replaced !== null,
      isAskedElsewhere: () => this.#parts.isAskedElsewhere(this),
    });
  }

  #replace(because: Gone): void {
    this.#replaced = because;
    this.end(because.name, because.note);
  }
}
