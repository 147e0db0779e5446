/** An inbox in which only what a test says happens. */
import type { AnswerEnding } from "../../src/broker/channel/answering.js";
import type { Request } from "../../src/broker/request/request.js";
import type { Given } from "../../src/face/answer.js";
import type { AnswerOptions, Inbox, InboxChange, InboxState } from "../../src/face/inbox.js";

export interface HeldInbox extends Inbox {
  /** What was answered, in order. */
  readonly given: readonly { readonly request: Request; readonly given: Given }[];
  readonly isClosed: boolean;
  /** Was the last answer told to wait no longer? */
  readonly isGivenUp: boolean;
  arrives(request: Request): void;
  leaves(request: Request): void;
  /** The agent of `request` stopped waiting. */
  detaches(request: Request): void;
  /** One look at the channel found `requests`, and tells of it in several changes. */
  looks(requests: readonly Request[], ...changes: readonly InboxChange[]): void;
  /** The server of the last answer is silent. */
  silent(): void;
  /** What became of the last answer. */
  ends(ending: AnswerEnding): void;
  /** The last answer could not be given. */
  fails(error: unknown): void;
}

interface Pending {
  readonly options: AnswerOptions;
  readonly resolve: (ending: AnswerEnding) => void;
  readonly reject: (error: unknown) => void;
}

export function heldInbox(waiting: readonly Request[] = []): HeldInbox {
  const listeners = new Set<(change: InboxChange) => void>();
  const given: { request: Request; given: Given }[] = [];
  let pending: Pending | null = null;
  let isClosed = false;
  let state: InboxState = {
    requests: waiting,
    newer: [],
    unreadable: [],
    detached: [],
    health: { kind: "watching" },
    files: [],
  };
  function tell(requests: readonly Request[], ...changes: readonly InboxChange[]): void {
    state = { ...state, requests };
    for (const change of changes) for (const listener of [...listeners]) listener(change);
  }
  return {
    // Nothing here lies in a directory.
    home: { path: "/nowhere", isDefault: true } as Inbox["home"],
    get state() {
      return state;
    },
    given,
    get isClosed() {
      return isClosed;
    },
    get isGivenUp() {
      return pending?.options.signal.aborted ?? false;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    answer(request, decided, options) {
      given.push({ request, given: decided });
      return new Promise((resolve, reject) => {
        pending = { options, resolve, reject };
      });
    },
    close() {
      isClosed = true;
    },
    arrives: (request) => tell([...state.requests, request], { kind: "arrived", requests: [request] }),
    leaves: (request) =>
      tell(
        state.requests.filter((one) => one !== request),
        { kind: "left", request, ending: null },
      ),
    detaches({ id }) {
      state = { ...state, detached: [...state.detached, id] };
      tell(state.requests, { kind: "other" });
    },
    looks: tell,
    silent: () => pending?.options.onSilent(),
    ends: (ending) => pending?.resolve(ending),
    fails: (error) => pending?.reject(error),
  };
}
