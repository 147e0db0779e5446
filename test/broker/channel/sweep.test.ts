import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { ensureHome, type Home } from "../../../src/broker/channel/home.js";
import { readReceipt, unprovedReceipt } from "../../../src/broker/channel/receipts.js";
import type { ServerRecord } from "../../../src/broker/channel/server-record.js";
import { type SweepOptions, type Swept, sweep } from "../../../src/broker/channel/sweep.js";
import { answerHash, composeRequest } from "../../../src/broker/request/binding.js";
import { sha256Hex, shortened } from "../../../src/broker/request/long-text.js";
import type { Liveness } from "../../../src/broker/request/process.js";
import { type Request, requestFileName } from "../../../src/broker/request/request.js";
import { type Clock, systemClock } from "../../../src/broker/system/clock.js";
import {
  answerTo,
  approvalRequest,
  commandSubject,
  filingFacts,
  testServer,
} from "../../support/builders.js";
import { factDraft } from "../../support/request-kinds.js";
import { madeHome, openAsker, openFace } from "../../support/temp-home.js";

let home: Home;
beforeEach(() => {
  home = madeHome();
  ensureHome(home, systemClock);
});

const onDecidedFact = (): void => {};

/** The wall clock, moved ahead of the files that a test has just made. */
function later(ms: number): Clock {
  return { ...systemClock, now: () => systemClock.now() + ms };
}

function run(ms: number, liveness: Liveness = "gone", instance: string | null = null): readonly Swept[] {
  const clock = later(ms);
  const options: SweepOptions = { home, clock, instance, liveness: () => liveness, onDecidedFact };
  return sweep(options, openFace(home, { clock }).pending());
}

function plant(path: string, value: unknown): void {
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value), { mode: 0o600 });
}

/** A request of a server that is not this process; S1. */
function plantRequest(overrides: Parameters<typeof approvalRequest>[0] = {}): Request {
  const request = approvalRequest(overrides, { createdAt: systemClock.now() });
  plant(join(home.pending, requestFileName(request)), request);
  return request;
}

function plantRecord(overrides: Partial<ServerRecord> = {}): void {
  const record: ServerRecord = {
    v: 1,
    instance: testServer.instance,
    pid: testServer.pid,
    startedAt: testServer.startedAt,
    boot: testServer.boot,
    namespace: "1",
    parent: null,
    client: null,
    home: home.path,
    waiting: [],
    detached: [],
    ...overrides,
  };
  plant(join(home.servers, `${record.instance}.json`), record);
}

function plantAnswer(request: Request): string {
  const answer = answerTo(request);
  plant(join(home.pending, `${request.id}.answer.json`), answer);
  return answerHash(answer);
}

test("S0: nothing to do leaves everything as it is", () => {
  expect(run(0)).toEqual([]);
  expect(readdirSync(home.path).sort()).toEqual([
    "format",
    "pending",
    "rejected",
    "servers",
    "settled",
    "spool",
  ]);
});

test("S1 of a live server is never touched, however old", () => {
  const request = plantRequest();
  plantRecord();
  expect(run(86_400_000, "alive")).toEqual([]);
  expect(readdirSync(home.pending)).toEqual([requestFileName(request)]);
});

test("S2 of a live server is never touched: it decides and acts itself", () => {
  const request = plantRequest();
  plantRecord();
  plantAnswer(request);
  expect(run(86_400_000, "alive")).toEqual([]);
  expect(readdirSync(home.pending)).toHaveLength(2);
});

test("S3: a settled request is cleared after a minute, not before, and its receipt stays", () => {
  const { channel } = openAsker(home);
  const request = channel.file({ ...approvalRequestDraft(), kind: "approval" }, []);
  const taken = channel.withdraw(request.id, "timed_out", null);
  channel.settle(request.id, { outcome: "timed_out", taken, ran: false });
  plant(join(home.pending, requestFileName(request)), request);
  plant(join(home.pending, `${request.id}.answer.json`), taken.answer);
  expect(run(59_000)).toEqual([]);
  expect(readdirSync(home.pending)).toHaveLength(2);
  expect(run(61_000)).toEqual([{ id: request.id, what: "cleared" }]);
  expect(readdirSync(home.pending)).toEqual([]);
  expect(readReceipt(home, request.id)?.outcome).toBe("timed_out");
});

test("S3 that nobody cleared for an hour is cleared, never called stale: its command may have run", () => {
  const { channel } = openAsker(home);
  const request = channel.file({ ...approvalRequestDraft(), kind: "approval" }, []);
  openFace(home).answer(answerTo(request));
  const news = channel.take(request.id);
  if (news?.kind !== "answer") throw new Error("nothing was taken");
  channel.settle(request.id, { outcome: "answered", taken: news.taken, ran: null });
  plant(join(home.pending, requestFileName(request)), request);
  channel.close();
  expect(run(3_600_000)).toEqual([{ id: request.id, what: "cleared" }]);
  expect(readReceipt(home, request.id)?.outcome ?? "swept").not.toBe("stale");
});

