/** What every audit log keeps, whatever it is made of. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AuditEvent, AuditLog } from "../../src/broker/audit/audit-log.js";
import { WispError } from "../../src/broker/request/errors.js";
import { type Sketch, sketched } from "./sketched.js";

export interface AuditLogHarness {
  readonly log: AuditLog;
  /** What was written down so far, in order, as a reader finds it; parts that an event does not have are empty. */
  written(): readonly Required<Sketch>[];
  /** From here on, nothing can be written. */
  breakIt(): void;
  repair(): void;
  close(): void;
}

const requested: Sketch = {
  kind: "approval.requested",
  call: "abcdefgh",
  verified: { pid: 4711 },
  selfReported: { pid: 1, client: "c\n\u001b[2J" },
  details: { level: "high", scopes: ["once"] },
};

/** An event that its call tells from others. */
const numbered = (call: string): AuditEvent => sketched({ kind: "approval.decided", call });

const callsOf = (events: readonly Sketch[]): readonly (string | null)[] => events.map(({ call }) => call);

/** Runs the contract against what `open` gives, anew for each test. */
export function describeAuditLog(name: string, open: () => AuditLogHarness): void {
  describe(`an audit log ${name}`, () => {
    let harness: AuditLogHarness;
    beforeEach(() => {
      harness = open();
    });
    afterEach(() => harness.close());

    it.each(["durable", "plain"] as const)(
      "has a %s event written down when the promise resolves",
      async (how) => {
        await harness.log.append([sketched(requested)], how);
        expect(harness.written()).toEqual([requested]);
      },
    );

    it("keeps what was checked apart from what was claimed", async () => {
      await harness.log.append([sketched(requested)], "durable");
      const [written] = harness.written();
      expect(written?.verified).toEqual({ pid: 4711 });
      expect(written?.selfReported).toEqual({ pid: 1, client: "c\n\u001b[2J" });
    });

    it("needs neither a request nor any detail", async () => {
      await harness.log.append([sketched({ kind: "policy.judged", call: null })], "plain");
      expect(harness.written()).toEqual([
        { kind: "policy.judged", call: null, verified: {}, selfReported: {}, details: {} },
      ]);
    });

    it("keeps the order of the events, and of the calls, also where none waits for the one before", async () => {
      const { log } = harness;
      await Promise.all([
        log.append([numbered("aaaaaaaa"), numbered("bbbbbbbb")], "durable"),
        log.append([numbered("cccccccc")], "plain"),
        log.append([numbered("dddddddd")], "durable"),
      ]);
      expect(callsOf(harness.written())).toEqual(["aaaaaaaa", "bbbbbbbb", "cccccccc", "dddddddd"]);
    });

    it("writes nothing for no events, and does not mind", async () => {
      await harness.log.append([], "durable");
      expect(harness.written()).toEqual([]);
    });

    it.each(["durable", "plain"] as const)(
      "that cannot write rejects a %s append with audit_unavailable, keeps nothing of it, and goes on when repaired",
      async (how) => {
        await harness.log.append([numbered("aaaaaaaa")], how);
        harness.breakIt();
        const error: unknown = await harness.log
          .append([numbered("bbbbbbbb")], how)
          .catch((thrown) => thrown);
        expect(error).toBeInstanceOf(WispError);
        expect(error).toMatchObject({ code: "audit_unavailable", why: expect.stringMatching(/./) });
        harness.repair();
        await harness.log.append([numbered("cccccccc")], how);
        expect(callsOf(harness.written())).toEqual(["aaaaaaaa", "cccccccc"]);
      },
    );
  });
}
