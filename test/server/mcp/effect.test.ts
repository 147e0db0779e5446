import { readdirSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Outcome } from "../../../src/broker/request/outcome.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { smallEnvironment } from "../../../src/server/command/environment.js";
import { resolveCommand } from "../../../src/server/command/resolve.js";
import { type Effect, runApproved } from "../../../src/server/mcp/tools/effect.js";
import { makePlaces, type Places } from "../../support/mcp-server.js";
import { MemoryAuditLog } from "../../support/memory-audit-log.js";

let places: Places;
beforeEach(() => {
  places = makePlaces();
});
afterEach(() => places.remove());

const outcome: Outcome = {
  name: "approved",
  via: "cli",
  scope: "once",
  note: null,
  request: "k7q2mx9d",
  seconds: 1,
};

function touching(
  audit: MemoryAuditLog,
  { word = "ran", signal = new AbortController().signal } = {},
): Effect {
  const environment = smallEnvironment(process.env);
  const wanted = { argv: ["touch", word], line: null, directory: places.work };
  const store = {
    create: (): never => {
      throw new Error("nothing is long here");
    },
  };
  return {
    command: resolveCommand(wanted, environment),
    timeoutSeconds: 60,
    outcome,
    audit,
    parts: { clock: systemClock, signal, environment, store, umask: null, groups: new Set() },
  };
}

describe("an approved command", () => {
  test("does not run when its beginning cannot be written down; a good log lets it run", async () => {
    const audit = new MemoryAuditLog();
    audit.failing = "durable";
    expect(await runApproved(touching(audit))).toMatchObject({
      isError: true,
      structuredContent: { outcome: "failed", code: "audit_unavailable", request: "k7q2mx9d" },
    });
    expect(readdirSync(places.work)).toEqual([]);
    audit.failing = "none";
    expect((await runApproved(touching(audit))).structuredContent).toMatchObject({ outcome: "approved" });
    expect(readdirSync(places.work)).toEqual(["ran"]);
  });

  test("begins only once its beginning is on disk", async () => {
    const audit = new MemoryAuditLog();
    audit.holding = "durable";
    const held = runApproved(touching(audit));
    // Another command runs from beginning to end meanwhile.
    await runApproved(touching(new MemoryAuditLog(), { word: "other" }));
    expect(readdirSync(places.work)).toEqual(["other"]);
    audit.release();
    await held;
    expect(readdirSync(places.work).sort()).toEqual(["other", "ran"]);
    expect(audit.appended.map(({ durability, events }) => [durability, events[0]?.kind])).toEqual([
      ["durable", "effect.started"],
      ["plain", "effect.finished"],
    ]);
  });

  test("still has its result when only its end cannot be written down", async () => {
    const audit = new MemoryAuditLog();
    audit.failing = "plain";
    expect((await runApproved(touching(audit))).structuredContent).toMatchObject({
      outcome: "approved",
      exitCode: 0,
    });
  });

  test("whose caller left in between does not run", async () => {
    const audit = new MemoryAuditLog();
    expect(await runApproved(touching(audit, { signal: AbortSignal.abort() }))).toMatchObject({
      isError: true,
      structuredContent: { outcome: "abandoned", request: "k7q2mx9d" },
    });
    expect(readdirSync(places.work)).toEqual([]);
    expect(audit.events.at(-1)?.details).toMatchObject({ started: false, cancelled: true });
  });
});
