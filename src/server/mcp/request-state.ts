/**
 * What goes to the client with a dialog of the 2026 era, and comes back with its answer. Invariants: a state proves that
 * this home asked that caller, never what a person said; it counts once, by the nonce inside it, however its text is
 * spelled.
 */
import {
  createRequestStateCodec,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { type Clock, type ConsumedStates, type RootSecret, WispError } from "../../broker/index.js";

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
}

/** A state that came back. */
export interface ReturnedState extends DialogState {
  /** Its key ends with this process, and so does the memory of its nonce. */
  readonly isOwn: boolean;
}

/** The states of one connection. */
export interface RequestStates {
  /** A new state, and the text that the client keeps. Makes the secret of the home where there is none. */
  mint(what: Omit<DialogState, "nonce">): Promise<{ readonly text: string; readonly nonce: string }>;
  /** Rejects for what is not ours, has expired, or was not given to this `caller`. Makes nothing. */
  verify(text: string, caller: string, ctx: ServerContext): Promise<ReturnedState>;
  /**
   * Uses the state up. True exactly once, over all processes and crashes. Rejects with channel_unsafe,
   * channel_unavailable: then it counts as used.
   */
  use(state: ReturnedState): Promise<boolean>;
}

/** What states are made with. */
export interface RequestStateParts {
  readonly clock: Clock;
  /** What the home keeps; null where nothing is kept, and states end with this process. */
  readonly kept: { readonly secret: RootSecret; readonly consumed: ConsumedStates } | null;
  /** How long a state stays valid. */
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

/** What the key of states is derived for. */
const keyLabel = "wisp/request-state/v1";
const keyBytes = 32;
const nonceBytes = 32;

const payload = z.strictObject({
  nonce: z.string(),
  id: z.string(),
  subject: z.string(),
  caller: z.string(),
  again: z.int(),
});

type Codec = RequestStateCodec<DialogState>;

/** Reads and makes nothing yet. */
export function createRequestStates({ clock, kept, ttlSeconds }: RequestStateParts): RequestStates {
  const used = new Set<string>();
  let shared: Codec | null = null;
  let own: Codec | null = null;

  /** With the secret of the home; where that cannot be used, with a key that ends with this process. */
  async function minting(): Promise<Codec> {
    if (own !== null) return own;
    if (kept !== null) {
      try {
        shared ??= codecOf(await kept.secret.derivedKey(keyLabel));
        return shared;
      } catch (error) {
        if (!(error instanceof WispError)) throw error;
      }
    }
    own ??= codecOf(clock.randomBytes(keyBytes));
    return own;
  }

  function codecOf(key: Uint8Array): Codec {
    return createRequestStateCodec<DialogState>({ key, ttlSeconds });
  }

  function sharedCodec(): Codec | null {
    if (shared !== null || kept === null) return shared;
    try {
      const key = kept.secret.existingKey(keyLabel);
      shared = key === null ? null : codecOf(key);
    } catch (error) {
      // A secret that cannot be used has signed nothing that counts.
      if (!(error instanceof WispError)) throw error;
    }
    return shared;
  }

  return {
    async mint(what) {
      const nonce = Buffer.from(clock.randomBytes(nonceBytes)).toString("base64url");
      const codec = await minting();
      return { text: await codec.mint({ nonce, ...what }), nonce };
    },
    async verify(text, caller, ctx) {
      let fault: unknown = new Error("nothing was given out");
      for (const codec of [own, sharedCodec()]) {
        if (codec === null) continue;
        try {
          const state = payload.parse(await codec.verify(text, ctx));
          // Signed for somebody else: a client that got hold of it must not speak in the other's dialog.
          if (state.caller !== caller) throw new Error("another caller's");
          return { ...state, isOwn: codec === own };
        } catch (error) {
          fault = error;
        }
      }
      throw fault;
    },
    async use({ nonce, isOwn }) {
      if (used.has(nonce)) return false;
      used.add(nonce);
      return isOwn || kept === null ? true : kept.consumed.consume(nonce, ttlSeconds * 1_000);
    },
  };
}
