/**
 * What holds the model and does what it asks for. Invariant: nothing is answered but as an effect of an event that the
 * model was handed, and whatever goes wrong with an effect comes back as an event.
 */
import {
  type Clock,
  type LateRequest,
  type Request,
  shownText,
  type Timer,
  WispError,
} from "../broker/index.js";
import type { HistoryEntry } from "../face/history.js";
import type { Inbox, InboxChange } from "../face/inbox.js";
import type { LateBox, LateEnding } from "../face/late-box.js";
import type { View } from "../face/view.js";
import type { Screen } from "./screen/screen.js";
import type { Effect, Event } from "./state/event.js";
import { openTurns } from "./turns.js";

/** The face as a machine: what it begins as, what an event makes of it, and how it looks. All of it pure. */
export interface Machine<Model> {
  readonly initial: Model;
  step(model: Model, event: Event): { readonly model: Model; readonly effects: readonly Effect[] };
  screenOf(model: Model): Screen;
}

/** What the store runs effects with. */
export interface StoreParts<Model> {
  readonly machine: Machine<Model>;
  readonly inbox: Inbox;
  /** Opened when it is first needed. */
  readonly lateBox: () => Promise<LateBox>;
  readonly clock: Clock;
  /** Reads what a card says; `late` where the request has ended. May throw. */
  readonly look: (request: Request, late: LateRequest | null) => View;
  /** May throw. */
  readonly history: () => Promise<readonly HistoryEntry[]>;
  readonly ring: () => void;
  readonly quit: () => void;
}

/** An answer to what waits. */
export type Answer = Extract<Effect, { kind: "answer" }>;

/** Opened by `openStore`. */
export interface Store {
  /** What is to be drawn now; the same object until something changed. */
  screen(): Screen;
  /** Calls `listener` after each change. Returns what stops it. */
  subscribe(listener: () => void): () => void;
  dispatch(event: Event): void;
  /**
   * Stops listening to the channel and waiting for what became of answers. What was answered stays answered. Returns the
   * answers of which it is not known that they were read.
   */
  close(): readonly Answer[];
}

/** Enough that a living server is never waited for. */
const mostUnderWay = 32;

/** The countdown of a card has seconds. */
const tickMs = 1_000;