test("S4: a receipt is swept after ten minutes, not before", () => {
  const request = plantRequest();
  run(21_000);
  expect(readReceipt(home, request.id)?.outcome).toBe("stale");
  run(599_000);
  expect(readReceipt(home, request.id)).not.toBeNull();
  run(601_000);
  expect(readReceipt(home, request.id)).toBeNull();
});

test("S5: a request whose server is gone becomes stale once, with a receipt that nobody can prove", () => {
  const request = plantRequest();
  plantRecord();
  expect(run(0)).toEqual([{ id: request.id, what: "stale" }]);
  expect(run(0)).toEqual([]);
  expect(readReceipt(home, request.id)).toMatchObject({
    outcome: "stale",
    answer: null,
    ran: false,
    reveal: null,
    mac: null,
  });
  expect(readdirSync(home.pending)).toEqual([]);
});

test("S5: decided but not acted on becomes failed, not run, and says which answer it was", () => {
  const request = plantRequest();
  plantRecord();
  const hash = plantAnswer(request);
  expect(run(0)).toEqual([{ id: request.id, what: "decided, not run" }]);
  expect(readReceipt(home, request.id)).toMatchObject({
    outcome: "failed",
    decision: "approve",
    answer: hash,
    ran: false,
    mac: null,
  });
});

test("S5: an answer bound to something else decides nothing", () => {
  const request = plantRequest();
  plantRecord();
  plantAnswer({ ...request, binding: "0".repeat(64) });
  expect(run(0)).toEqual([{ id: request.id, what: "stale" }]);
});

test("S5: a fact whose server is gone goes on waiting", () => {
  const { subject, level, reasons, rule, scopes, assurance, ...shared } = approvalRequestDraft();
  const fact = composeRequest(
    {
      ...shared,
      expiresAt: null,
      kind: "fact",
      fact: { subject: "s", name: "n", value: "v", source: null, directory: null, similar: [] },
    },
    filingFacts(),
  );
  plant(join(home.pending, requestFileName(fact)), fact);
  expect(run(3_600_000)).toEqual([]);
  expect(existsSync(join(home.pending, requestFileName(fact)))).toBe(true);
});

test("S6: an orphan answer is swept after a minute, not before; what is no answer stays", () => {
  plant(join(home.pending, "abcdefgh.answer.json"), answerTo({ id: "abcdefgh", binding: "0".repeat(64) }));
  plant(join(home.pending, "bbcdefgh.answer.json"), "theirs");
  expect(run(59_000)).toEqual([]);
  expect(run(61_000)).toEqual([{ id: "abcdefgh", what: "orphan answer" }]);
  expect(readdirSync(home.pending)).toEqual(["bbcdefgh.answer.json"]);
});

test("of a server in another container or boot only silence tells that it is gone, at 20 s", () => {
  const request = plantRequest();
  plantRecord();
  expect(run(19_000, "unknown")).toEqual([]);
  expect(run(21_000, "unknown")).toEqual([{ id: request.id, what: "stale" }]);
});

test("a request without a server record is given as long before it is stale", () => {
  const request = plantRequest();
  expect(run(19_000, "unknown")).toEqual([]);
  expect(run(21_000, "unknown")).toEqual([{ id: request.id, what: "stale" }]);
});

test("a server whose process is there lives, whatever its record says or whether it has one", () => {
  plantRequest();
  expect(run(3_600_000, "alive")).toEqual([]);
  // Somebody else's words under this server's name: another process, long dead.
  plantRecord({ pid: 1, startedAt: "1" });
  expect(run(3_600_000, "alive")).toEqual([]);
});

test("a record of another process keeps no request of a dead server alive", () => {
  const request = plantRequest();
  plantRecord({ pid: 1, startedAt: "1" });
  const liveness = (one: { pid: number }) => (one.pid === 1 ? "alive" : "unknown") as Liveness;
  const clock = later(21_000);
  expect(sweep({ home, clock, instance: null, liveness, onDecidedFact }, openFace(home).pending())).toEqual([
    { id: request.id, what: "stale" },
  ]);
});

test("an unproved receipt of a living server's request clears nothing; that of a dead one does", () => {
  const request = plantRequest();
  plantRecord();
  const ending = { outcome: "answered", taken: null, ran: null } as const;
  plant(join(home.settled, `${request.id}.json`), unprovedReceipt(request, ending, 0));
  expect(run(3_600_000, "alive")).toEqual([]);
  expect(readdirSync(home.pending)).toEqual([requestFileName(request)]);
  expect(run(0)).toEqual([{ id: request.id, what: "cleared" }]);
});

test("something that is no receipt under a receipt's name keeps no dead request waiting", () => {
  const request = plantRequest();
  plantRecord();
  mkdirSync(join(home.settled, `${request.id}.json`));
  expect(run(0)).toEqual([{ id: request.id, what: "stale" }]);
  expect(readReceipt(home, request.id)?.outcome).toBe("stale");
  expect(readdirSync(home.rejected)).toEqual([`1.${request.id}.json`]);
});

