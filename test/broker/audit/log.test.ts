import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { AuditRecord } from "../../../src/broker/audit/chain.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { auditLogAt } from "../../support/audit-logs.js";
import { FakeClock } from "../../support/fake-clock.js";
import { sketched } from "../../support/sketched.js";
import { tempDirectory } from "../../support/temp-home.js";

function open() {
  const home = tempDirectory();
  const log = auditLogAt(home, { clock: new FakeClock(), session: "s" });
  return { home, log, path: join(home, "audit", "log.jsonl") };
}

test("each event is one line, in order, with what was checked apart from what was claimed", async () => {
  const { log, path } = open();
  await log.append(
    [
      sketched({
        kind: "approval.requested",
        call: "abcdefgh",
        selfReported: { client: "c" },
        details: { level: "high" },
      }),
      sketched({ kind: "approval.decided", call: "abcdefgh", verified: { pid: 1 } }),
    ],
    "durable",
  );
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const first = JSON.parse(lines[0] ?? "") as AuditRecord;
  const hex = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      v: 1,
      seq: 1,
      ts: expect.any(Number) as number,
      prev: "0".repeat(64),
      kind: "approval.requested",
      session: "s",
      call: "abcdefgh",
      verified: {},
      selfReported: { client: "c" },
      details: { level: "high" },
      mac: hex,
      hash: hex,
    },
    {
      v: 1,
      seq: 2,
      ts: expect.any(Number) as number,
      prev: first.hash,
      kind: "approval.decided",
      session: "s",
      call: "abcdefgh",
      verified: { pid: 1 },
      selfReported: {},
      details: {},
      mac: hex,
      hash: hex,
    },
  ]);
  expect(statSync(path).mode & 0o7777).toBe(0o600);
});

test("a value with newlines and escapes stays one line", async () => {
  const { log, path } = open();
  const details = { reason: "a\nb\u001b[2J", movedTo: null };
  await log.append([{ kind: "answer.refused", call: null, details }], "plain");
  expect(readFileSync(path, "utf8").split("\n")).toHaveLength(2);
});

test("a log that is a link, or a directory open to others, is audit_unavailable until it is repaired", async () => {
  const { home, log, path } = open();
  const event = sketched({ kind: "approval.decided", call: "abcdefgh" });
  mkdirSync(join(home, "audit"), { mode: 0o700 });
  symlinkSync("/dev/null", path);
  await expect(log.append([event], "durable")).rejects.toMatchObject({ code: "audit_unavailable" });
  const other = open();
  await other.log.append([event], "durable");
  chmodSync(join(other.home, "audit"), 0o755);
  await expect(other.log.append([event], "durable")).rejects.toMatchObject({ code: "audit_unavailable" });
  chmodSync(join(other.home, "audit"), 0o700);
  await other.log.append([event], "durable");
  expect(readFileSync(other.path, "utf8").trimEnd().split("\n")).toHaveLength(2);
});

test("a home that cannot be had says why", async () => {
  const log = auditLogAt("/nowhere", {
    home: () => {
      throw new WispError("channel_unsafe", "That home is another program's.");
    },
  });
  await expect(log.append([], "plain")).rejects.toMatchObject({
    code: "audit_unavailable",
    why: "That home is another program's.",
  });
});

test.each([
  [Object.assign(new Error("no"), { code: "ENOSPC" }), "ENOSPC"],
  [new Error("something else"), "something else"],
  ["a text", "a text"],
])("a fault that is none of ours is told by the best that is known of it: %s", async (fault, why) => {
  const home = (): string => {
    throw fault;
  };
  const log = auditLogAt("/nowhere", { home });
  await expect(log.append([], "durable")).rejects.toMatchObject({ code: "audit_unavailable", why });
});
