import { chmodSync, existsSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Home } from "../../src/broker/channel/home.js";
import { openInbox } from "../../src/face/open-inbox.js";
import { fileByDeadServer, settleAnswers } from "../support/answering.js";
import { answerTo, approvalDraft } from "../support/builders.js";
import { fakeTerminal } from "../support/fake-terminal.js";
import { long } from "../support/filed.js";
import { looksBelow } from "../support/fs-counter.js";
import { age, watchedInbox } from "../support/inboxes.js";
import { plantPending, plantReceipt } from "../support/planted.js";
import { markedHome, pathOf, proved, waiting } from "../support/provable.js";
import { openAsker, openFace, ownServer, tempHome } from "../support/temp-home.js";

test("what waits stands in the state from the start; what comes later arrives once", () => {
  const home = markedHome();
  const first = waiting(home, 1_000);
  const { inbox, told, event, advance } = watchedInbox(home);
  expect(inbox.state.requests).toEqual([first]);
  expect(told()).toEqual([]);
  advance(50);
  const second = waiting(home, 2_000);
  event(pathOf(home, second));
  expect(inbox.state.requests).toEqual([first, second]);
  expect(told()).toEqual([`+${second.id}`]);
  const { state } = inbox;
  event(pathOf(home, second));
  advance(2_000);
  expect(told()).toEqual([]);
  expect(inbox.state).toBe(state);
});

test("what no event told arrives with the next look at the directory", () => {
  const home = markedHome();
  const { told, advance } = watchedInbox(home);
  const request = waiting(home);
  advance(1_000);
  expect(told()).toEqual([`+${request.id}`]);
});

test("a home that does not exist is no fault, and what its first server asks arrives", () => {
  const home = tempHome();
  const { inbox, told, advance } = watchedInbox(home);
  expect(inbox.state).toMatchObject({ requests: [], health: { kind: "watching" } });
  advance(2_000);
  expect(told()).toEqual([]);
  const request = openAsker(home).channel.file(approvalDraft(), []);
  advance(1_000);
  expect(told()).toEqual([`+${request.id}`]);
  expect(inbox.state.health).toEqual({ kind: "watching" });
});

test("what lies there and is no request of ours is told beside", () => {
  const home = markedHome();
  const { inbox, told, event, advance } = watchedInbox(home);
  advance(50);
  age(plantPending(home, "junk2345.request.json", "[]"));
  event(plantPending(home, "newer234.request.json", '{"v":2,"id":"newer234"}'));
  expect([told(), inbox.state.newer]).toEqual([["other"], ["newer234"]]);
  advance(1_000);
  expect(inbox.state.unreadable).toEqual([{ name: "junk2345.request.json", reason: "bad id" }]);
  expect(told()).toEqual(["other"]);
});

const spoiled: readonly [string, (home: Home) => void, (home: Home) => void][] = [
  ["pending/", ({ pending }) => chmodSync(pending, 0o755), ({ pending }) => chmodSync(pending, 0o700)],
  ["the home", ({ path }) => chmodSync(path, 0o755), ({ path }) => chmodSync(path, 0o700)],
];

test.each(spoiled)(
  "while others can open %s nothing is shown, and it is told within a second",
  (_what, spoil, repair) => {
    const home = markedHome();
    const [stays, ends] = [waiting(home, 1_000), waiting(home, 2_000)];
    const { inbox, told, event, advance } = watchedInbox(home);
    age(home.pending);
    advance(2_000);
    told();
    spoil(home);
    advance(1_000);
    expect(told()).toEqual(["other"]);
    expect(inbox.state).toMatchObject({ requests: [], newer: [], unreadable: [], detached: [] });
    expect(inbox.state.health).toMatchObject({ kind: "unusable" });
    const { health } = inbox.state;
    expect(health.kind === "unusable" && health.complaint.fix).toMatch(/^chmod 700 /);
    const comes = waiting(home, 3_000);
    event(pathOf(home, comes));
    plantReceipt(home, proved(ends));
    unlinkSync(pathOf(home, ends));
    event(pathOf(home, ends));
    advance(3_000);
    expect(told()).toEqual([]);
    repair(home);
    advance(1_000);
    expect(told()).toEqual([`+${comes.id}`, `-${ends.id} proved`, "other"]);
    expect(inbox.state).toMatchObject({ requests: [stays, comes], health: { kind: "watching" } });
    // Once more, while nothing else happens; and once more, while one goes and nothing says how.
    spoil(home);
    advance(1_000);
    repair(home);
    advance(1_000);
    expect(told()).toEqual(["other", "other"]);
    expect(inbox.state.requests).toEqual([stays, comes]);
    spoil(home);
    advance(1_000);
    unlinkSync(pathOf(home, comes));
    repair(home);
    advance(1_100);
    expect(told()).toEqual(["other", "other", `-${comes.id} nothing`]);
    expect(inbox.state.requests).toEqual([stays]);
  },
);