test("an old answer to a request of a newer version stays with it, and so does its receipt", () => {
  const request = approvalRequest();
  plant(join(home.pending, "newer123.request.json"), { ...request, id: "newer123", v: 2 });
  plant(join(home.pending, "newer123.answer.json"), answerTo({ id: "newer123", binding: "0".repeat(64) }));
  plant(join(home.settled, "newer123.json"), "{}");
  run(3_600_000);
  expect(readdirSync(home.pending)).toEqual(["newer123.answer.json", "newer123.request.json"]);
  expect(readdirSync(home.settled)).toEqual(["newer123.json"]);
});

test("a server never sweeps its own requests", () => {
  plantRequest();
  plantRecord();
  expect(run(3_600_000, "gone", testServer.instance)).toEqual([]);
});

test("files of a newer version and files that are not ours are never swept", () => {
  const request = plantRequest();
  plantRecord();
  plant(join(home.pending, "newer123.request.json"), { ...request, id: "newer123", v: 2 });
  plant(join(home.pending, "junk2345.request.json"), "{");
  plant(join(home.pending, "notes.txt"), "mine");
  mkdirSync(join(home.pending, "dir23456.request.json"));
  run(3_600_000);
  expect(readdirSync(home.pending).sort()).toEqual([
    "dir23456.request.json",
    "junk2345.request.json",
    "newer123.request.json",
    "notes.txt",
  ]);
});

test("temporaries are swept after a minute, not before", () => {
  for (const place of [home.pending, home.settled, home.spool]) plant(join(place, ".tmp.abc"), "x");
  run(59_000);
  expect(readdirSync(home.pending)).toEqual([".tmp.abc"]);
  run(61_000);
  for (const place of [home.pending, home.settled, home.spool]) expect(readdirSync(place)).toEqual([]);
});

test("a text that no request names is swept with its age; one that is named stays", () => {
  const long = "x".repeat(20_000);
  const line = shortened(long);
  plantRequest({ subject: commandSubject({ line, command: line }) });
  plantRecord();
  plant(join(home.spool, sha256Hex(long)), long);
  plant(join(home.spool, sha256Hex("orphan")), "orphan");
  run(61_000, "alive");
  expect(readdirSync(home.spool)).toEqual([sha256Hex(long)]);
});

test("the record of a server that is gone is swept a minute after its last sign of life", () => {
  plantRecord();
  run(30_000);
  expect(readdirSync(home.servers)).toHaveLength(1);
  run(61_000);
  expect(readdirSync(home.servers)).toEqual([]);
});

test("the record of a server that is gone stays while its client lives, for a day or as long as it asks for something", () => {
  const client = { pid: testServer.pid + 1, startedAt: "of the client" };
  const liveness = ({ startedAt }: { readonly startedAt: string }) =>
    startedAt === client.startedAt && isClientThere ? "alive" : "gone";
  let isClientThere = true;
  const sweepAfter = (ms: number): number => {
    const clock = later(ms);
    sweep({ home, clock, instance: null, liveness, onDecidedFact }, openFace(home).pending());
    return readdirSync(home.servers).length;
  };
  plantRecord({ parent: client });
  expect([sweepAfter(61_000), sweepAfter(23 * 3_600_000)]).toEqual([1, 1]);
  expect(sweepAfter(25 * 3_600_000)).toBe(0);
  const fact = composeRequest(factDraft(), filingFacts({ server: testServer }));
  plant(join(home.pending, requestFileName(fact)), fact);
  plantRecord({ parent: client });
  expect(sweepAfter(25 * 3_600_000)).toBe(1);
  isClientThere = false;
  expect(sweepAfter(25 * 3_600_000)).toBe(0);
});

test("a record that is not ours, or a file that is none, says nothing about who lives", () => {
  const request = plantRequest();
  plant(join(home.servers, `${testServer.instance}.json`), { v: 1, instance: "someoneelsesname" });
  utimesSync(join(home.servers, `${testServer.instance}.json`), 1, 1);
  expect(run(0, "unknown")).toEqual([]);
  expect(run(21_000, "unknown")).toEqual([{ id: request.id, what: "stale" }]);
});

test("of ten sweepers with the same listing one reports each stale request", () => {
  const request = plantRequest();
  plantRecord();
  const listing = openFace(home).pending();
  const options: SweepOptions = {
    home,
    clock: systemClock,
    instance: null,
    liveness: () => "gone",
    onDecidedFact,
  };
  const reports = Array.from({ length: 10 }, () => sweep(options, listing));
  expect(reports.flat()).toEqual([{ id: request.id, what: "stale" }]);
});

test("a home whose directories are missing is swept without complaint", () => {
  for (const place of [home.settled, home.servers, home.spool, home.rejected])
    rmSync(place, { recursive: true });
  const request = plantRequest();
  expect(run(21_000)).toEqual([{ id: request.id, what: "stale" }]);
});

function approvalRequestDraft() {
  const { v, id, createdAt, server, nonce, receiptCommit, binding, ...draft } = approvalRequest();
  return draft;
}
