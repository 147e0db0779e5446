/** An inbox in which things happen when a test says so. */
import type { AnswerEnding } from "../../src/broker/channel/answering.js";
import { type Home, homeAt } from "../../src/broker/channel/home.js";
import type { Receipt } from "../../src/broker/request/receipt.js";
import type { Request } from "../../src/broker/request/request.js";
import type { Given } from "../../src/face/answer.js";
import type { Inbox, InboxChange, InboxHealth, InboxState, Left } from "../../src/face/inbox.js";

export interface FakeInbox extends Inbox {
  arrives(...requests: readonly Request[]): void;
  leaves(request: Request, ending: Left | null): void;
  turns(health: InboxHealth): void;
  /** Other lines about the person's files. */
  says(files: readonly string[]): void;
  /** What was answered through it, oldest first. */
  readonly answers: readonly { readonly request: Request; readonly given: Given }[];
  /** Ends the answer that is on its way, or the next one. */
  ends(ending: AnswerEnding | Error): void;
}

export function fakeInbox(
  waiting: readonly Request[] = [],
  home: Home = homeAt("/home/p/no-such-home", false),
): FakeInbox {
  const listeners = new Set<(change: InboxChange) => void>();
  const answers: { request: Request; given: Given }[] = [];
  const endings: (AnswerEnding | Error)[] = [];
  let hear: (() => void) | null = null;
  let state: InboxState = {
    requests: waiting,
    newer: [],
    unreadable: [],
    detached: [],
    health: { kind: "watching" },
    files: [],
  };
  function emit(changed: Partial<InboxState>, change: InboxChange): void {
    state = { ...state, ...changed };
    for (const listener of listeners) listener(change);
  }
  return {
    home,
    get state() {
      return state;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async answer(request, given) {
      answers.push({ request, given });
      if (endings.length === 0) {
        await new Promise<void>((resolve) => {
          hear = resolve;
        });
      }
      const ending = endings.shift();
      if (ending === undefined || ending instanceof Error) throw ending ?? new Error("No ending was given.");
      return ending;
    },
    close: () => listeners.clear(),
    arrives: (...requests) =>
      emit({ requests: [...state.requests, ...requests] }, { kind: "arrived", requests }),
    leaves: (request, ending) =>
      emit(
        { requests: state.requests.filter(({ id }) => id !== request.id) },
        { kind: "left", request, ending },
      ),
    turns: (health) => emit({ health }, { kind: "other" }),
    says: (files) => emit({ files }, { kind: "other" }),
    answers,
    ends(ending) {
      endings.push(ending);
      hear?.();
      hear = null;
    },
  };
}

/** How `request` ended: denied in the command line, unless a test says otherwise. */
export function receiptOf(request: Request, overrides: Partial<Receipt> = {}): Receipt {
  return {
    v: 1,
    id: request.id,
    kind: request.kind,
    outcome: "answered",
    via: "cli",
    decision: "deny",
    scope: null,
    note: null,
    answer: null,
    verified: null,
    at: 1_790_000_030_000,
    seconds: 30,
    ran: false,
    reveal: null,
    mac: null,
    ...overrides,
  };
}
