/** What becomes of a yes whose call leaves while what it rests on is looked at once more. */
import { expect, it } from "vitest";
import type { Outcome } from "../../../src/broker/request/outcome.js";
import { type ApprovedRun, runApproved } from "../../../src/server/library/run-approved.js";
import { FakeClock } from "../../support/fake-clock.js";
import { MemoryAuditLog } from "../../support/memory-audit-log.js";
import { toolSubject } from "../../support/request-kinds.js";

const outcome: Outcome = {
  ...{ name: "approved", via: "cli", scope: "once", assurance: "terminal", note: null, unseenMs: null },
  ...{ verified: { terminal: true, ancestry: true, signed: null }, waits: null, redeemed: true },
  ...{ run: "rrrrrrrr", rule: null, request: "k7q2mx9d", seconds: 1 },
};

/** A run of a kept yes; `released` has what was given back. */
function keptRun(signal: AbortSignal) {
  const released: Outcome[] = [];
  const ran: string[] = [];
  const approver = { release: async (one: Outcome) => void released.push(one), conclude: () => undefined };
  const spec = { paths: ["$.path"], git: [], probe: null };
  const approved: ApprovedRun<string> = {
    ...{ outcome, signal, clock: new FakeClock() },
    subject: toolSubject({ state: "none" }),
    around: {
      look: undefined,
      spec,
      arguments: { path: "/etc/hosts" },
      directory: "/",
      clock: new FakeClock(),
    },
    run: () => {
      ran.push("ran");
      return "done";
    },
    asking: { approver, audit: new MemoryAuditLog(), doctorLine: "wisp doctor" } as never,
    own: { name: "notes", hash: "0".repeat(64), text: "node notes.mjs" },
  };
  return { approved, released, ran };
}

it("is given back, and the call that left is answered as one that did nothing", async () => {
  const left = new AbortController();
  left.abort("not needed any more");
  const { approved, released, ran } = keptRun(left.signal);
  expect(await runApproved(approved)).toMatchObject({ isError: true });
  expect(released).toEqual([outcome]);
  expect(ran).toEqual([]);
  const around = { ...approved.around, spec: "none" } as const;
  const again = { ...approved, around, signal: new AbortController().signal };
  expect(await runApproved(again)).toBe("done");
  expect(released).toHaveLength(1);
});
