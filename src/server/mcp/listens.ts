/**
 * Whether a client of the 2026 era listens for changes of one resource. The SDK serves `subscriptions/listen` before our
 * server hears of it, so it is read off the wire: a stream is open from its acknowledgement until it is cancelled.
 */
import { type JSONRPCMessage, SUBSCRIPTION_ID_META_KEY, type Transport } from "@modelcontextprotocol/server";

/** A stream by the id of its request: being asked for; cancelled before it was acknowledged; or with `uri` or without. */
type Stream = "asked" | "cancelled" | "listens" | "listens to others";

/**
 * `wire` for the SDK, which is to use nothing else. `onListened` hears whether some stream listens to `uri`, each time
 * that changes, and not before the SDK can send something to it.
 */
export function hearListens(
  wire: Transport,
  uri: string,
  onListened: (isListened: boolean) => void,
): Transport {
  const streams = new Map<string | number, Stream>();
  let wasListened = false;

  function tell(): void {
    const isListened = [...streams.values()].includes("listens");
    if (isListened === wasListened) return;
    wasListened = isListened;
    onListened(isListened);
  }

  function noteSent(message: JSONRPCMessage): void {
    if ("method" in message) {
      if (message.method !== "notifications/subscriptions/acknowledged") return;
      const { id, uris } = acknowledgedIn(message.params);
      const stream = id === null ? undefined : streams.get(id);
      if (id === null || stream === undefined) return;
      // The SDK takes messages one after the other: the cancellation comes next, and nobody will listen.
      if (stream === "cancelled") streams.delete(id);
      else streams.set(id, uris.includes(uri) ? "listens" : "listens to others");
    } else if (message.id !== undefined) {
      // Refused, or ended by the server.
      streams.delete(message.id);
    }
    tell();
  }

  function noteReceived(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if (message.method === "subscriptions/listen" && "id" in message) streams.set(message.id, "asked");
    if (message.method !== "notifications/cancelled") return;
    const id = idIn(message.params?.requestId);
    const stream = id === null ? undefined : streams.get(id);
    if (id === null || stream === undefined) return;
    if (stream === "asked") streams.set(id, "cancelled");
    else streams.delete(id);
    tell();
  }

  const heard: Transport = {
    start() {
      wire.onmessage = (message, extra) => {
        noteReceived(message);
        heard.onmessage?.(message, extra);
      };
      wire.onerror = (error) => heard.onerror?.(error);
      wire.onclose = () => heard.onclose?.();
      return wire.start();
    },
    send(message, options) {
      const sent = wire.send(message, options);
      noteSent(message);
      return sent;
    },
    close: () => wire.close(),
    setProtocolVersion: (version) => wire.setProtocolVersion?.(version),
  };
  return heard;
}

interface Acknowledged {
  readonly id: string | number | null;
  readonly uris: readonly string[];
}

/** What the SDK sent: of the shape that it gives it. */
function acknowledgedIn(params: unknown): Acknowledged {
  const { notifications, _meta } = params as {
    readonly notifications?: { readonly resourceSubscriptions?: readonly string[] };
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
  return { id: idIn(_meta?.[SUBSCRIPTION_ID_META_KEY]), uris: notifications?.resourceSubscriptions ?? [] };
}

function idIn(value: unknown): string | number | null {
  return typeof value === "string" || typeof value === "number" ? value : null;
}
