/** The store with the real state: what the channel tells, until it stands on the screen. */
import { describe, expect, it } from "vitest";
import type { Request } from "../../../src/broker/request/request.js";
import type { InboxChange } from "../../../src/face/inbox.js";
import { screenOf } from "../../../src/tui/screen/screen-of.js";
import { initialModel } from "../../../src/tui/state/model.js";
import { step } from "../../../src/tui/state/step.js";
import { openStore, type Store } from "../../../src/tui/store.js";
import { FakeClock } from "../../support/fake-clock.js";
import { receiptOf } from "../../support/fake-inbox.js";
import { type HeldInbox, heldInbox } from "../../support/held-inbox.js";
import { keyOf, viewFor } from "../../support/tui-events.js";
import { toRun } from "../../support/tui-requests.js";

interface Opened {
  readonly store: Store;
  readonly inbox: HeldInbox;
  press(spelled: string): void;
  /** What the person has been told. */
  told(): readonly string[];
}

function open(waiting: readonly Request[]): Opened {
  const clock = new FakeClock();
  const inbox = heldInbox(waiting);
  const place = { home: "~/.wisp", environment: {} };
  const store = openStore({
    machine: {
      initial: initialModel({ size: { columns: 160, rows: 40 }, place, at: 0, now: clock.now() }),
      step,
      screenOf,
    },
    inbox,
    lateBox: () => Promise.reject(new Error("nothing is late")),
    clock,
    look: (request) => viewFor(request, clock.now()),
    history: () => Promise.resolve([]),
    ring: () => {},
    quit: () => {},
  });
  return {
    store,
    inbox,
    press(spelled) {
      store.dispatch({ kind: "drawn", until: clock.monotonic(), at: clock.monotonic() });
      clock.advance(1_000);
      const at = clock.monotonic();
      store.dispatch({ kind: "key", key: keyOf(spelled), at, since: at });
    },
    told: () => store.screen().notices.map(({ text }) => text),
  };
}

/** Lets promises that are settled already be heard of. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function gone(request: Request): InboxChange {
  return { kind: "left", request, ending: { receipt: receiptOf(request), proof: "proved" } };
}

describe("a request that is settled elsewhere while it is open", () => {
  const [open1, second, third] = [toRun("echo one"), toRun("echo two"), toRun("echo three")];
  const arrived: InboxChange = { kind: "arrived", requests: [third] };

  it.each<[string, readonly Request[], readonly InboxChange[]]>([
    ["alone", [second], [gone(open1)]],
    ["with another that left before it", [], [gone(second), gone(open1)]],
    ["with another that left after it", [], [gone(open1), gone(second)]],
    ["while another arrives", [second, third], [arrived, gone(open1)]],
    ["while the channel tells something else", [second], [gone(open1), { kind: "other" }]],
  ])("is told of, and nothing else is: %s", async (_how, requests, changes) => {
    const { inbox, told } = open([open1, second]);
    inbox.looks(requests, ...changes);
    await settle();
    expect(told()).toHaveLength(1);
    expect(told()[0]).toMatch(/^no longer waiting: answered in wisp approvals \(denied.* echo one$/);
  });

  it("gives its place to what follows it, before which no other is drawn", async () => {
    const { store, inbox } = open([open1, second, third]);
    const titles: (string | null)[] = [];
    store.subscribe(() => {
      const { body } = store.screen();
      titles.push(body.kind === "work" ? body.card.id : null);
    });
    inbox.looks([third], gone(open1), gone(second));
    await settle();
    expect(titles).toEqual([third.id]);
  });
});

it("of many that leave in one look only the state after them puts the queue in order", async () => {
  const waiting = Array.from({ length: 50 }, (_, index) => toRun(`echo ${index}`));
  const [first, ...others] = waiting;
  if (first === undefined) throw new Error("Nothing waits.");
  const place = { home: "~/.wisp", environment: {} };
  const inbox = heldInbox(waiting);
  const initial = initialModel({ size: { columns: 160, rows: 40 }, place, at: 0, now: 0 });
  const state = { ...inbox.state, requests: waiting };
  let { model } = step(initial, { kind: "inbox", state, arrived: waiting, at: 0, now: 0 });
  const { queue } = model;
  for (const request of others) {
    model = step(model, { kind: "left", request, ending: null, at: 1, isMore: true }).model;
  }
  expect(model.queue).toBe(queue);
  const after = { ...state, requests: [first] };
  model = step(model, { kind: "inbox", state: after, arrived: [], at: 1, now: 1 }).model;
  expect(model.queue.entries).toMatchObject([{ request: first }]);
});

describe("an answer that could not be given", () => {
  it("is told with each escape in it escaped once", async () => {
    const { inbox, press, told } = open([toRun("echo one")]);
    press("d");
    inbox.fails(new Error("no \u001b[31mroom"));
    await settle();
    expect(told()).toEqual(["no \\u{1b}[31mroom"]);
  });
});
