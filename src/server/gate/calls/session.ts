/**
 * Who is at the client's end of a connection, learnt from what goes by: in the 2025 era the client says so once, in the
 * 2026 era with each request. Nothing is asked for, and nothing is changed.
 */
import { type Declared, declaredIn, hasEnvelope, type Peer, peerFrom, tokenOf } from "../../mcp/peer.js";
import type { ToolCallFrame } from "../frames/client-frame.js";
import { isObject, messageIn, objectIn } from "../frames/json-object.js";
import type { Passage } from "../frames/passage.js";

/** What is known of the client of one connection. */
export interface Session {
  /** Hears a request before it goes on; returns who hears its answer, null where nobody has to. */
  hear(method: string, params: unknown): ((line: Buffer) => void) | null;
  /** Who makes this call, which goes by `passage`. Its `signal` is that of the call. */
  peerOf(call: Pick<ToolCallFrame, "params">, passage: Pick<Passage, "signal">): Peer;
  /** What a request of our own to the upstream carries under `_meta`: what the client's own last said there. */
  envelope(): Readonly<Record<string, unknown>> | null;
}

/** Keys of the protocol's own in `_meta`. */
const reserved = "io.modelcontextprotocol/";

/** Of a connection on which nothing was said yet. */
export function createSession(): Session {
  let declared: Readonly<Record<string, unknown>> = {};
  let revision: unknown = null;
  let envelope: Readonly<Record<string, unknown>> | null = null;
  /** The client of the 2025 era, read; null until a call needs it. */
  let known: Omit<Peer, "signal"> | null = null;

  function learn(params: unknown): Readonly<Record<string, unknown>> {
    const meta = objectIn(params, "_meta");
    if (hasEnvelope(meta)) {
      envelope = Object.fromEntries(Object.entries(meta).filter(([key]) => key.startsWith(reserved)));
    }
    return meta;
  }

  return {
    hear(method, params) {
      learn(params);
      if (method !== "initialize") return null;
      declared = isObject(params) ? params : {};
      known = null;
      return (line) => {
        known = null;
        revision = objectIn(messageIn(line), "result").protocolVersion;
      };
    },
    peerOf({ params }, passage) {
      const meta = learn(params);
      const { progressToken } = meta;
      if (hasEnvelope(meta)) {
        return peerFrom({ ...declaredIn(meta), era: "2026", progressToken, signal: passage.signal });
      }
      const { clientInfo: client, capabilities } = declared;
      known ??= knownOf({ era: "2025", revision, client, capabilities, progressToken: null });
      return {
        ...known,
        progressToken: tokenOf(progressToken),
        // Made where somebody listens.
        get signal() {
          return passage.signal;
        },
      };
    },
    envelope: () => envelope,
  };
}

/** What is the same for each call. */
function knownOf(declared: Omit<Declared, "signal">): Omit<Peer, "signal"> {
  const { signal: _never, ...known } = peerFrom({ ...declared, signal: AbortSignal.abort() });
  return known;
}
