import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ensureHome, type Home } from "../../../src/broker/channel/home.js";
import { PendingList } from "../../../src/broker/channel/listing.js";
import { type LiveListing, liveListing } from "../../../src/broker/channel/live-listing.js";
import { answerFileName } from "../../../src/broker/request/answer.js";
import { type ApprovalRequest, requestFileName } from "../../../src/broker/request/request.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { answerTo, approvalRequest } from "../../support/builders.js";
import { looksBelow, whileUnopenable } from "../../support/fs-counter.js";
import { plantPending, plantRequest } from "../../support/planted.js";
import { madeHome, tempHome } from "../../support/temp-home.js";

/** An hour from now, so that nothing counts as being written still. */
const later = { ...systemClock, now: () => systemClock.now() + 3_600_000 };

function opened(home: Home = madeHome()): { readonly home: Home; readonly live: LiveListing } {
  ensureHome(home, systemClock);
  return { home, live: liveListing(home, later) };
}

const none = { arrived: [], gone: [], replaced: [] };

function pathOf(home: Home, request: ApprovalRequest): string {
  return join(home.pending, requestFileName(request));
}

test("a look tells what arrived, oldest first, and what is gone; the listing stays the same until then", () => {
  const { home, live } = opened();
  const second = plantRequest(home, 2_000);
  const first = plantRequest(home, 1_000);
  expect(live.listing.requests).toEqual([]);
  expect(live.rescan()).toMatchObject({ arrived: [first, second], gone: [], replaced: [] });
  const { listing } = live;
  expect(listing.requests).toEqual([first, second]);
  expect(live.rescan()).toMatchObject(none);
  expect(live.look([first.id, second.id])).toMatchObject(none);
  expect(live.listing).toBe(listing);
  unlinkSync(pathOf(home, first));
  expect(live.look([second.id])).toMatchObject(none);
  expect(live.look([first.id])).toMatchObject({ ...none, gone: [first] });
  unlinkSync(pathOf(home, second));
  expect(live.rescan()).toMatchObject({ ...none, gone: [second] });
  expect(live.listing.requests).toEqual([]);
});

test("of ten thousand requests a look reads the one that came, and a rescan the new ones alone", () => {
  const { home, live } = opened();
  const count = 10_000;
  const text = JSON.stringify(approvalRequest());
  const { id } = approvalRequest();
  const original = JSON.parse(text).id;
  for (let n = 0; n < count; n += 1) {
    const name = `${id.slice(0, 3)}${String(n)
      .replace(/./g, (digit) => "abcdefghjk"[Number(digit)] ?? "")
      .padStart(5, "a")}`;
    writeFileSync(join(home.pending, `${name}.request.json`), text.replace(original, name), { mode: 0o600 });
  }
  live.rescan();
  expect(live.listing.requests).toHaveLength(count);
  const one = plantRequest(home, 1);
  // Besides, the home itself is judged: that costs the same however much waits.
  const judging = looksBelow(home.path, () => live.look([])).opened;
  const oneLook = looksBelow(home.pending, () => live.look([one.id]));
  expect(oneLook).toMatchObject({ opened: 1, listed: 0 });
  expect(oneLook.asked).toBeLessThanOrEqual(10);
  expect(live.listing.requests[0]).toEqual(one);
  const two = plantRequest(home, 2);
  unlinkSync(pathOf(home, one));
  const whole = looksBelow(home.pending, () => live.rescan());
  expect(whole).toMatchObject({ opened: 1, listed: 1 });
  expect(whole.asked).toBeLessThanOrEqual(10);
  expect(live.listing.requests.slice(0, 1)).toEqual([two]);
  expect(looksBelow(home.pending, () => live.lookAround()).asked).toBeLessThanOrEqual(70);
  expect(looksBelow(home.path, () => live.lookAround()).opened).toBe(judging);
});

test("a request that is changed in place is another one, whatever its time says, and read again only then", () => {
  const { home, live } = opened();
  const request = plantRequest(home, 1_000);
  utimesSync(pathOf(home, request), 1, 1);
  live.rescan();
  // As long as it was, and as old.
  const altered = { ...request, caller: "STDIO" };
  writeFileSync(pathOf(home, request), JSON.stringify(altered));
  utimesSync(pathOf(home, request), 1, 1);
  expect(live.look([request.id])).toMatchObject({ ...none, replaced: [altered] });
  expect(live.listing.requests).toEqual([altered]);
  expect(looksBelow(home.pending, () => live.look([request.id])).opened).toBe(0);
  // The same once more without a word from the system.
  writeFileSync(pathOf(home, request), JSON.stringify(request));
  expect(live.rescan()).toMatchObject(none);
  expect(live.lookAround()).toMatchObject({ ...none, replaced: [request] });
});

test("a file that was touched and says the same is the same request", () => {
  const { home, live } = opened();
  const request = plantRequest(home, 1_000);
  live.rescan();
  const { listing } = live;
  utimesSync(pathOf(home, request), 1, 1);
  expect(looksBelow(home.pending, () => live.look([request.id])).opened).toBe(1);
  expect(live.listing).toBe(listing);
});