test("a home that is unsafe from the start shows what waits once it is safe", () => {
  const home = markedHome();
  const request = waiting(home);
  chmodSync(home.pending, 0o777);
  const { inbox, told, advance } = watchedInbox(home);
  expect(inbox.state).toMatchObject({ requests: [], health: { kind: "unusable" } });
  chmodSync(home.pending, 0o700);
  advance(1_000);
  expect(told()).toEqual([`+${request.id}`, "other"]);
  // No watch was started in a directory that was not safe; it is tried again.
  expect(inbox.state.health).toEqual({ kind: "polling" });
  advance(30_000);
  expect(inbox.state.health).toEqual({ kind: "watching" });
});

test("what waited in a home that was removed is gone, and another home is watched in its place", () => {
  const home = markedHome();
  const request = waiting(home);
  const { inbox, told, advance } = watchedInbox(home);
  renameSync(home.path, `${home.path}.old`);
  advance(1_100);
  expect([told(), inbox.state.requests]).toEqual([[`-${request.id} nothing`], []]);
  const other = openAsker(home).channel.file(approvalDraft(), []);
  advance(1_000);
  expect(told()).toEqual([`+${other.id}`]);
  rmSync(`${home.path}.old`, { recursive: true });
});

test.each(["EMFILE", "ENOSPC"])(
  "where no watch is to be had (%s) the directory is looked at over and over",
  (errno) => {
    const home = markedHome();
    const request = waiting(home);
    const { inbox, told, advance } = watchedInbox(home, errno);
    expect(inbox.state).toMatchObject({ requests: [request], health: { kind: "polling" } });
    const other = waiting(home, 2_000);
    advance(100);
    expect(told()).toEqual([`+${other.id}`]);
    plantReceipt(home, proved(request));
    unlinkSync(pathOf(home, request));
    advance(100);
    expect(told()).toEqual([`-${request.id} proved`]);
  },
);

test("where the directory is polled servers are looked for once a second all the same", () => {
  const home = markedHome();
  waiting(home);
  const { advance } = watchedInbox(home, "EMFILE");
  advance(500);
  expect(looksBelow(home.servers, () => advance(3_000)).listed).toBe(3);
});

test("a watch whose probe does not come back is no watch", () => {
  const home = markedHome();
  const { inbox, told, advance } = watchedInbox(home, null, "deaf");
  expect(inbox.state.health).toEqual({ kind: "watching" });
  advance(300);
  expect([told(), inbox.state.health]).toEqual([["other"], { kind: "polling" }]);
});

test("requests whose agent stopped waiting are named within a second, by the word of their own server", () => {
  const home = tempHome();
  const { channel } = openAsker(home);
  const [one, two] = [channel.file(approvalDraft(), []), channel.file(approvalDraft(), [])];
  const { inbox, told, advance } = watchedInbox(home);
  channel.detached(one.id, true);
  advance(1_000);
  expect([told(), inbox.state.detached]).toEqual([["other"], [one.id]]);
  const record = JSON.parse(readFileSync(join(home.servers, `${ownServer.instance}.json`), "utf8"));
  const lie = { ...record, instance: "z".repeat(16), pid: 1, detached: [two.id] };
  writeFileSync(join(home.servers, `${lie.instance}.json`), JSON.stringify(lie), { mode: 0o600 });
  advance(1_000);
  expect(told()).toEqual([]);
  channel.detached(one.id, false);
  advance(1_000);
  expect([told(), inbox.state.detached]).toEqual([["other"], []]);
});

test("what a dead server left is swept at the start and every ten seconds, and the log says which face did it", async () => {
  const home = tempHome();
  const first = fileByDeadServer(home);
  const { inbox, told, advance } = watchedInbox(home);
  advance(1_000);
  expect([told(), inbox.state.requests]).toEqual([[`-${first.id} unproved`], []]);
  const second = fileByDeadServer(home);
  advance(1_000);
  expect(told()).toEqual([`+${second.id}`]);
  advance(9_000);
  expect(told()).toEqual([`-${second.id} unproved`]);
  const path = join(home.path, "audit", "log.jsonl");
  const lines = () => (existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : []);
  await expect.poll(() => lines().length).toBe(2);
  expect(lines().map((line) => JSON.parse(line))).toMatchObject([
    { kind: "request.swept", session: "tui", call: first.id, verified: { what: "stale" } },
    { kind: "request.swept", session: "tui", call: second.id, verified: { what: "stale" } },
  ]);
});

test("what comes all at once is told in two changes: the first at once, the others together", () => {
  const home = markedHome();
  const { inbox, changes, event, advance } = watchedInbox(home);
  advance(50);
  const requests = Array.from({ length: 20 }, (_, n) => waiting(home, 1_000 + n));
  for (const request of requests) event(pathOf(home, request));
  expect(inbox.state.requests).toEqual(requests.slice(0, 1));
  advance(20);
  expect(changes.map((change) => change.kind === "arrived" && change.requests.length)).toEqual([1, 19]);
  expect(inbox.state.requests).toEqual(requests);
});

