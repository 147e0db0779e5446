/**
 * One front end in JSON Lines. Invariants: it is sent each request of the kinds that it declared once; only what it was
 * sent it may answer, bound to what it was sent; and of each it hears one ending, its own `accepted` or `withdrawn`.
 */
import {
  type AnswerEnding,
  isOfAltered,
  type Kind,
  type Receipt,
  type Request,
  WispError,
} from "../../broker/index.js";
import type { Given } from "../../face/answer.js";
import { nothingCame } from "../../face/ended.js";
import type { Inbox, InboxChange, Left } from "../../face/inbox.js";
import { notEnoughText } from "../../face/not-enough.js";
import type { Seat } from "../../face/seat.js";
import type { Line } from "./bounded-lines.js";
import { type AnswerLine, incomingFrom, kindOf } from "./incoming.js";
import { judged } from "./judge.js";
import type { Outbox } from "./outbox.js";
import { acceptedLine, filesLine, helloLine, refusedLine, requestLine, withdrawnLine } from "./outgoing.js";
import type { Refusal } from "./refusal.js";

/** What a session with a front end is made of. */
export interface FrontEndParts {
  readonly inbox: Inbox;
  readonly seat: Pick<Seat, "canAnswer">;
  readonly outbox: Pick<Outbox, "send">;
  /** Ends waiting for what becomes of answers. */
  readonly signal: AbortSignal;
}

/** One session. */
export interface FrontEnd {
  /** Does what one line says; what comes of an answer is sent when it is known. */
  hear(line: Line): void;
  /** Stops listening to the inbox. */
  close(): void;
}

/** Answers that cross an ending are common; older ones are of nobody who was shown anything. */
const mostEnded = 1_000;

/** Says hello, and sends nothing else before the front end did. */
export function openFrontEnd({ inbox, seat, outbox, signal }: FrontEndParts): FrontEnd {
  const declared = new Set<Kind>();
  /** What the front end was sent, as it was sent, and has not heard the end of. */
  const sent = new Map<string, Request>();
  const ended = new Set<string>();
  /** Answers on their way, each with how its request ended meanwhile. */
  const answering = new Map<string, { left: Left | null } | null>();
  /** What it was sent of the person's files; null before it said hello. */
  let files: readonly string[] | null = null;

  const refuse = (id: string | null, refusal: Refusal): void => outbox.send(() => refusedLine(id, refusal));

  function sendAll(requests: readonly Request[]): void {
    for (const request of requests) {
      if (!declared.has(request.kind) || sent.has(request.id) || ended.has(request.id)) continue;
      sent.set(request.id, request);
      outbox.send(() => requestLine(request, inbox.home));
    }
  }

  function sendFiles(): void {
    const now = inbox.state.files;
    if (files === null || isSameList(files, now)) return;
    files = now;
    outbox.send(() => filesLine(now));
  }

  function end(id: string): void {
    sent.delete(id);
    ended.add(id);
    for (const oldest of ended) if (ended.size > mostEnded) ended.delete(oldest);
  }

  function noteLeft({ id }: Request, left: Left | null): void {
    if (!sent.has(id)) return;
    // Its own answer may be what ended it: that is known in a moment.
    if (answering.has(id)) answering.set(id, { left });
    else {
      end(id);
      outbox.send(() => withdrawnLine(id, left));
    }
  }

  function onChange(change: InboxChange): void {
    switch (change.kind) {
      case "arrived":
        sendAll(change.requests);
        return;
      case "left":
        noteLeft(change.request, change.ending);
        return;
      case "other":
        sendFiles();
        return;
      default:
        change satisfies never;
    }
  }

  /** Null where the answer is on its way. */
  function answer(line: AnswerLine): Refusal | null {
    const { id } = line;
    // No field of a line makes up for a terminal, nor does a variable: an agent's shell has pipes.
    if (!seat.canAnswer) return noTerminal;
    const request = sent.get(id);
    if (request === undefined) return ended.has(id) ? tooLate : neverSent;
    if (answering.has(id)) return twice;
    const verdict = judged(line, request, inbox.home);
    if ("refusal" in verdict) return verdict.refusal;
    answering.set(id, null);
    void give(request, verdict.given);
    return null;
  }

  async function give(request: Request, given: Given): Promise<void> {
    const { id } = request;
    const refusal = await inbox
      .answer(request, given, { signal, onSilent: () => {} })
      .then(refusalOf, faultOf);
    const meanwhile = answering.get(id) ?? null;
    answering.delete(id);
    if (signal.aborted) return;
    if (refusal === null) {
      end(id);
      outbox.send(() => acceptedLine(id, given));
    } else {
      refuse(id, refusal);
      if (meanwhile !== null) noteLeft(request, meanwhile.left);
    }
  }

  const stop = inbox.onChange(onChange);
  outbox.send(helloLine);
  return {
    hear(line) {
      const said = incomingFrom(line);
      switch (said.kind) {
        case "hello":
          declared.clear();
          for (const effect of said.effects) declared.add(kindOf[effect]);
          files ??= [];
          sendFiles();
          sendAll(inbox.state.requests);
          return;
        case "answer": {
          const refusal = answer(said.answer);
          if (refusal !== null) refuse(said.answer.id, refusal);
          return;
        }
        case "unknown":
          return;
        case "unreadable":
          refuse(said.id, { code: "invalid_input", why: said.why });
          return;
        default:
          said satisfies never;
      }
    },
    close: stop,
  };
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}

const noTerminal: Refusal = {
  code: "terminal_required",
  why: "standard input is not a terminal, and no key is enrolled",
};
const tooLate: Refusal = { code: "answer_exists", why: "it has ended already" };
const neverSent: Refusal = { code: "request_unknown", why: "no such request was sent to this front end" };
const twice: Refusal = { code: "answer_exists", why: "an answer of this front end is on its way" };

/** Null where the answer was the one that decided and something came of it. */
function refusalOf(ending: AnswerEnding): Refusal | null {
  switch (ending.kind) {
    case "won":
      if (ending.receipt.outcome === "answered") return null;
      return refusalOfUnused(ending.receipt);
    case "settled":
      if (isOfAltered(ending.receipt))
        return { code: "request_altered", why: "it was changed after it was filed" };
      return ending.receipt.outcome === "stale"
        ? { code: "request_stale", why: "its server is gone" }
        : tooLate;
    case "first":
      return {
        code: "answer_exists",
        why: "something else stands in its slot, and its server has not read that",
      };
    case "refused": {
      if (ending.shortfall === null) return { code: "answer_refused", why: "its server did not take it" };
      return { code: "assurance_insufficient", why: notEnoughText([ending.shortfall]) ?? "" };
    }
    case "gone":
      return { code: "request_unknown", why: "it waits no longer, and nothing says how it ended" };
    case "unread":
      return { code: "answer_refused", why: "its server has not read it yet" };
    default:
      return ending satisfies never;
  }
}

/** The answer was first, and nothing came of it. A receipt without a proof was written because its server had died. */
function refusalOfUnused({ reveal, kind }: Receipt): Refusal {
  const nothing = nothingCame[kind];
  return reveal === null
    ? { code: "request_stale", why: `its answer was first, but its server died and ${nothing}` }
    : {
        code: "channel_unavailable",
        why: `its answer was first, but could not be written down or kept, so ${nothing}`,
      };
}

function faultOf(error: unknown): Refusal {
  return error instanceof WispError
    ? { code: error.code, why: error.message }
    : { code: "channel_unavailable", why: "the answer could not be written" };
}
