/** Facts whose server asked and ended, decided with the built programs. */
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Home } from "../../src/broker/channel/home.js";
import { ownIdentity } from "../../src/broker/identity/process.js";
import { answerTo, approvalDraft } from "../support/builders.js";
import { runBare, wispOn } from "../support/built.js";
import { decisionOn, factState, factsIn, leftFact, sweepFacts } from "../support/fact-trip.js";
import { ptyMissing, startInPty } from "../support/pty.js";
import { openAsker, openFace } from "../support/temp-home.js";
import { recordsOf } from "../support/trip.js";

const missing = ptyMissing === null ? "" : ` (skipped: ${ptyMissing})`;
const over = { isWaiting: false, hasSlot: false };

/** Types `wisp facts …` at a terminal that belongs to nobody's client. */
function typed(home: Home, ...words: readonly string[]) {
  return startInPty(wispOn(home, "facts", ...words), { isApart: true, columns: 200 });
}

/** As if this test were the server of a client that gives its agent a shell: all that it starts lies within. */
function claimToBeAnAgents(home: Home): void {
  const { instance } = openAsker(home).channel.file(approvalDraft(), []).server;
  const path = join(home.servers, `${instance}.json`);
  const record = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify({ ...record, client: { name: "claude-code", version: "1" } }));
}