test("junk is counted, and costs nothing more while it stays the same", () => {
  const { home, live } = opened();
  const good = plantRequest(home, 1_000);
  symlinkSync("/etc/hostname", join(home.pending, "link2345.request.json"));
  mkdirSync(join(home.pending, "dir23456.request.json"));
  plantPending(home, "text2345.request.json", "junk");
  plantPending(home, "newer234.request.json", '{"v":2,"id":"newer234"}');
  plantPending(home, "orphan23.answer.json", "junk");
  plantPending(home, `${good.id}.answer.json`, "junk");
  plantPending(home, "notes.txt", "mine");
  plantPending(home, ".tmp.text2345.request.json", "mine");
  // Each but what is no file of ours by its name, and what lies in the slot of a request, which its server judges.
  expect(looksBelow(home.pending, () => live.rescan()).opened).toBe(6);
  expect(live.listing).toMatchObject({ requests: [good], newer: ["newer234"] });
  expect(Object.fromEntries(live.listing.unreadable.map(({ name, reason }) => [name, reason]))).toEqual({
    "link2345.request.json": "symbolic link",
    "dir23456.request.json": "not a regular file",
    "text2345.request.json": "not JSON",
    "orphan23.answer.json": "not JSON",
  });
  const again = (): void => {
    live.rescan();
    live.look(["link2345", "dir23456", "text2345", "newer234", "orphan23", good.id]);
    live.lookAround();
  };
  expect(looksBelow(home.pending, again).opened).toBe(0);
  // It became a request: an event tells, or a later look around.
  const request = approvalRequest({}, { id: "text2345" });
  writeFileSync(join(home.pending, "text2345.request.json"), JSON.stringify(request));
  expect(live.lookAround()).toMatchObject({ ...none, arrived: [request], isOther: true });
  // Once its request is gone, what lies in the slot is an answer to nothing.
  unlinkSync(pathOf(home, good));
  live.look([good.id]);
  expect(live.listing.unreadable.map(({ name }) => name)).toContain(`${good.id}.answer.json`);
});

test("a file that somebody still writes is waited for, and one that was a request meanwhile stays one", () => {
  const home = madeHome();
  ensureHome(home, systemClock);
  const live = liveListing(home, systemClock);
  const half = plantPending(home, "abcdefgh.request.json", '{"v":1,');
  const request = plantRequest(home, 1_000);
  live.rescan();
  writeFileSync(pathOf(home, request), '{"v":1,');
  expect(live.look([request.id])).toMatchObject({ ...none, isOther: false });
  expect(live.listing).toMatchObject({ requests: [request], unreadable: [] });
  const whole = approvalRequest({}, { id: "abcdefgh" });
  writeFileSync(half, JSON.stringify(whole));
  expect(live.lookAround().arrived).toEqual([whole]);
  utimesSync(pathOf(home, request), 1, 1);
  expect(live.lookAround()).toMatchObject({ gone: [request], isOther: true });
  expect(live.listing.unreadable).toEqual([{ name: requestFileName(request), reason: "not JSON" }]);
});

test("of very many files those that are still being written are looked at first, and all of them in their turn", () => {
  const home = madeHome();
  ensureHome(home, systemClock);
  const live = liveListing(home, systemClock);
  const requests = Array.from({ length: 100 }, (_, n) => plantRequest(home, n));
  live.rescan();
  const half = plantPending(home, "abcdefgh.request.json", '{"v":1,');
  live.rescan();
  const whole = approvalRequest({}, { id: "abcdefgh" });
  writeFileSync(half, JSON.stringify(whole));
  expect(live.lookAround().arrived).toEqual([whole]);
  for (const round of ["one", "two"]) {
    const altered = requests.map((request) => ({ ...request, says: round }));
    for (const one of altered) writeFileSync(pathOf(home, one), JSON.stringify(one));
    const seen = Array.from({ length: 4 }, () => live.lookAround().replaced);
    expect(seen[0]?.length).toBeLessThanOrEqual(64);
    expect(seen.flat()).toHaveLength(100);
    expect(live.listing.requests.slice(0, 100)).toEqual(altered);
  }
});

test.each(["EMFILE", "EIO"])(
  "a file that this machine cannot open now (%s) is no junk: it is tried again",
  (errno) => {
    const { home, live } = opened();
    const [one, two] = [plantRequest(home, 1_000), plantRequest(home, 2_000)];
    unlinkSync(pathOf(home, two));
    live.rescan();
    plantRequest(home, 2_000, two);
    writeFileSync(pathOf(home, one), JSON.stringify({ ...one, says: "other" }));
    whileUnopenable(home.pending, errno, () => live.look([one.id, two.id]));
    expect(live.listing.requests).toEqual([one]);
    expect(live.listing.unreadable).toEqual([
      { name: requestFileName(two), reason: `cannot be read (${errno})` },
    ]);
    live.lookAround();
    expect(live.listing).toMatchObject({ requests: [{ ...one, says: "other" }, two], unreadable: [] });
  },
);

