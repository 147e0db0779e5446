/** Signs states and reads what was signed, by the codec of the SDK: a part of its own, loaded with the first state. */
import { createRequestStateCodec, type ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";

/**
 * The SDK measures with the wall clock, which somebody may set while a form is up. Its limit is farther than any clock
 * is set by, so that it never decides; what does stands inside, under the same proof.
 */
const farSeconds = 100 * 365 * 24 * 60 * 60;

const payload = z.strictObject({
  nonce: z.string(),
  id: z.string(),
  subject: z.string(),
  caller: z.string(),
  again: z.int(),
  round: z.nullable(z.string()),
  /** Whoever made it, and when it is over for that one, in monotonic milliseconds. */
  maker: z.string(),
  until: z.number(),
  /** When it is over for everybody else. */
  life: z.strictObject({
    from: z.strictObject({ boot: z.string(), uptimeMs: z.number(), at: z.number() }),
    forMs: z.number(),
  }),
});

/** A state as it is signed. */
export type SignedState = z.infer<typeof payload>;

/** Over one key. */
export interface StateCodec {
  mint(state: SignedState): Promise<string>;
  /** Rejects for what was not signed with the key. */
  read(text: string): Promise<SignedState>;
}

/** The codec of one key. */
export function stateCodec(key: Uint8Array): StateCodec {
  const codec = createRequestStateCodec<SignedState>({ key, ttlSeconds: farSeconds });
  return {
    mint: (state) => codec.mint(state),
    read: async (text) => payload.parse(await codec.verify(text, unread)),
  };
}

/** The codec asks for the context of the call and reads it only where states are bound to that: ours are bound inside. */
const unread = {} as ServerContext;
