/**
 * The client's own dialog in the 2026 era. The server cannot push it: the form goes out as the result of one leg of the
 * call, and its answer comes in with the next one. Nothing withdraws a form that went out, so an answer counts only
 * while its request waits.
 */
import type { Askable, ClientFacts, Clock, Dialog, DialogAnswer } from "../../broker/index.js";
import type { Asking } from "./asking.js";
import type { DialogKind, Form } from "./elicitation.js";
import { elsewhereOf } from "./elsewhere.js";
import type { Holds } from "./hold.js";

/** The forms of one connection that are with the client. */
export interface OpenForms {
  /** Whoever waits for the answer about request `id`; a later one takes the place of an earlier. */
  await(id: string, hear: (answer: DialogAnswer) => void): void;
  /** Nobody waits for it any more. */
  forget(id: string, hear: (answer: DialogAnswer) => void): void;
  /** Gives the answer to whoever waits for it, if anybody does. */
  answer(id: string, answer: DialogAnswer): void;
  /**
   * The form that goes with the state of this nonce is about to be sent. `onBack` is called once: when `cameBack` is, or
   * after `forMs`, null for never, when its client counts as gone.
   */
  wentOut(nonce: string, forMs: number | null, onBack: () => void): void;
  /** How long ago that was, in milliseconds, once; null for one that did not go out here. */
  shownForMs(nonce: string): number | null;
  /** Whoever was to hear that the client is back with this has heard it. */
  cameBack(nonce: string): void;
}

/** A client that never comes back must not fill the memory; a form forgotten so is answered by nobody any more. */
const mostOut = 1_000;

/** For one connection, whose holds these are. */
export function createOpenForms(clock: Clock, holds: Holds): OpenForms {
  const waiting = new Map<string, (answer: DialogAnswer) => void>();
  const out = new Map<string, number>();
  const away = new Map<string, () => void>();

  function cameBack(nonce: string): void {
    away.get(nonce)?.();
    away.delete(nonce);
  }

  return {
    await: (id, hear) => void waiting.set(id, hear),
    forget(id, hear) {
      if (waiting.get(id) === hear) waiting.delete(id);
    },
    answer: (id, answer) => waiting.get(id)?.(answer),
    wentOut(nonce, forMs, onBack) {
      out.set(nonce, clock.monotonic());
      const endHold = forMs === null ? null : holds.start(forMs, () => cameBack(nonce));
      away.set(nonce, () => {
        endHold?.();
        onBack();
      });
      const [oldest] = out.keys();
      if (out.size <= mostOut || oldest === undefined) return;
      out.delete(oldest);
      cameBack(oldest);
    },
    shownForMs(nonce) {
      const at = out.get(nonce);
      out.delete(nonce);
      return at === undefined ? null : clock.monotonic() - at;
    },
    cameBack,
  };
}

/** The answer that a leg brings, and the request that it is about. */
export interface Brought<Asked extends Askable> {
  readonly id: string;
  /** What was answered, once it is known what was asked. */
  readonly meaning: (request: Asked) => DialogAnswer;
}

/** A form that is to go out with this leg's result. */
export interface Raised<Asked extends Askable> {
  readonly request: Asked;
  readonly form: Form;
}

/** The dialog of one leg. */
export interface LegDialog<Asked extends Askable> extends Dialog<Asked> {
  /** Resolves when a form is to go out; never where none is. */
  readonly raised: Promise<Raised<Asked>>;
}

/** What a dialog of this era is made of. */
export interface LegDialogParts<Asked extends Askable> {
  readonly kind: DialogKind<Asked>;
  readonly asking: Pick<Asking, "home" | "answeringLine" | "doctorLine">;
  readonly facts: Pick<ClientFacts, "unseenDecline">;
  readonly forms: OpenForms;
  /** Null for a leg that brings no answer that counts. */
  readonly brought: Brought<Asked> | null;
  /** May another form go out with this call? */
  readonly canRaise: boolean;
}

/** For one leg of a call. */
export function dialog2026<Asked extends Askable>({
  kind,
  asking,
  facts,
  forms,
  brought,
  canRaise,
}: LegDialogParts<Asked>): LegDialog<Asked> {
  let raise: (raised: Raised<Asked>) => void = () => undefined;
  const raised = new Promise<Raised<Asked>>((resolve) => {
    raise = resolve;
  });
  return {
    unseenDecline: facts.unseenDecline,
    raised,
    async ask(request, signal, fault) {
      if (signal.aborted) return { kind: "dismissed" };
      // It was up when this leg came, and was withdrawn here only because no call was there to show it.
      if (brought?.id === request.id) return brought.meaning(request);
      if (!canRaise)
        return { kind: "failed", why: "the client brought answers to other dialogs of this call" };
      const elsewhere = elsewhereOf(asking, request, fault);
      const form = kind.form(request, { home: asking.home, elsewhere, titles: "oneOf" });
      if (typeof form === "string") return { kind: "failed", why: form };
      return new Promise((resolve) => {
        forms.await(request.id, resolve);
        signal.addEventListener("abort", () => {
          forms.forget(request.id, resolve);
          resolve({ kind: "dismissed" });
        });
        raise({ request, form });
      });
    },
  };
}
