import { describe, expect, it } from "vitest";
import { WispError } from "../../../src/broker/request/errors.js";
import type { Request } from "../../../src/broker/request/request.js";
import type { Given } from "../../../src/face/answer.js";
import type { LateBox } from "../../../src/face/late-box.js";
import type { View } from "../../../src/face/view.js";
import type { Screen } from "../../../src/tui/screen/screen.js";
import type { Effect, Event } from "../../../src/tui/state/event.js";
import { openStore, type Store, type StoreParts } from "../../../src/tui/store.js";
import { approvalRequest } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { type HeldInbox, heldInbox } from "../../support/held-inbox.js";

/** A model that only keeps what happened. */
interface Log {
  readonly events: readonly Event[];
  readonly isCounting: boolean;
}

const yes: Given = { decision: "approve", scope: "once", note: null };
const no: Given = { decision: "deny", scope: null, note: null };
const view = {} as View;

interface Opened {
  readonly store: Store;
  readonly inbox: HeldInbox;
  readonly clock: FakeClock;
  /** The kinds of events since the last call. */
  heard(): readonly string[];
  /** The last event. */
  last(): Event | undefined;
  /** The next event has this effect. */
  next(...effects: readonly Effect[]): void;
  /** Has the model do `effects` now. */
  act(...effects: readonly Effect[]): void;
  count(isCounting: boolean): void;
  /** A notice stands on the screen from now on. */
  tell(text: string): void;
  readonly done: string[];
}

function open(overrides: Partial<StoreParts<Log>> = {}, waiting: readonly Request[] = []): Opened {
  const clock = new FakeClock();
  const inbox = heldInbox(waiting);
  const done: string[] = [];
  const all: Event[] = [];
  let effects: readonly Effect[] = [];
  let isCounting = false;
  let notices: Screen["notices"] = [];
  let heard = 0;
  const store = openStore<Log>({
    machine: {
      initial: { events: [], isCounting: false },
      step: (model, event) => {
        all.push(event);
        const todo = effects;
        effects = [];
        return { model: { events: [...model.events, event], isCounting }, effects: todo };
      },
      screenOf: (model) => ({ ...screenThat(model.isCounting), notices }),
    },
    inbox,
    lateBox: () => Promise.reject(new Error("nothing is late")),
    clock,
    look: () => view,
    history: () => Promise.resolve([]),
    ring: () => done.push("ring"),
    quit: () => done.push("quit"),
    ...overrides,
  });
  const focused = (): void => store.dispatch({ kind: "focused", at: clock.monotonic() });
  return {
    store,
    inbox,
    clock,
    done,
    heard() {
      const news = all.slice(heard);
      heard = all.length;
      return news.map(({ kind }) => kind);
    },
    last: () => all.at(-1),
    next: (...todo) => {
      effects = todo;
    },
    act(...todo) {
      effects = todo;
      focused();
    },
    tell(text) {
      notices = [{ text, isWarning: true, at: 0 }];
      focused();
    },
    count(isSo) {
      isCounting = isSo;
      focused();
    },
  };
}

/** A screen with a countdown, or one without. */
function screenThat(isCounting: boolean): Screen {
  const card = { left: isCounting ? "9:41" : "ended" };
  return { body: { kind: "work", card, queue: { rows: [{ left: "" }] } } } as unknown as Screen;
}