test("what happens to one while all of them are about to be looked at is not forgotten", () => {
  const home = markedHome();
  const request = waiting(home);
  const { inbox, told, event, advance } = watchedInbox(home);
  advance(1_000);
  // The directory has just been looked at; this is told of before the next look, and so is a change to this one.
  event(home.pending);
  const other = waiting(home, 2_000);
  const altered = { ...request, says: "other" };
  writeFileSync(pathOf(home, request), JSON.stringify(altered));
  event(pathOf(home, request));
  advance(50);
  expect(told()).toEqual([`+${other.id}`, "other"]);
  expect(inbox.state.requests).toEqual([altered, other]);
});

test("an answer is this face's own, and ends the request here as everywhere", async () => {
  const home = tempHome();
  const { channel } = openAsker(home);
  settleAnswers(channel);
  const request = channel.file(approvalDraft(), []);
  const inbox = openInbox(fakeTerminal({ home }), "tui");
  const left: unknown[] = [];
  inbox.onChange((change) => {
    if (change.kind === "left") left.push([change.request.id, change.ending?.proof]);
  });
  const given = { decision: "approve", scope: "once", note: "go on" } as const;
  const options = { signal: new AbortController().signal, onSilent: () => {} };
  const ending = await inbox.answer(request, given, options);
  expect(ending).toMatchObject({
    kind: "won",
    receipt: { via: "tui", decision: "approve", scope: "once", note: "go on" },
    isVerified: true,
  });
  await expect.poll(() => left, long).toEqual([[request.id, "proved"]]);
  expect((await inbox.answer(request, given, options)).kind).toBe("settled");
  inbox.close();
});

test("of two faces that answer at once exactly one wins, and both see the request leave", async () => {
  const home = tempHome();
  const { channel } = openAsker(home);
  settleAnswers(channel);
  const request = channel.file(approvalDraft(), []);
  const inboxes = (["tui", "chat"] as const).map((via) => openInbox(fakeTerminal({ home }), via));
  const left: string[] = [];
  for (const inbox of inboxes) {
    inbox.onChange((change) => void (change.kind === "left" && left.push(change.request.id)));
  }
  const options = { signal: new AbortController().signal, onSilent: () => {} };
  const endings = await Promise.all(
    inboxes.map((inbox) => inbox.answer(request, { decision: "deny", scope: null, note: null }, options)),
  );
  expect(endings.map(({ kind }) => kind).sort()).toEqual(["settled", "won"]);
  await expect.poll(() => left, long).toEqual([request.id, request.id]);
  for (const inbox of inboxes) inbox.close();
});

test("an answer in an unsafe directory is refused, and one in a safe directory is given", async () => {
  const home = tempHome();
  const { channel } = openAsker(home);
  settleAnswers(channel);
  const request = channel.file(approvalDraft(), []);
  const inbox = openInbox(fakeTerminal({ home }), "tui");
  chmodSync(home.pending, 0o755);
  const given = { decision: "approve", scope: "once", note: null } as const;
  const options = { signal: new AbortController().signal, onSilent: () => {} };
  await expect(inbox.answer(request, given, options)).rejects.toMatchObject({ code: "channel_unsafe" });
  chmodSync(home.pending, 0o700);
  // Its server gave that one up: an unsafe directory decides nothing.
  const next = channel.file(approvalDraft(), []);
  expect((await inbox.answer(next, given, options)).kind).toBe("won");
  inbox.close();
});

test("an inbox that was closed tells nothing more, holds no timer and ends what it waited for", async () => {
  const home = markedHome();
  const request = waiting(home);
  const { inbox, clock, told, event, advance } = watchedInbox(home);
  advance(50);
  unlinkSync(pathOf(home, request));
  event(pathOf(home, request));
  const other = waiting(home, 2_000);
  const waits = inbox.answer(
    other,
    { decision: "deny", scope: null, note: null },
    { signal: new AbortController().signal, onSilent: () => {} },
  );
  expect(openFace(home).slot(other.id).kind).toBe("answer");
  inbox.close();
  expect(await waits).toEqual({ kind: "unread" });
  expect(clock.timers).toBe(0);
  event(pathOf(home, other));
  advance(2_000);
  expect(told()).toEqual([]);
  // What was given counts all the same.
  expect(openFace(home).answer(answerTo(other))).toBe(false);
});

test("a home that cannot be named is no inbox", () => {
  const terminal = fakeTerminal({ environment: { WISP_HOME: "relative" } });
  expect(() => openInbox(terminal, "tui")).toThrow(expect.objectContaining({ code: "channel_unsafe" }));
});
