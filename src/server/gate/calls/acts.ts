/**
 * Calls that may change something, while the server has them. Invariant: from the look that a call rests on until its answer
 * no other such call is with the server, in whatever order that takes what it is sent.
 */
import { type Clock, type GateRuling, WispError } from "../../../broker/index.js";
import type { UnderWay } from "../frames/passage.js";
import { mostHeldBytes } from "./held.js";

/** `alone`: what it was ruled by was looked at. `beside`: nothing was, so only those that are alone have to wait for it. */
export type ActKind = "alone" | "beside";

/** One call, from its last look, or from its sending, to its answer. Nothing happens a second time. */
export interface Act extends UnderWay {
  readonly kind: ActKind;
}

/** Of one gate. */
export interface Acts {
  /** Begins one; null where that has to wait. */
  begin(kind: ActKind): Act | null;
  /**
   * Begins one as soon as it may, in the order in which they came. Rejects with the reason of `signal`, and with
   * upstream_unavailable where the server answers none of those in front. `bytes` are kept meanwhile that nobody else counts.
   */
  wait(kind: ActKind, signal: AbortSignal, bytes?: number): Promise<Act>;
  /** Do so many wait, or so much, that what is written behind one more of so many bytes waits, too? All of them are kept whole. */
  isCrowded(bytes: number): boolean;
  /** Begins one whatever is under way: a look of our own, for a call that may be alone by now. */
  add(): Act;
}

/** So long nothing in front may be answered. Clients give up after a minute. */
export const longestStillMs = 30_000;
/** As many as may wait for a person at once. */
const mostWaiting = 30;
/** Most servers answer nothing to what was cancelled, and run it to its end; after so long it is taken for over. */
export const longestCancelledMs = 300_000;

/** What a call has to begin as before it is sent; null where it changes nothing, and rests on nothing that changes. */
export function actKindOf({ mayChange, restsOnLook }: GateRuling): ActKind | null {
  if (restsOnLook) return "alone";
  return mayChange ? "beside" : null;
}

interface Waiting {
  readonly kind: ActKind;
  readonly bytes: number;
  readonly since: number;
  readonly enter: (act: Act) => void;
  readonly giveUp: () => void;
}

/** Nothing is under way yet. */
export function createActs(clock: Clock): Acts {
  /** With when it was cancelled, null for what was not. */
  const inside = new Map<Act, number | null>();
  const queue: Waiting[] = [];
  let movedAt = Number.NEGATIVE_INFINITY;
  /** One for all that wait. */
  let timer: ReturnType<Clock["after"]> | null = null;

  function isIn(cancelledAt: number | null): boolean {
    return cancelledAt === null || clock.monotonic() - cancelledAt < longestCancelledMs;
  }

  function mayBegin(kind: ActKind): boolean {
    if (inside.size === 0) return true;
    for (const [act, cancelledAt] of inside) {
      if (!isIn(cancelledAt)) inside.delete(act);
      else if (kind === "alone" || act.kind === "alone") return false;
    }
    return true;
  }

  function enter(kind: ActKind): Act {
    const act: Act = {
      kind,
      cancelled: () => void (inside.get(act) === null && inside.set(act, clock.monotonic())),
      over() {
        if (inside.delete(act) && queue.length > 0) advance();
      },
    };
    inside.set(act, null);
    return act;
  }

  /** What is beside others passes by what waits to be alone: a server may want it for what it has under way. */
  function advance(): void {
    for (const waiting of [...queue]) {
      if (!mayBegin(waiting.kind)) continue;
      queue.splice(queue.indexOf(waiting), 1);
      movedAt = clock.monotonic();
      waiting.enter(enter(waiting.kind));
    }
    watch();
  }

  function watch(): void {
    timer?.cancel();
    const [first] = queue;
    timer = first === undefined ? null : clock.after(endOf(first) - clock.monotonic(), giveUp);
  }

  function endOf({ since }: Waiting): number {
    return Math.max(since, movedAt) + longestStillMs;
  }

  function giveUp(): void {
    for (const waiting of [...queue]) {
      if (endOf(waiting) > clock.monotonic()) continue;
      queue.splice(queue.indexOf(waiting), 1);
      waiting.giveUp();
    }
    advance();
  }

  return {
    begin: (kind) => (mayBegin(kind) ? enter(kind) : null),
    wait(kind, signal, bytes = 0) {
      if (signal.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        const gone = (): void => {
          queue.splice(queue.indexOf(waiting), 1);
          watch();
          reject(signal.reason);
        };
        const waiting: Waiting = {
          ...{ kind, bytes },
          since: clock.monotonic(),
          enter(act) {
            signal.removeEventListener("abort", gone);
            resolve(act);
          },
          giveUp() {
            signal.removeEventListener("abort", gone);
            reject(stillUnanswered());
          },
        };
        signal.addEventListener("abort", gone, { once: true });
        queue.push(waiting);
        advance();
      });
    },
    isCrowded(bytes) {
      const held = queue.reduce((sum, waiting) => sum + waiting.bytes, 0);
      return queue.length >= mostWaiting || (held > 0 && held + bytes > mostHeldBytes);
    },
    add: () => enter("beside"),
  };
}

function stillUnanswered(): WispError {
  return new WispError(
    "upstream_unavailable",
    "The server has not answered a call that was sent to it before and may change what this one is about.",
    {
      why: "Until that is answered nobody can tell what this call would do, so it was not sent.",
      fix: "Make it again once the earlier call is answered; one that was cancelled counts for five minutes.",
    },
  );
}
