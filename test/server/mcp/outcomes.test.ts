/**
 * Every ending of an ask, each produced on the wire by every kind of client, with a dialog and without: what its caller
 * sees, what its receipt says, with what a verb that waits for it ends, and what the audit log keeps. One table, which
 * names every outcome that there is.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exitOf, type OutcomeName, outcomes } from "../../../src/broker/request/outcome.js";
import type { ApprovalRequest } from "../../../src/broker/request/request.js";
import { type ClientKind, clientKinds, type KindCall, type KindServer } from "../../support/client-kinds.js";
import { writeProgram } from "../../support/commands.js";
import { approval } from "../../support/mcp-server.js";
import { PatientClock } from "../../support/patient-clock.js";
import type { ToolResult } from "../../support/raw-client.js";

/** A call that waits, after its dialog, where there is one, was answered. */
interface Waiting {
  readonly server: KindServer;
  readonly clock: PatientClock;
  readonly call: KindCall;
  /** What a person is asked; null where nothing is filed. */
  readonly request: ApprovalRequest | null;
  readonly hasDialog: boolean;
}

interface Row {
  /** `approval` of the configuration. */
  readonly config?: object;
  /** What the dialog says. It is dismissed unless the row says otherwise: then everything else decides. */
  readonly reply?: unknown;
  /** The client's dialog alone asks. */
  readonly isUnfiled?: true;
  /** Why no client without a dialog sees it. */
  readonly notWithout?: string;
  /** Brings the ending about, and resolves with the result; with null where nobody is left to read one. */
  readonly end: (waiting: Waiting) => Promise<ToolResult | null>;
  /** Null where none is there. */
  readonly receipt: string | null;
  /** Null where no line of the log speaks of it because nobody was asked. */
  readonly audit: string | null;
}

const cancel = { action: "cancel" };

const rows: Record<Exclude<OutcomeName, "stale"> | "refused", Row> = {
  approved: {
    reply: approval,
    receipt: "answered",
    audit: "approved",
    async end({ server: { face }, call, request, hasDialog }) {
      if (!hasDialog) face.approve(filed(request));
      const result = await call.result();
      expect(result.structuredContent?.via).toBe(hasDialog ? "elicitation" : "cli");
      return result;
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
    reply: { action: "decline" },
    notWithout: "it is a no in the client's dialog",
    receipt: "answered",
    audit: "declined",
    end: ({ call }) => call.result(),
  },
  not_obtained: {
    config: { outOfBand: false },
    isUnfiled: true,
    notWithout: "it is a dialog that was the only way and was dismissed; without one asking fails",
    receipt: null,
    audit: "not_obtained",
    end: ({ call }) => call.result(),
  },
  timed_out: {
    config: { holdSeconds: 600 },
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
    async end({ server: { roundTrip, served, settled }, call }) {
      call.cancel();
      await roundTrip();
      served.stop("over");
      await settled();
      expect(call.hasEnded()).toBe(false);
      return null;
    },
  },
  withdrawn: {
    receipt: "withdrawn",
    audit: "withdrawn",
    async end({ server: { served, settled }, call }) {
      served.stop("the server got SIGTERM");
      await settled();
      expect(call.hasEnded()).toBe(false);
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
      const second = server.call(touching);
      await second.waits();
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
    end: ({ server }) => server.call({ argv: [] }).result(),
  },
};

const touching = { argv: ["./tool"] };

function filed(request: ApprovalRequest | null): ApprovalRequest {
  if (request === null) throw new Error("Nothing was filed.");
  return request;
}

/** A call that waits for whatever the row does. */
async function wait(kind: ClientKind, hasDialog: boolean, row: Row): Promise<Waiting> {
  const clock = new PatientClock();
  const config = { approval: { unseenAnswerMs: 0, ...row.config } };
  const server = await kind.start(hasDialog, { clock, config });
  const { face, work } = server;
  writeProgram(work, "tool", "#!/bin/sh\ntouch ran\n");
  const call = server.call(touching);
  if (hasDialog) await call.dialog();
  else await call.waits();
  const request = row.isUnfiled === true ? null : face.only();
  const waiting = { server, clock, call, request, hasDialog };
  if (!hasDialog) return waiting;
  call.reply(row.reply ?? cancel);
  // In the 2026 era the call is back by then, and held.
  const isOver = () => face.audit().some(({ kind }) => kind === "dialog.ended");
  if (row.reply === undefined) await expect.poll(isOver).toBe(true);
  return waiting;
}

const cells = clientKinds.flatMap((kind) =>
  [true, false].map((hasDialog) => ({
    kind,
    hasDialog,
    who: `${kind.name}, ${hasDialog ? "with" : "without"} a dialog`,
  })),
);

describe.each(cells)("by a client ($who)", ({ kind, hasDialog }) => {
  const seen = Object.entries(rows).filter(([, row]) => hasDialog || row.notWithout === undefined);

  test.each(seen)("an ask that ends as %s says so to everybody", async (name, row) => {
    const waiting = await wait(kind, hasDialog, row);
    const { server, request } = waiting;
    const result = await row.end(waiting);
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
    const lines = server.face.audit().filter(({ kind: one }) => one === "approval.decided");
    // A leg that only brings the dialog is not the end of its call.
    const decided = lines
      .filter(({ details }) => details.why !== "dialog")
      .map(({ details }) => details.outcome);
    expect(decided.filter((one) => one === row.audit)).toHaveLength(row.audit === null ? 0 : 1);
  });
});

test.each(clientKinds)("the client ($name) speaks what it is here for", async ({ start, revision }) => {
  expect((await start(true)).revision).toBe(revision);
});

test("without a dialog nobody sees what only a dialog brings about, and everything else", () => {
  const withDialogOnly = Object.entries(rows).flatMap(([name, { notWithout }]) =>
    notWithout === undefined ? [] : [name],
  );
  expect(withDialogOnly).toEqual(["declined", "not_obtained"]);
});

test("the table names every outcome but the one that its own server cannot see, each with a code of its own", () => {
  const named = Object.keys(rows).filter((name) => name !== "refused");
  expect([...named, "stale"].sort()).toEqual(Object.keys(outcomes).sort());
  const codes = Object.values(outcomes).flatMap(({ code }) => (code === null ? [] : [code]));
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes).toHaveLength(named.length - 1);
});
