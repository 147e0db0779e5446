/**
 * Every ending of an ask, each produced on the wire: what its caller sees, what its receipt says, with what a verb that
 * waits for it ends, and what the audit log keeps. One table, which names every outcome that there is.
 */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exitOf, type OutcomeName, outcomes } from "../../../src/broker/request/outcome.js";
import type { ApprovalRequest } from "../../../src/broker/request/request.js";
import { FakeClock } from "../../support/fake-clock.js";
import {
  connectInMemory,
  type MemoryServer,
  type MemoryServerOptions,
  waitingProgress,
  withProgress,
} from "../../support/mcp-server.js";
import { showsForms, type ToolResult } from "../../support/raw-client.js";

/** What a caller, a face and whoever reads the log learn of one ending. */
interface Ended {
  /** Null where nobody is left to read one. */
  readonly result: ToolResult | null;
  readonly request: ApprovalRequest | null;
  readonly server: MemoryServer;
}

interface Row {
  readonly capabilities?: Readonly<Record<string, unknown>>;
  readonly options?: () => MemoryServerOptions;
  /** Brings the ending about; `call` waits already and its request, where one was filed, is `request`. */
  readonly end: (parts: {
    readonly server: MemoryServer;
    readonly call: number;
    readonly request: ApprovalRequest | null;
  }) => Promise<ToolResult | null>;
  /** Null where nothing was filed, so that there is none. */
  readonly receipt: string | null;
  /** Null where no line of the log speaks of it because nobody was asked. */
  readonly audit: string | null;
}

const clock = new FakeClock();
const shown = { capabilities: showsForms };
const dialogAlone = { config: { approval: { outOfBand: false, unseenAnswerMs: 0 } } };

const rows: Record<Exclude<OutcomeName, "stale"> | "refused", Row> = {
  approved: {
    receipt: "answered",
    audit: "approved",
    async end({ server: { client, face }, call, request }) {
      face.approve(filed(request));
      return client.resultOf(call);
    },
  },
  denied: {
    receipt: "answered",
    audit: "denied",
    async end({ server: { client, face }, call, request }) {
      face.deny(filed(request), "not on Fridays");
      return client.resultOf(call);
    },
  },
  declined: {
    ...shown,
    options: () => ({ config: { approval: { unseenAnswerMs: 0 } } }),
    receipt: "answered",
    audit: "declined",
    async end({ server: { client }, call }) {
      client.answer(await client.firstOf("elicitation/create"), { action: "decline" });
      return client.resultOf(call);
    },
  },
  not_obtained: {
    ...shown,
    options: () => dialogAlone,
    receipt: null,
    audit: "not_obtained",
    async end({ server: { client }, call }) {
      client.answer(await client.firstOf("elicitation/create"), { action: "cancel" });
      return client.resultOf(call);
    },
  },
  timed_out: {
    options: () => ({ clock }),
    receipt: "timed_out",
    audit: "timed_out",
    async end({ server: { client }, call }) {
      clock.advance(600_000);
      return client.resultOf(call);
    },
  },
  abandoned: {
    receipt: "abandoned",
    audit: "abandoned",
    async end({ server: { client, served, settled }, call }) {
      client.notify("notifications/cancelled", { requestId: call });
      await client.roundTrip();
      served.stop("over");
      await settled();
      expect(client.hasResponseTo(call)).toBe(false);
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
    async end({ server: { client, face, home }, call, request }) {
      const { id } = filed(request);
      const path = join(home, "pending", `${id}.request.json`);
      writeFileSync(path, readFileSync(path, "utf8").replaceAll("./tool", "./cool"));
      face.approve(filed(request), { binding: "0".repeat(64) });
      return client.resultOf(call);
    },
  },
  already_decided: {
    receipt: "answered",
    audit: "already_decided",
    async end({ server: { client, face }, request }) {
      const second = client.call("run_command", touching, { progressToken: "second" });
      await waitingProgress(client, "second");
      face.approve(filed(request));
      return client.resultOf(second);
    },
  },
  drifted: {
    receipt: "answered",
    audit: "approved",
    async end({ server: { client, face, work }, call, request }) {
      writeFileSync(join(work, "tool"), "#!/bin/sh\necho other\n");
      face.approve(filed(request));
      return client.resultOf(call);
    },
  },
  refused: {
    receipt: null,
    audit: null,
    end: ({ server: { client } }) => client.resultOf(client.call("run_command", { argv: [] })),
  },
};

const touching = { argv: ["./tool"] };

function filed(request: ApprovalRequest | null): ApprovalRequest {
  if (request === null) throw new Error("Nothing was filed.");
  return request;
}

async function bringAbout({ capabilities = {}, options, end }: Row): Promise<Ended> {
  const server = await connectInMemory({ capabilities }, options?.() ?? {});
  const { client, face, work } = server;
  writeFileSync(join(work, "tool"), "#!/bin/sh\ntouch ran\n");
  chmodSync(join(work, "tool"), 0o700);
  const call = client.call("run_command", touching, withProgress);
  await client.firstOf("notifications/progress");
  const isFiled = options?.() !== dialogAlone;
  if (isFiled) await waitingProgress(client);
  const request = isFiled ? face.only() : null;
  return { result: await end({ server, call, request }), request, server };
}

test.each(Object.entries(rows))("an ask that ends as %s says so to everybody", async (name, row) => {
  const { result, request, server } = await bringAbout(row);
  const facts = name === "refused" ? { code: "invalid_input", exit: null } : outcomes[name as OutcomeName];
  if (result !== null) {
    const { outcome, code = null } = result.structuredContent ?? {};
    expect({ outcome, code, isError: result.isError ?? false }).toEqual({
      outcome: name,
      code: facts.code,
      isError: name !== "approved",
    });
  }
  const receipt = request === null ? null : server.face.receiptOf(request.id);
  if (name !== "refused") expect(receipt?.outcome ?? null).toBe(row.receipt);
  if (receipt !== null && facts.exit !== null) expect(exitOf(receipt)).toBe(facts.exit);
  const lines = server.face.audit().filter(({ kind }) => kind === "approval.decided");
  const decided = lines.map(({ details }) => details.outcome);
  expect(decided.filter((one) => one === row.audit)).toHaveLength(row.audit === null ? 0 : 1);
});

test("the table names every outcome but the one that its own server cannot see, each with a code of its own", () => {
  const named = Object.keys(rows).filter((name) => name !== "refused");
  expect([...named, "stale"].sort()).toEqual(Object.keys(outcomes).sort());
  const codes = Object.values(outcomes).flatMap(({ code }) => (code === null ? [] : [code]));
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes).toHaveLength(named.length - 1);
});
