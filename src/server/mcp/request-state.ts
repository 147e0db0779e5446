/**
 * What goes to the client with a dialog of the 2026 era, and comes back with its answer. Invariants: a state proves that
 * this home asked that caller, never what a person said; it counts once, by the nonce inside it, however its text is
 * spelled; and no setting of the wall clock ends it before its request, or lengthens its life in the process that made it.
 */
import {
  type Clock,
  type ConsumedStates,
  expectWispError,
  type Life,
  type Moment,
  type RootSecret,
  remainingMs,
} from "../../broker/index.js";
import { loadedCodec } from "./late-codec.js";
import type { SignedState, StateCodec } from "./state-codec.js";

/** What is in a state: signed, and open for the client to read. */
export interface DialogState {
  /** Used up when the state comes back. */
  readonly nonce: string;
  /** The request that the dialog showed. */
  readonly id: string;
  /** What was to be done: `Likeness.subject`. */
  readonly subject: string;
  /** Who called. */
  readonly caller: string;
  /** How many dialogs of this call came back with something else before this one. */
  readonly again: number;
  /**
   * Of a call that was approved and goes on in further rounds: the state of the server behind the gate, for the next one.
   * Null for a dialog of ours.
   */
  readonly round: string | null;
}

/** A state that came back. */
export interface ReturnedState extends DialogState {
  /** Its key ends with this process, and so does the memory of its nonce. */
  readonly isOwn: boolean;
  /** How long it was to live when it was made, in milliseconds. */
  readonly lifeMs: number;
}

/** The states of one connection. */
export interface RequestStates {
  /** A new state, and the text that the client keeps. Makes the secret of the home where there is none. */
  mint(what: Omit<DialogState, "nonce">): Promise<{ readonly text: string; readonly nonce: string }>;
  /** Rejects for what is not ours, has expired, or was not given to this `caller`. Makes nothing. */
  verify(text: string, caller: string): Promise<ReturnedState>;
  /**
   * Uses the state up. True exactly once, over all processes and crashes. Rejects with channel_unsafe,
   * channel_unavailable: then it counts as used.
   */
  use(state: ReturnedState): Promise<boolean>;
}

/** What states are made with. */
export interface RequestStateParts {
  readonly clock: Clock;
  readonly moment: () => Moment;
  /** What the home keeps; null where nothing is kept, and states end with this process. */
  readonly kept: { readonly secret: RootSecret; readonly consumed: ConsumedStates } | null;
  /** How long the next state stays valid, in time during which the machine is awake; read anew for each. */
  readonly ttlSeconds: number;
}

/** How much longer than its request a state lives: the request's own deadline is what decides. */
const graceSeconds = 60;

/** For a request that waits for ever; its state has to end some day. */
const longestSeconds = 30 * 24 * 60 * 60;

/** For how long a state is valid when a request waits so long; 0 waits for ever. */
export function stateSeconds(timeoutSeconds: number): number {
  return timeoutSeconds === 0 ? longestSeconds : timeoutSeconds + graceSeconds;
}

/** A machine may sleep for so long while a form is up; after that its state is over, however little its process has lived. */
const longestSleepMs = 7 * 24 * 60 * 60_000;

/** What the key of states is derived for. */
const keyLabel = "wisp/request-state/v1";
const keyBytes = 32;
const nonceBytes = 32;
const makerBytes = 16;

/** Reads and makes nothing yet. */
export function createRequestStates(parts: RequestStateParts): RequestStates {
  const { clock, moment, kept } = parts;
  const maker = textOf(clock.randomBytes(makerBytes));
  const used = new Set<string>();
  let shared: StateCodec | null = null;
  let own: StateCodec | null = null;

  /** With the secret of the home; where that cannot be used, with a key that ends with this process. */
  async function minting(): Promise<StateCodec> {
    const stateCodec = await loadedCodec();
    if (own !== null) return own;
    if (kept !== null) {
      try {
        shared ??= stateCodec(await kept.secret.derivedKey(keyLabel));
        return shared;
      } catch (error) {
        expectWispError(error);
      }
    }
    own ??= stateCodec(clock.randomBytes(keyBytes));
    return own;
  }

  async function sharedCodec(): Promise<StateCodec | null> {
    const stateCodec = await loadedCodec();
    if (shared !== null || kept === null) return shared;
    try {
      const key = kept.secret.existingKey(keyLabel);
      shared = key === null ? null : stateCodec(key);
    } catch (error) {
      // A secret that cannot be used has signed nothing that counts.
      expectWispError(error);
    }
    return shared;
  }

  /** A machine that slept has not used up the time of whoever made it; others know only that the time is over. */
  function isOver({ maker: by, until, life }: SignedState): boolean {
    if (by !== maker) return remainingMs(life, moment()) === null;
    return clock.monotonic() > until || moment().uptimeMs - life.from.uptimeMs > life.forMs + longestSleepMs;
  }

  return {
    async mint({ id, subject, caller, again, round }) {
      const nonce = textOf(clock.randomBytes(nonceBytes));
      const codec = await minting();
      const ttlMs = parts.ttlSeconds * 1_000;
      const life: Life = { from: moment(), forMs: ttlMs };
      const until = clock.monotonic() + ttlMs;
      return {
        text: await codec.mint({ nonce, id, subject, caller, again, round, maker, until, life }),
        nonce,
      };
    },
    async verify(text, caller) {
      let fault: unknown = new Error("nothing was given out");
      for (const codec of [own, await sharedCodec()]) {
        if (codec === null) continue;
        try {
          const signed = await codec.read(text);
          // Signed for somebody else: a client that got hold of it must not speak in the other's dialog.
          if (signed.caller !== caller) throw new Error("another caller's");
          if (isOver(signed)) throw new Error("expired");
          const { nonce, id, subject, again, round, life } = signed;
          return { nonce, id, subject, caller, again, round, isOwn: codec === own, lifeMs: life.forMs };
        } catch (error) {
          fault = error;
        }
      }
      throw fault;
    },
    async use({ nonce, isOwn, lifeMs }) {
      if (used.has(nonce)) return false;
      used.add(nonce);
      // No shorter than any process takes the state: a mark that is gone would make it new.
      return isOwn || kept === null ? true : kept.consumed.consume(nonce, lifeMs + longestSleepMs);
    },
  };
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
