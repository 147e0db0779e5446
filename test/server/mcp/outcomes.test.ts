/**
 * Every ending of an ask, each produced on the wire: what its caller sees, what its receipt says, with what a verb that
 * waits for it ends, and what the audit log keeps. One table, which names every outcome that there is.
 */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exitOf, type OutcomeName, outcomes } from "../../../src/broker/request/outcome.js";
import type { ApprovalRequest } from "../../../src/broker/request/request.js";
import { type EraCall, type EraServer, type Revision, revisions, serverOf } from "../../support/era-call.js";
import { type MemoryServerOptions, waitingProgress } from "../../support/mcp-server.js";
import { PatientClock } from "../../support/patient-clock.js";
import { showsForms, type ToolResult } from "../../support/raw-client.js";

/** What a caller, a face and whoever reads the log learn of one ending. */
interface Ended {
  /** Null where nobody is left to read one. */
  readonly result: ToolResult | null;
  readonly request: ApprovalRequest | null;
  readonly server: EraServer;
}

interface Row {
  readonly capabilities?: Readonly<Record<string, unknown>>;
  readonly config?: unknown;
  /** The client's dialog alone asks. */
  readonly isUnfiled?: true;
  /** Brings the ending about; `call` waits already and its request, where one was filed, is `request`. */
  readonly end: (parts: {
    readonly server: EraServer;
    readonly clock: PatientClock;
    readonly call: EraCall;
    readonly request: ApprovalRequest | null;
  }) => Promise<ToolResult | null>;
  /** Null where none is there. */
  readonly receipt: string | null;
  /** Null where no line of the log speaks of it because nobody was asked. */
  readonly audit: string | null;
}

const readAtOnce = { approval: { unseenAnswerMs: 0 } };

const rows: Record<Exclude<OutcomeName, "stale"> | "refused", Row> = {
  approved: {
    receipt: "answered",
    audit: "approved",
    async end({ server: { face }, call, request }) {
      face.approve(filed(request));
      return call.result();
    },
  },
  denied: {
    receipt: "answered",
    audit: "denied",
    async end({ server: { face }, call, request }) {
      face.deny(filed(request), "not on Fridays");
      return call.result();
    },
  },
  declined: {
    capabilities: showsForms,
    config: readAtOnce,
    receipt: "answered",
    audit: "declined",
    async end({ call }) {
      await call.dialog();
      call.reply({ action: "decline" });
      return call.result();
    },
  },
  not_obtained: {
    capabilities: showsForms,
    config: { approval: { outOfBand: false, unseenAnswerMs: 0 } },
    isUnfiled: true,
    receipt: null,
    audit: "not_obtained",
    async end({ call }) {
      await call.dialog();
      call.reply({ action: "cancel" });
      return call.result();
    },
  },
  timed_out: {
    config: { approval: { holdSeconds: 600 } },
    receipt: "timed_out",
    audit: "timed_out",
    async end({ clock, call }) {
      clock.advance(600_000);
      return call.result();
    },
  },
  pending: {
    receipt: null,
    audit: "pending",
    async end({ clock, call }) {
      clock.advance(45_000);
      return call.result();
    },
  },
  abandoned: {
    receipt: "abandoned",
    audit: "abandoned",
    async end({ server: { client, served, settled }, call }) {
      call.cancel();
      await client.roundTrip();
      served.stop("over");
      await settled();
      expect(call.hasEnded()).toBe(false);
      return null;
    },
  },
  withdrawn: {
    receipt: "withdrawn",
    audit: "withdrawn",
    async end({ server: { client, served, settled } }) {
      served.stop("the server got SIGTERM");
      await settled();
      expect(client.received.at(-1)?.result).toBeUndefined();
      return null;
    },
  },
  failed: {
    receipt: "failed",
    audit: "failed",
    async end({ server: { face, home }, call, request }) {
      const { id } = filed(request);
      const path = join(home, "pending", `${id}.request.json`);
      writeFileSync(path, readFileSync(path, "utf8").replaceAll("./tool", "./cool"));
      face.approve(filed(request), { binding: "0".repeat(64) });
      return call.result();
    },
  },
  already_decided: {
    receipt: "answered",
    audit: "already_decided",
    async end({ server, request }) {
      const second = server.call(touching, "second");
      await waitingProgress(server.client, "second");
      server.face.approve(filed(request));
      return second.result();
    },
  },
  drifted: {
    receipt: "answered",
    audit: "approved",
    async end({ server: { face, work }, call, request }) {
      writeFileSync(join(work, "tool"), "#!/bin/sh\necho other\n");
      face.approve(filed(request));
      return call.result();
    },
  },
  refused: {
    receipt: null,
    audit: null,
    end: ({ server }) => server.call({ argv: [] }, "refused").result(),
  },
};

const touching = { argv: ["./tool"] };

function filed(request: ApprovalRequest | null): ApprovalRequest {
  if (request === null) throw new Error("Nothing was filed.");
  return request;
}

async function bringAbout(
  revision: Revision,
  { capabilities = {}, config, isUnfiled, end }: Row,
): Promise<Ended> {
  const clock = new PatientClock();
  const options: MemoryServerOptions = { clock, ...(config !== undefined && { config }) };
  const server = await serverOf(revision, capabilities, options);
  const { client, face, work } = server;
  writeFileSync(join(work, "tool"), "#!/bin/sh\ntouch ran\n");
  chmodSync(join(work, "tool"), 0o700);
  const call = server.call(touching, "p");
  await client.firstOf("notifications/progress");
  if (isUnfiled !== true) await waitingProgress(client);
  const request = isUnfiled === true ? null : face.only();
  return { result: await end({ server, clock, call, request }), request, server };
}

describe.each(revisions)("by a client of %s", (revision) => {
  test.each(Object.entries(rows))("an ask that ends as %s says so to everybody", async (name, row) => {
    const { result, request, server } = await bringAbout(revision, row);
    const facts = name === "refused" ? { code: "invalid_input", exit: null } : outcomes[name as OutcomeName];
    if (result !== null) {
      const { outcome, code = null } = result.structuredContent ?? {};
      expect({ outcome, code, isError: result.isError ?? false }).toEqual({
        outcome: name,
        code: facts.code,
        isError: name !== "approved" && name !== "pending",
      });
    }
    const receipt = request === null ? null : server.face.receiptOf(request.id);
    if (name !== "refused") expect(receipt?.outcome ?? null).toBe(row.receipt);
    if (receipt !== null && facts.exit !== null) expect(exitOf(receipt)).toBe(facts.exit);
    const lines = server.face.audit().filter(({ kind }) => kind === "approval.decided");
    const decided = lines.map(({ details }) => details.outcome);
    expect(decided.filter((one) => one === row.audit)).toHaveLength(row.audit === null ? 0 : 1);
  });
});

test("the table names every outcome but the one that its own server cannot see, each with a code of its own", () => {
  const named = Object.keys(rows).filter((name) => name !== "refused");
  expect([...named, "stale"].sort()).toEqual(Object.keys(outcomes).sort());
  const codes = Object.values(outcomes).flatMap(({ code }) => (code === null ? [] : [code]));
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes).toHaveLength(named.length - 1);
});