/** Begins with what waits now. */
export function openStore<Model>(parts: StoreParts<Model>): Store {
  const { machine, inbox, clock } = parts;
  const listeners = new Set<() => void>();
  const closing = new AbortController();
  const { signal } = closing;
  const queue: Event[] = [];
  const news: InboxChange[] = [];
  // Each answer that is under way looks, watches and sweeps. One that its server does not read holds up no other.
  const turns = openTurns(mostUnderWay, answer);
  const underWay = new Set<Answer>();
  let model = machine.initial;
  let screen: Screen | null = null;
  let late: readonly LateRequest[] = [];
  let ticking: Timer | null = null;
  let isRunning = false;

  /** Effects that find something at once add events while some are handled: each waits for its turn. */
  function dispatch(...events: readonly Event[]): void {
    queue.push(...events);
    if (isRunning) return;
    isRunning = true;
    const before = model;
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const stepped = machine.step(model, next);
        model = stepped.model;
        const isAlone = stepped.effects.filter(isAnswer).length === 1;
        for (const effect of stepped.effects) run(effect, isAlone);
      }
    } finally {
      isRunning = false;
    }
    if (model === before) return;
    screen = null;
    tickWhereNeeded();
    for (const listener of [...listeners]) listener();
  }

  /** What a person answers alone never waits for what they denied by the hundred. */
  function run(effect: Effect, isAlone: boolean): void {
    if (signal.aborted) return;
    switch (effect.kind) {
      case "look":
        look(effect.id);
        break;
      case "answer":
        if (isAlone) void answer(effect);
        else turns.add(effect);
        break;
      case "answer-late":
        answerLate(effect);
        break;
      case "load-history":
        loadHistory();
        break;
      case "load-late":
        loadLate();
        break;
      case "ring":
        parts.ring();
        break;
      case "quit":
        parts.quit();
        break;
      default:
        effect satisfies never;
    }
  }

  function look(id: string): void {
    const ended = late.find(({ request }) => request.id === id) ?? null;
    const request = inbox.state.requests.find((one) => one.id === id) ?? ended?.request;
    if (request === undefined) return;
    try {
      dispatch({ kind: "looked", id, view: parts.look(request, ended), at: clock.monotonic() });
    } catch {
      // What cannot be looked at has no card, and without a card nothing is approved. Why, the health of the channel says.
    }
  }

  function answer(effect: Answer, onUnread = (): void => {}): Promise<void> {
    const { request, given } = effect;
    const { id } = request;
    underWay.add(effect);
    const onSilent = (): void => {
      dispatchOpen({ kind: "silent", id, at: clock.monotonic() });
      onUnread();
    };
    return settled(
      () => inbox.answer(request, given, { signal, onSilent }),
      (ending) => ({ kind: "answered", request, given, ending, at: clock.monotonic() }),
      (text) => ({
        kind: "answered",
        request,
        given,
        ending: { kind: "error", text },
        at: clock.monotonic(),
      }),
    ).finally(() => underWay.delete(effect));
  }

  function answerLate({ request, given }: Extract<Effect, { kind: "answer-late" }>): void {
    const found = late.find((one) => one.request.id === request.id);
    void settled(
      async (): Promise<LateEnding> =>
        found === undefined ? { kind: "gone" } : await (await parts.lateBox()).answer(found, given),
      (ending) => ({ kind: "answered-late", request, given, ending, at: clock.monotonic() }),
      (text) => ({
        kind: "answered-late",
        request,
        given,
        ending: { kind: "error", text },
        at: clock.monotonic(),
      }),
    );
  }

  function loadHistory(): void {
    void settled(
      () => parts.history(),
      (entries) => ({ kind: "history", entries, at: clock.monotonic() }),
      (text) => ({ kind: "history", entries: [unread(text, clock.now())], at: clock.monotonic() }),
    );
  }

  function loadLate(): void {
    void settled(
      async () => (await parts.lateBox()).list(),
      (requests) => lateEvent(requests),
      // Nothing that cannot be read can be answered. The channel lies in the same home and says what is wrong with it.
      () => lateEvent([]),
    );
  }

  function lateEvent(requests: readonly LateRequest[]): Event {
    late = requests;
    return { kind: "late", requests, at: clock.monotonic() };
  }

  /** Begins `work` at once, and dispatches what came of it as long as the face is open. */
  function settled<Value>(
    work: () => Promise<Value>,
    done: (value: Value) => Event,
    failed: (text: string) => Event,
  ): Promise<void> {
    return work().then(
      (value) => dispatchOpen(done(value)),
      (error: unknown) => dispatchOpen(failed(errorText(error))),
    );
  }

  function dispatchOpen(event: Event): void {
    if (!signal.aborted) dispatch(event);
  }

  function shown(): Screen {
    screen ??= machine.screenOf(model);
    return screen;
  }

  function tickWhereNeeded(): void {
    if (!signal.aborted && isCounting(shown())) {
      ticking ??= clock.every(tickMs, () =>
        dispatch({ kind: "tick", at: clock.monotonic(), now: clock.now() }),
      );
      return;
    }
    ticking?.cancel();
    ticking = null;
  }

  /**
   * All changes of one look at the channel, when it has told the last of them: its state is that after all of them, and
   * would close the card of what has left before it is told how that ended.
   */
  function hear(): void {
    const heard = news.splice(0);
    if (signal.aborted) return;
    const at = clock.monotonic();
    const left = heard.flatMap((change) => (change.kind === "left" ? [{ ...change, at, isMore: true }] : []));
    const arrived = heard.flatMap((change) => (change.kind === "arrived" ? change.requests : []));
    dispatch(...left, inboxEvent(arrived));
  }

  function inboxEvent(arrived: readonly Request[]): Event {
    return { kind: "inbox", state: inbox.state, arrived, at: clock.monotonic(), now: clock.now() };
  }

  const stopListening = inbox.onChange((change) => {
    if (news.length === 0) queueMicrotask(hear);
    news.push(change);
  });
  dispatch(inboxEvent(inbox.state.requests));

  return {
    screen: shown,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    dispatch: dispatchOpen,
    close() {
      closing.abort();
      stopListening();
      // What was decided is given, though nobody waits any more for what becomes of it.
      const begunLast = turns.takeBack();
      for (const { request, given } of begunLast) {
        inbox.answer(request, given, { signal, onSilent: () => {} }).catch(() => {
          // The terminal is given back: there is nobody to tell. It goes on waiting.
        });
      }
      ticking?.cancel();
      inbox.close();
      return [...underWay, ...begunLast];
    },
  };
}

function isAnswer({ kind }: Effect): boolean {
  return kind === "answer" || kind === "answer-late";
}

/** Does something on the screen tell how much time is left, or grow old? */
function isCounting({ body, notices }: Screen): boolean {
  if (notices.length > 0) return true;
  if (body.kind !== "work") return false;
  const { card, queue } = body;
  return [card.left, ...queue.rows.map(({ left }) => left)].some((left) => /^\d+:\d/.test(left ?? ""));
}

/** In the place of the entries that could not be read, so that nothing looks as if nothing had happened. */
function unread(text: string, at: number): HistoryEntry {
  return { at, id: "", outcome: text, mark: "!", what: null, effect: null };
}

/** What went wrong, safe to print. */
function errorText(error: unknown): string {
  if (error instanceof WispError) {
    return shownText(error.why === null ? error.message : `${error.message} ${error.why}`);
  }
  return shownText(error instanceof Error ? error.message : String(error));
}
