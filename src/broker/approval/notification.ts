/** What the audit log says of a banner. Its texts are a caller's words in part: digests. */
import type { AuditEvent, EventValues } from "../audit/audit-log.js";
import type { BannerReceipt } from "../notify/notifier.js";
import { sha256Hex } from "../request/long-text.js";

/** Of a flood this many are named, and the rest counted. */
const mostNamed = 20;

/**
 * One attempt to tell the person of `requests`, which are none where an agent told something of its own. `claims` is
 * what the one who had it told says of itself.
 */
export function notificationEvent(
  { title, body, source, outcome, route, skipped }: BannerReceipt,
  requests: readonly string[],
  claims: Pick<EventValues<"notification", "selfReported">, "client" | "thread"> = {},
): AuditEvent {
  const [only = null, ...others] = requests;
  const about = { requests: requests.slice(0, mostNamed), count: requests.length };
  return {
    kind: "notification",
    call: others.length === 0 ? only : null,
    selfReported: { ...claims, title: sha256Hex(title), body: sha256Hex(body) },
    details: { source, outcome, route, skipped, ...about },
  };
}