/** Lets promises that are settled already be heard of. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the store", () => {
  it("begins with what waits, and hears of every change after it", async () => {
    const request = approvalRequest();
    const other = approvalRequest({}, { id: "b".repeat(8) });
    const { inbox, heard, last } = open({}, [request]);
    expect(last()).toMatchObject({ kind: "inbox", arrived: [request] });
    inbox.arrives(other);
    await settle();
    expect(last()).toMatchObject({ kind: "inbox", arrived: [other], state: inbox.state });
    heard();
    inbox.leaves(request);
    await settle();
    expect(heard()).toEqual(["left", "inbox"]);
    expect(last()).toMatchObject({ arrived: [], state: { requests: [other] } });
  });

  it("tells at its end which answers nobody is known to have read", async () => {
    const request = approvalRequest();
    const other = approvalRequest({}, { id: "b".repeat(8) });
    const { store, inbox, act } = open({}, [request, other]);
    act({ kind: "answer", request, given: yes });
    inbox.ends({ kind: "gone" });
    await settle();
    act({ kind: "answer", request: other, given: no });
    expect(store.close()).toEqual([{ kind: "answer", request: other, given: no }]);
  });

  it("draws a screen once for each model, and tells who draws it after each change", () => {
    const { store } = open();
    let told = 0;
    const stop = store.subscribe(() => {
      told += 1;
    });
    const before = store.screen();
    expect(store.screen()).toBe(before);
    store.dispatch({ kind: "focused", at: 1 });
    expect(told).toBe(1);
    expect(store.screen()).not.toBe(before);
    stop();
    store.dispatch({ kind: "focused", at: 2 });
    expect(told).toBe(1);
  });

  it("handles what an effect finds at once after the event that asked for it, and draws once", () => {
    const request = approvalRequest();
    const { store, heard, act } = open({}, [request]);
    let told = 0;
    store.subscribe(() => {
      told += 1;
    });
    heard();
    act({ kind: "look", id: request.id });
    expect(heard()).toEqual(["focused", "looked"]);
    expect(told).toBe(1);
  });

  it("looks at nothing that does not wait, and survives a look that fails", () => {
    const request = approvalRequest();
    const looked: string[] = [];
    const look = ({ id }: Request): View => {
      looked.push(id);
      throw new WispError("channel_unsafe", "It is open to others.", { fix: "wisp doctor" });
    };
    const { heard, act } = open({ look }, [request]);
    heard();
    act({ kind: "look", id: "nothing8" }, { kind: "look", id: request.id });
    expect(looked).toEqual([request.id]);
    expect(heard()).toEqual(["focused"]);
    act();
    expect(heard()).toEqual(["focused"]);
  });

  it("gives an answer once, as it was decided, and tells what became of it", async () => {
    const request = approvalRequest();
    const { inbox, act, last, heard } = open({}, [request]);
    act({ kind: "answer", request, given: yes });
    expect(inbox.given).toEqual([{ request, given: yes }]);
    heard();
    inbox.silent();
    expect(heard()).toEqual(["silent"]);
    inbox.ends({ kind: "gone" });
    await settle();
    expect(last()).toMatchObject({ kind: "answered", request, given: yes, ending: { kind: "gone" } });
  });

  it("gives hundreds of answers in turn, and one that is given alone at once", async () => {
    const many = Array.from({ length: 100 }, () => approvalRequest());
    const alone = approvalRequest();
    const { store, inbox, act } = open({}, [...many, alone]);
    const given = (): readonly Request[] => inbox.given.map(({ request }) => request);
    act(...many.map((request) => ({ kind: "answer", request, given: no }) as const));
    expect(given()).toEqual(many.slice(0, 32));
    inbox.ends({ kind: "gone" });
    await settle();
    expect(given()).toEqual(many.slice(0, 33));
    inbox.silent();
    expect(given()).toEqual(many.slice(0, 34));
    act({ kind: "answer", request: alone, given: yes });
    expect(given()).toEqual([...many.slice(0, 34), alone]);
    store.close();
    expect(new Set(given())).toEqual(new Set([...many, alone]));
    expect(given()).toHaveLength(101);
  });

  it("tells of an answer that could not be given, in a text that is safe to print", async () => {
    const request = approvalRequest();
    const { inbox, act, last } = open({}, [request]);
    act({ kind: "answer", request, given: yes });
    inbox.fails(new Error("no \u001b[31mroom"));
    await settle();
    expect(last()).toMatchObject({
      kind: "answered",
      ending: { kind: "error", text: "no \\u{1b}[31mroom" },
    });
    act({ kind: "answer", request, given: yes });
    inbox.ends({ kind: "gone" });
    await settle();
    expect(last()).toMatchObject({ kind: "answered", ending: { kind: "gone" } });
  });

  it("answers late what is still late, and says gone of anything else", async () => {
    const request = approvalRequest();
    const answered: Request[] = [];
    const lateBox: LateBox = {
      list: () => [{ request } as never],
      answer: (late) => {
        answered.push(late.request);
        return Promise.resolve({ kind: "denied" });
      },
    };
    const { act, last, heard } = open({ lateBox: () => Promise.resolve(lateBox) });
    act({ kind: "answer-late", request, given: yes });
    await settle();
    expect(last()).toMatchObject({ kind: "answered-late", ending: { kind: "gone" } });
    heard();
    act({ kind: "load-late" });
    await settle();
    expect(heard()).toEqual(["focused", "late"]);
    act({ kind: "answer-late", request, given: yes });
    await settle();
    expect(answered).toEqual([request]);
    expect(last()).toMatchObject({ kind: "answered-late", ending: { kind: "denied" } });
  });

  it("shows in the place of a history that cannot be read why it cannot", async () => {
    const { act, last } = open({ history: () => Promise.reject(new Error("broken\u0007")) });
    act({ kind: "load-history" });
    await settle();
    await settle();
    expect(last()).toMatchObject({ kind: "history", entries: [{ mark: "!", outcome: "broken\\u{7}" }] });
  });

  it("ticks while something that was told grows old", () => {
    const { clock, tell, heard } = open();
    tell("Read it first.");
    heard();
    clock.advance(2_000);
    expect(heard()).toEqual(["tick", "tick"]);
  });

  it("ticks every second while something counts down, and only then", () => {
    const { clock, count, heard } = open();
    heard();
    clock.advance(5_000);
    expect(heard()).toEqual([]);
    count(true);
    heard();
    clock.advance(3_000);
    expect(heard()).toEqual(["tick", "tick", "tick"]);
    count(false);
    heard();
    clock.advance(5_000);
    expect(heard()).toEqual([]);
    expect(clock.timers).toBe(0);
  });

  it("rings and quits when it is asked to", () => {
    const { act, done } = open();
    act({ kind: "ring" }, { kind: "quit" });
    expect(done).toEqual(["ring", "quit"]);
  });

  it("once closed hears, does and tells nothing more", async () => {
    const request = approvalRequest();
    const { store, inbox, clock, act, count, heard } = open({}, [request]);
    act({ kind: "answer", request, given: yes });
    count(true);
    heard();
    store.close();
    expect(inbox.isClosed).toBe(true);
    expect(inbox.isGivenUp).toBe(true);
    inbox.arrives(approvalRequest({}, { id: "c".repeat(8) }));
    inbox.ends({ kind: "gone" });
    clock.advance(5_000);
    act({ kind: "ring" });
    await settle();
    expect(heard()).toEqual([]);
    expect(clock.timers).toBe(0);
  });
});