test.each<[string, (home: Home) => void, (home: Home) => void]>([
  [
    "pending/ is open to others",
    ({ pending }) => chmodSync(pending, 0o755),
    ({ pending }) => chmodSync(pending, 0o700),
  ],
  ["the home is open to others", ({ path }) => chmodSync(path, 0o750), ({ path }) => chmodSync(path, 0o700)],
  [
    "pending/ is a link",
    ({ pending, path }) => {
      renameSync(pending, join(path, "elsewhere"));
      symlinkSync(join(path, "elsewhere"), pending);
    },
    ({ pending, path }) => {
      unlinkSync(pending);
      renameSync(join(path, "elsewhere"), pending);
    },
  ],
  [
    "the home says that it is another program's",
    ({ path }) => writeFileSync(join(path, "format"), "other 1\n"),
    ({ path }) => writeFileSync(join(path, "format"), "wisp-broker 1\n"),
  ],
])("nothing is listed while %s, and all of it again afterwards", (_when, spoil, repair) => {
  const { home, live } = opened();
  const request = plantRequest(home, 1_000);
  live.rescan();
  spoil(home);
  const unsafe = expect.objectContaining({ code: "channel_unsafe" });
  for (const look of [() => live.look([request.id]), () => live.rescan(), () => live.lookAround()]) {
    expect(look).toThrow(unsafe);
    expect(live.listing).toEqual({ requests: [], newer: [], unreadable: [] });
  }
  repair(home);
  expect(live.look([])).toMatchObject({ ...none, arrived: [request] });
  expect(live.listing.requests).toEqual([request]);
});

test("where there is no home nothing waits, and what was there is gone with it", () => {
  const home = tempHome();
  const live = liveListing(home, later);
  for (const look of [() => live.rescan(), () => live.look(["abcdefgh"]), () => live.lookAround()]) {
    expect(look()).toMatchObject(none);
  }
  ensureHome(home, systemClock);
  mkdirSync(home.pending, { mode: 0o700 });
  const request = plantRequest(home, 1_000);
  expect(live.lookAround().arrived).toEqual([request]);
  rmSync(home.path, { recursive: true });
  expect(live.look([])).toMatchObject({ ...none, gone: [request] });
});

/** One thing that happens to the directory, and how the listing hears of it. */
interface Happening {
  readonly what: "file" | "remove" | "alter" | "answer" | "junk" | "orphan";
  readonly which: number;
  readonly heard: "event" | "rescan" | "nothing";
}

const happening: fc.Arbitrary<Happening> = fc.record({
  what: fc.constantFrom("file", "remove", "alter", "answer", "junk", "orphan"),
  which: fc.nat({ max: 7 }),
  heard: fc.constantFrom("event", "rescan", "nothing"),
});

test("whatever happens in whatever order, it ends with what a whole reading finds, and its changes add up", () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 40 }), (happenings) => {
      const { home, live } = opened(tempHome());
      mkdirSync(home.pending, { mode: 0o700 });
      const requests = Array.from({ length: 8 }, (_, n) =>
        approvalRequest({}, { id: `req${"abcdefgh"[n]}2345`, createdAt: 1_000 + n }),
      );
      const shown = new Map<string, unknown>();
      const follow = ({ arrived, gone, replaced }: ReturnType<LiveListing["rescan"]>): void => {
        for (const { id } of gone) expect(shown.delete(id)).toBe(true);
        for (const one of arrived) {
          expect(shown.has(one.id)).toBe(false);
          shown.set(one.id, one);
        }
        for (const one of replaced) {
          expect(shown.has(one.id)).toBe(true);
          shown.set(one.id, one);
        }
      };
      for (const { what, which, heard } of happenings) {
        const request = requests[which];
        if (request === undefined) throw new Error("There are eight.");
        happen(home, request, what);
        if (heard === "event") follow(live.look([request.id]));
        else if (heard === "rescan") follow(live.rescan());
      }
      follow(live.rescan());
      follow(live.lookAround());
      const whole = new PendingList().read(home.pending, later.now());
      expect(live.listing.requests).toEqual(whole.requests);
      expect([...live.listing.unreadable].sort(byName)).toEqual([...whole.unreadable].sort(byName));
      expect([...shown.values()]).toHaveLength(whole.requests.length);
      expect([...shown.values()]).toEqual(expect.arrayContaining([...whole.requests]));
    }),
    { numRuns: 60 },
  );
});

function happen(home: Home, request: ApprovalRequest, what: Happening["what"]): void {
  const path = pathOf(home, request);
  switch (what) {
    case "file":
      rmSync(path, { force: true });
      plantRequest(home, 0, request);
      return;
    case "remove":
      rmSync(path, { force: true });
      return;
    case "alter":
      plantPending(home, requestFileName(request), JSON.stringify({ ...request, says: "other" }));
      return;
    case "answer":
      plantPending(home, answerFileName(request.id), JSON.stringify(answerTo(request)));
      return;
    case "junk":
      plantPending(home, requestFileName(request), "junk");
      return;
    case "orphan":
      plantPending(home, answerFileName(request.id), "junk");
      return;
    default:
      what satisfies never;
  }
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1;
}
