/** Kinds of events: what the compiler takes, and what the shapes do. */
import { expect, test } from "vitest";
import type { AuditEvent } from "../../../src/broker/audit/audit-log.js";
import { auditEvents, eventParts } from "../../../src/broker/audit/events.js";
import { unfitIn } from "../../support/event-shapes.js";
import { MemoryAuditLog } from "../../support/memory-audit-log.js";

const kept = { kind: "grant.kept", call: "k7q2mx9d", details: { grant: "k7q2mx9d", seconds: 60 } } as const;

test("the compiler takes an event of a kind, and none that is outside of the union", () => {
  // Each line that is marked fails the build where the compiler takes it.
  const events: readonly AuditEvent[] = [
    kept,
    // @ts-expect-error: there is no such kind
    { kind: "grant.lost", call: null, details: { grant: "g" } },
    // @ts-expect-error: a field is missing
    { kind: "grant.kept", call: null, details: { grant: "g" } },
    // @ts-expect-error: the kind has no such field
    { kind: "grant.kept", call: null, details: { grant: "g", seconds: 1, note: "hello" } },
    // @ts-expect-error: the field stands under another part
    { kind: "request.swept", call: null, details: { what: "stale" } },
    // @ts-expect-error: what was not checked is not verified
    { kind: "approval.pending", call: null, verified: { client: "c" }, details: { filed: true } },
  ];
  expect(events.map((event) => unfitIn({ ...event }) === null)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});

test("a log of tests takes no event that does not fit its kind, and goes on", async () => {
  const log = new MemoryAuditLog();
  const spread = { ...kept.details, environment: { TOKEN: "t" } };
  await expect(log.append([{ ...kept, details: spread }], "plain")).rejects.toThrow(
    "grant.kept details: env",
  );
  await log.append([kept], "plain");
  expect(log.events).toEqual([kept]);
});

test("each kind and each field has a sentence", () => {
  for (const [name, kind] of Object.entries(auditEvents)) {
    const fields = eventParts.flatMap((part) => Object.values(kind[part]));
    for (const { says } of [kind, ...fields]) expect(says, name).toMatch(/^[A-Z`].*[.?]$/);
  }
});