describe.skipIf(ptyMissing !== null)(`a fact whose server asked and ended, in a terminal${missing}`, () => {
  test("is kept by the face that answers, which looks at itself, and is written down before", async () => {
    const { home, request } = await leftFact();
    const pty = typed(home, "keep", request.id);
    expect(await pty.ended, pty.output()).toBe(0);
    // What no server looked at is not called doubtful for that.
    expect(pty.output()).toContain("kept (project, its server is gone): ");
    expect(pty.output()).not.toContain("unverified");
    expect(factState(home, request)).toEqual({ ...over, standing: "kept", told: "keep" });
    expect(factsIn(home).list().kept).toMatchObject([
      {
        id: request.id,
        scope: "project",
        keptBy: { via: "cli", assurance: "terminal", session: "cli" },
        proposedBy: { session: request.server.instance },
      },
    ]);
    expect(openFace(home).receipt(request.id)).toMatchObject({ verified: { terminal: true }, reveal: null });
    expect(recordsOf(home, "fact.answered", request.id)).toMatchObject([
      { details: { decision: "keep", assurance: "terminal" } },
    ]);
    expect(recordsOf(home, "fact.settled", request.id)).toMatchObject([{ details: { outcome: "answered" } }]);
  });

  test("is kept everywhere where the person says so, and dropped for good", async () => {
    const one = await leftFact();
    const everywhere = typed(one.home, "keep", one.request.id, "--scope", "global");
    await expect.poll(everywhere.output, { timeout: 30_000 }).toContain("Type y and Enter");
    everywhere.type("y\n");
    expect(await everywhere.ended).toBe(0);
    expect(factsIn(one.home).list().kept).toMatchObject([{ scope: "global" }]);
    const other = await leftFact();
    expect(await typed(other.home, "drop", other.request.id, "--for-good").ended).toBe(0);
    expect(factState(other.home, other.request)).toEqual({ ...over, standing: "dropped", told: "drop" });
    expect(factsIn(other.home).list().dropped).toMatchObject([{ isForGood: true }]);
  });

  test("is not kept by a shell of an agent whose client's server lives, and is by a person elsewhere", async () => {
    const { home, request } = await leftFact();
    claimToBeAnAgents(home);
    const within = startInPty(wispOn(home, "facts", "keep", request.id), { columns: 200 });
    expect(await within.ended, within.output()).toBe(10);
    expect(factState(home, request)).toMatchObject({
      standing: "undecided",
      isWaiting: true,
      hasSlot: false,
    });
    expect(recordsOf(home, "answer.refused", request.id)).toMatchObject([
      { details: { reason: "assurance_insufficient: within_client" } },
    ]);
    expect(await runBare(wispOn(home, "facts", "keep", request.id))).toMatchObject({ exit: 4 });
    expect(await typed(home, "keep", request.id).ended).toBe(0);
    expect(factState(home, request)).toMatchObject({ ...over, standing: "kept" });
  });

  test("is listed beside a link and half a file, which are counted by all that list facts", async () => {
    const { home, request } = await leftFact();
    expect(await typed(home, "keep", request.id).ended).toBe(0);
    const directory = join(home.path, "facts/project");
    symlinkSync(join(directory, `${request.id}.json`), join(directory, "k7q2mx9d.json"));
    writeFileSync(join(directory, "k7q2mx9e.json"), '{"v": 1, "va', { mode: 0o600 });
    const listing = typed(home, "list");
    expect(await listing.ended).toBe(0);
    expect(listing.output()).toContain(request.id);
    expect(listing.output()).toContain("2 files in facts/ are none that this home kept.");
    const doctor = startInPty(wispOn(home, "doctor"), { isApart: true, columns: 300 });
    await doctor.ended;
    expect(doctor.output()).toContain("1 kept, 0 dropped; 2 files are none that this home kept");
  });

  test("is not kept by a shell of an agent that ended its own server, nor after a sweep, and is by a person elsewhere", async () => {
    const { home, request } = await leftFact();
    const path = join(home.servers, `${request.server.instance}.json`);
    const record = JSON.parse(readFileSync(path, "utf8"));
    const { pid, startedAt } = ownIdentity();
    // As if this test had started that server as a client that gives its agent a shell: all that it starts lies within.
    const client = { name: "claude-code", version: "1" };
    writeFileSync(path, JSON.stringify({ ...record, parent: { pid, startedAt }, client }));
    await sweepFacts(home, 120_000);
    const within = startInPty(wispOn(home, "facts", "keep", request.id), { columns: 200 });
    expect(await within.ended, within.output()).toBe(10);
    expect(factState(home, request)).toMatchObject({ standing: "undecided", isWaiting: true });
    expect(await typed(home, "keep", request.id).ended).toBe(0);
    expect(factState(home, request)).toMatchObject({ ...over, standing: "kept" });
  });

  test("is not kept where it was altered, and nothing that vanished is", async () => {
    const { home, request } = await leftFact();
    const altered = { ...request, fact: { ...request.fact, value: "rm -rf" } };
    writeFileSync(join(home.pending, `${request.id}.fact.json`), JSON.stringify(altered));
    expect(await typed(home, "keep", request.id).ended).not.toBe(0);
    expect(factState(home, request)).toMatchObject({ ...over, standing: "undecided", told: null });
    expect(await typed(home, "keep", request.id).ended).not.toBe(0);
    expect(factsIn(home).list().kept).toEqual([]);
  });
});

test("what another process dropped is carried out by the sweep of a verb that only looks", async () => {
  const { home, request } = await leftFact();
  openFace(home).answer(decisionOn(request, "drop"));
  expect((await runBare(wispOn(home, "approvals", "pending"))).exit).toBe(0);
  expect(factState(home, request)).toEqual({ ...over, standing: "dropped", told: "drop" });
});

test("a keep of a process that is gone is moved away by a sweep, and the fact waits on", async () => {
  const { home, request } = await leftFact();
  openFace(home).answer(answerTo(request, { decision: "keep", scope: null }));
  expect((await runBare(wispOn(home, "approvals", "pending"))).exit).toBe(0);
  expect(factState(home, request)).toMatchObject({ standing: "undecided", isWaiting: true, hasSlot: false });
  expect(readdirSync(home.rejected)).toEqual([`${request.id}.1.json`]);
  openFace(home).answer(decisionOn(request, "drop"));
  expect((await runBare(wispOn(home, "approvals", "pending"))).exit).toBe(0);
  expect(factState(home, request)).toMatchObject({ ...over, standing: "dropped" });
});
