/** Events of the full-screen face and what it makes of them, for tests of its state and its screens. */
import type { Request } from "../../src/broker/request/request.js";
import { cardOf } from "../../src/face/card.js";
import type { InboxState } from "../../src/face/inbox.js";
import type { View } from "../../src/face/view.js";
import type { Size } from "../../src/tui/screen/screen.js";
import type { Effect, Event, Key } from "../../src/tui/state/event.js";
import { initialModel, type Model } from "../../src/tui/state/model.js";
import { step } from "../../src/tui/state/step.js";

/** Epoch milliseconds at which the monotonic time of these tests is 0. */
export const wallZero = 1_790_000_000_000;

const named: readonly string[] = [
  ..."return escape tab backspace delete up down left right pageup pagedown home end".split(" "),
];

/** `y`, `space`, `return`, `ctrl-c`, `shift-tab`: a key as the terminal sends it. */
export function keyOf(spelled: string): Key {
  const isControl = spelled.startsWith("ctrl-");
  const isShift = spelled.startsWith("shift-");
  const rest = isControl ? spelled.slice(5) : isShift ? spelled.slice(6) : spelled;
  const plain = { isControl, isMeta: false, isShift };
  if (rest === "space") return { text: " ", name: "space", ...plain };
  if (isControl || named.includes(rest)) return { text: "", name: rest, ...plain };
  return { text: rest, name: "", ...plain };
}

/** A face under test: events go in, and all effects are kept. Its clock moves only when told to. */
export class Stage {
  model: Model;
  readonly effects: Effect[] = [];
  at: number;
  /** Is everything drawn at once? */
  isDrawing = true;
  readonly #views = new Map<string, View>();

  constructor(size: Size = { columns: 80, rows: 24 }, at = 0, isLinear = false) {
    this.at = at;
    this.model = initialModel({
      size,
      place: { home: "~/.wisp", environment: {} },
      at,
      now: wallZero + at,
      isLinear,
    });
  }

  /** Feeds `event` and looks wherever the face wants to look. Returns the effects of it alone. */
  feed(event: Event): readonly Effect[] {
    const { model, effects } = step(this.model, event);
    this.model = model;
    this.effects.push(...effects);
    for (const effect of effects) if (effect.kind === "look") this.#look(effect.id);
    if (this.isDrawing && event.kind !== "drawn") this.draw();
    return effects;
  }

  /** All that has happened stands on the terminal now. */
  draw(): void {
    this.feed({ kind: "drawn", until: this.at, at: this.at });
  }

  /** Lets time pass. */
  wait(ms: number): this {
    this.at += ms;
    return this;
  }

  /** Keys, one after the other without a pause. */
  press(...spelled: readonly string[]): readonly Effect[] {
    return spelled.flatMap((one) => this.feed({ kind: "key", key: keyOf(one), at: this.at, since: this.at }));
  }

  /** Keys that came in one piece: nobody can tell when they were pressed. */
  pressAtOnce(...spelled: readonly string[]): readonly Effect[] {
    const since = Number.NEGATIVE_INFINITY;
    return spelled.flatMap((one) => this.feed({ kind: "key", key: keyOf(one), at: this.at, since }));
  }

  /** A key after a second of quiet. */
  calmly(spelled: string): readonly Effect[] {
    this.wait(1_000);
    return this.press(spelled);
  }

  /** The characters of `text`, 50 ms apart. */
  type(text: string): readonly Effect[] {
    return [...text].flatMap((character) => {
      this.wait(50);
      return this.press(character === " " ? "space" : character);
    });
  }

  paste(text: string): readonly Effect[] {
    return this.feed({ kind: "pasted", text, at: this.at });
  }

  /** What waits now. Those that did not wait before have arrived. */
  waits(requests: readonly Request[], overrides: Partial<InboxState> = {}): readonly Effect[] {
    const known = new Set(this.model.inbox.requests.map(({ id }) => id));
    const state: InboxState = {
      requests,
      newer: [],
      unreadable: [],
      detached: [],
      health: { kind: "watching" },
      files: [],
      ...overrides,
    };
    const arrived = requests.filter(({ id }) => !known.has(id));
    return this.feed({ kind: "inbox", state, arrived, at: this.at, now: wallZero + this.at });
  }

  /** From now on a look at `id` finds `view`; it is looked at once more. */
  shows(id: string, view: View): void {
    this.#views.set(id, view);
    this.#look(id);
  }

  resize(columns: number, rows: number): void {
    this.feed({ kind: "resized", size: { columns, rows }, at: this.at });
  }

  /** Answers given so far. */
  get answers(): readonly Extract<Effect, { kind: "answer" | "answer-late" }>[] {
    return this.effects.filter((effect) => effect.kind === "answer" || effect.kind === "answer-late");
  }

  get notices(): readonly string[] {
    return this.model.notices.map(({ text }) => text);
  }

  #look(id: string): void {
    const request =
      this.model.inbox.requests.find((one) => one.id === id) ??
      this.model.late?.find((one) => one.request.id === id)?.request;
    if (request === undefined) return;
    const view = this.#views.get(id) ?? viewFor(request, wallZero + this.at);
    this.feed({ kind: "looked", id, view, at: this.at });
  }
}

/** The card of `request` as a look finds it when nothing is wrong; a spooled text is missing here. */
export function viewFor(request: Request, now = wallZero, overrides: Partial<View> = {}): View {
  const subject = request.kind === "approval" ? request.subject : null;
  const texts =
    subject?.type === "command" && typeof subject.line === "string" && typeof subject.command === "string"
      ? { line: subject.line, command: subject.command }
      : { line: "", command: "" };
  const card = cardOf(request, {
    texts: request.kind === "approval" ? texts : null,
    home: null,
    now,
    rejected: 0,
    isDetached: false,
    keepsNone: false,
    late: null,
    shortfalls: [],
    here: request.kind === "approval" ? "terminal; less from within a client" : null,
  });
  return { card, objection: null, ...overrides };
}
