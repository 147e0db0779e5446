import { chmodSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { commitmentOf, proveReceipt } from "../../src/broker/request/binding.js";
import { looksBelow } from "../support/fs-counter.js";
import { watchedInbox } from "../support/inboxes.js";
import { plantReceipt, plantRequest } from "../support/planted.js";
import { denied, forged, markedHome, pathOf, proved, receiptPathOf, waiting } from "../support/provable.js";

test("a request waits no longer when its receipt is proved, and that is told once, cleared away or not", () => {
  const home = markedHome();
  const request = waiting(home);
  const { inbox, changes, told, event, advance } = watchedInbox(home);
  advance(50);
  plantReceipt(home, proved(request));
  event(receiptPathOf(home, request));
  expect(inbox.state.requests).toEqual([]);
  expect(changes).toEqual([{ kind: "left", request, ending: { receipt: proved(request), proof: "proved" } }]);
  advance(2_000);
  unlinkSync(pathOf(home, request));
  event(pathOf(home, request));
  advance(2_000);
  expect(told()).toEqual([`-${request.id} proved`]);
  // One that had ended before anybody looked is nobody's business.
  const other = waiting(home);
  plantReceipt(home, proved(other));
  event(pathOf(home, other));
  expect([told(), watchedInbox(home).inbox.state.requests]).toEqual([[], []]);
});

test("a request whose file is gone says how it ended, from a receipt that nothing told of", () => {
  const home = markedHome();
  const request = waiting(home);
  const { inbox, told, event, advance } = watchedInbox(home);
  advance(50);
  plantReceipt(home, proved(request));
  unlinkSync(pathOf(home, request));
  event(pathOf(home, request));
  expect([told(), inbox.state.requests]).toEqual([[`-${request.id} proved`], []]);
});

test("where no receipt can be read it is looked for once more, and until then the request stands there", () => {
  const home = markedHome();
  const [one, two, three] = [waiting(home, 1_000), waiting(home, 2_000), waiting(home, 3_000)];
  const { inbox, told, event, advance } = watchedInbox(home);
  advance(50);
  for (const request of [one, two, three]) unlinkSync(pathOf(home, request));
  for (const request of [one, two, three]) event(pathOf(home, request));
  advance(20);
  expect(inbox.state.requests).toEqual([one, two, three]);
  expect(told()).toEqual([]);
  // Of one the receipt is told of, of the second it is there when it is looked for, of the third there is none.
  plantReceipt(home, proved(one));
  event(receiptPathOf(home, one));
  advance(20);
  expect(told()).toEqual([`-${one.id} proved`]);
  plantReceipt(home, forged(two));
  advance(60);
  expect(told().toSorted()).toEqual([`-${two.id} unproved`, `-${three.id} nothing`].toSorted());
  expect(inbox.state.requests).toEqual([]);
  advance(2_000);
  expect(told()).toEqual([]);
});

test("many that are gone in one look are looked for once more together, and make one new state", () => {
  const home = markedHome();
  const requests = Array.from({ length: 20 }, (_, index) => waiting(home, 1_000 + index));
  const { inbox, told, event, advance } = watchedInbox(home);
  advance(50);
  const states = new Set<unknown>();
  inbox.onChange(() => void states.add(inbox.state));
  for (const request of requests) unlinkSync(pathOf(home, request));
  for (const request of requests) event(pathOf(home, request));
  advance(20);
  states.clear();
  advance(60);
  expect(told()).toHaveLength(requests.length);
  // The first event is looked at alone, and what follows it together.
  expect(states.size).toBeLessThanOrEqual(2);
  expect(inbox.state.requests).toEqual([]);
});

test("a forged receipt hides nothing, and its request is answered all the same", () => {
  const home = markedHome();
  const request = waiting(home);
  const { inbox, told, event, advance } = watchedInbox(home);
  advance(50);
  const path = receiptPathOf(home, request);
  for (const receipt of [forged(request), proveReceipt(denied(request), new Uint8Array(32).fill(8))]) {
    plantReceipt(home, receipt);
    event(path);
    advance(1_000);
    expect([told(), inbox.state.requests]).toEqual([[], [request]]);
  }
  plantReceipt(home, proved(request));
  event(path);
  expect(told()).toEqual([`-${request.id} proved`]);
});

test("a request that is changed after it was seen is shown as it is now, and ends by what it was", () => {
  const home = markedHome();
  const request = waiting(home);
  const { inbox, told, event, advance } = watchedInbox(home);
  advance(50);
  // Whoever changes it can commit it to a receipt of his own.
  const theirs = new Uint8Array(32).fill(8);
  const altered = { ...request, says: "harmless", receiptCommit: commitmentOf(theirs) };
  writeFileSync(pathOf(home, request), JSON.stringify(altered));
  event(pathOf(home, request));
  expect([told(), inbox.state.requests]).toEqual([["other"], [altered]]);
  plantReceipt(home, proveReceipt(denied(request), theirs));
  event(receiptPathOf(home, request));
  advance(1_000);
  expect([told(), inbox.state.requests]).toEqual([[], [altered]]);
  plantReceipt(home, proved(request));
  event(receiptPathOf(home, request));
  expect([told(), inbox.state.requests]).toEqual([[`-${request.id} proved`], []]);
});

test("a forged receipt is read again when something happens to it, and not because something else did", () => {
  const home = markedHome();
  const request = waiting(home);
  plantReceipt(home, forged(request));
  const { inbox, told, event, advance } = watchedInbox(home);
  const reads = looksBelow(home.settled, () => {
    for (let n = 0; n < 5; n += 1) {
      waiting(home, 2_000 + n);
      advance(1_000);
    }
  });
  expect([inbox.state.requests.length, reads.opened]).toEqual([6, 0]);
  told();
  plantReceipt(home, proved(request));
  event(receiptPathOf(home, request));
  advance(50);
  expect(told()).toEqual([`-${request.id} proved`]);
});

test("a request whose file comes back at once has not left, and leaves when it is gone for good", () => {
  const home = markedHome();
  const request = waiting(home);
  const { inbox, told, event, advance } = watchedInbox(home);
  advance(50);
  unlinkSync(pathOf(home, request));
  event(pathOf(home, request));
  advance(20);
  plantRequest(home, 0, request);
  event(pathOf(home, request));
  advance(1_000);
  expect([told(), inbox.state.requests]).toEqual([["other"], [request]]);
  unlinkSync(pathOf(home, request));
  event(pathOf(home, request));
  advance(100);
  expect([told(), inbox.state.requests]).toEqual([[`-${request.id} nothing`], []]);
});

const happening = fc.record({
  what: fc.constantFrom("file", "remove", "prove", "forge", "forget", "spoil", "repair"),
  which: fc.nat({ max: 4 }),
  heard: fc.constantFrom("event", "time", "nothing"),
  ms: fc.integer({ min: 0, max: 1_500 }),
});

test("whatever happens, each request arrives once and leaves once, and what is shown is what has not left", () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 25 }), (happenings) => {
      const home = markedHome();
      const { inbox, changes, event, advance } = watchedInbox(home);
      const slots: (ReturnType<typeof waiting> | null)[] = [null, null, null, null, null];
      for (const [n, { what, which, heard, ms }] of happenings.entries()) {
        const request = slots[which] ?? null;
        if (what === "file" && request === null) slots[which] = waiting(home, 1_000 + n);
        if (what === "spoil") chmodSync(home.pending, 0o755);
        if (what === "repair") chmodSync(home.pending, 0o700);
        if (request === null) continue;
        if (what === "prove") plantReceipt(home, proved(request));
        if (what === "forge") plantReceipt(home, forged(request));
        if (what === "forget") rmSync(receiptPathOf(home, request), { force: true });
        if (what === "remove") {
          unlinkSync(pathOf(home, request));
          slots[which] = null;
        }
        if (heard === "event")
          event(what === "remove" ? pathOf(home, request) : receiptPathOf(home, request));
        if (heard === "time") advance(ms);
      }
      chmodSync(home.pending, 0o700);
      advance(3_000);
      const arrived = changes.flatMap((change) => (change.kind === "arrived" ? change.requests : []));
      const left = changes.flatMap((change) => (change.kind === "left" ? [change.request] : []));
      const ids = (some: readonly { readonly id: string }[]): readonly string[] => some.map(({ id }) => id);
      expect(new Set(ids(arrived)).size).toBe(arrived.length);
      expect(new Set(ids(left)).size).toBe(left.length);
      const shown = ids(arrived).filter((id) => !ids(left).includes(id));
      expect(ids(inbox.state.requests).toSorted()).toEqual(shown.toSorted());
      // What lies there and was not proved to have ended is shown, and nothing else.
      const there = slots.flatMap((request) => request ?? []);
      for (const { id } of inbox.state.requests) expect(ids(there)).toContain(id);
    }),
    { numRuns: 50 },
  );
});
