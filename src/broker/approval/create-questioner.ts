/**
 * The one questioner of a connection. Invariants: a question is settled exactly once; `answered` leaves here only when a
 * person's answer stood in the slot and is on disk in the audit log; an answer that reached no call is told once, to the
 * first that comes for it in time.
 */
import type { AuditLog } from "../audit/audit-log.js";
import type { Channel } from "../channel/channel.js";
import type { QuestionRequest, RequestServer } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import { type CallOf, type Gone, goneOf, hasGivenUp, nameOfClient, secondsBetween } from "./call.js";
import { createDeadlines } from "./deadlines.js";
import { answerWriter } from "./decision-slot.js";
import type { DialogUse } from "./dialog-use.js";
import { createTracking, withdrawNewest } from "./ending.js";
import { writerInto } from "./journal.js";
import { createKeptAnswers, type KeepingTimes } from "./kept-answers.js";
import { createListening } from "./listening.js";
import type { Notices } from "./notices.js";
import { questionEndedAlone, questionPending } from "./question-ends.js";
import { questionKind } from "./question-kind.js";
import { questionRequestedEvent, questionToldEvent } from "./question-record.js";
import { QuestionWait, type QuestionWaitParts } from "./question-wait.js";
import type { QuestionAsk, QuestionEnd, Questioner } from "./questioner.js";
import { oneLine } from "./reason.js";

/** What a questioner is made of; what is not said here is as in `ApproverParts`. */
export interface QuestionerParts extends KeepingTimes {
  readonly channel: Channel | null;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly server: RequestServer;
  readonly version: string;
  /** How long a person has; 0 waits for ever. Read anew for each ask, as all times here are. */
  readonly timeoutSeconds: number;
  readonly unseenAnswerMs: number;
  /** Does an answer of the client's dialog count for anything at all? */
  readonly dialogCounts: () => boolean;
  readonly dialogUse: DialogUse;
  /** Whoever made them closes them. */
  readonly notices: Notices;
}

type Call = CallOf<QuestionAsk, QuestionRequest>;

/** What is being done about a question that waits no more. */
interface Underway {
  readonly request: string | null;
  readonly done: Promise<unknown>;
}

/** More than this at once are read by nobody. */
const mostWaiting = 20;

/** Touches nothing, in the channel or the audit log, before the first ask. */
export function createQuestioner(parts: QuestionerParts): Questioner {
  const { channel, audit, clock, server, notices, dialogUse } = parts;
  const write = writerInto(audit);
  const deadlines = createDeadlines<QuestionWait>(clock, (wait) => wait.timeOut());
  const kept = createKeptAnswers(clock, parts);
  const { track, settled } = createTracking();
  /** What an identical call may join, by key. */
  const open = new Map<string, QuestionWait>();
  const racing = new Set<QuestionWait>();
  const listening = createListening<QuestionWait>(channel);
  /** By key: until that is over nobody knows what an identical call is told. */
  const underway = new Map<string, Underway>();
  let closedBecause: string | null = null;

  const kind = questionKind(dialogUse, parts.dialogCounts);
  const waitParts: QuestionWaitParts = {
    write,
    clock,
    placing: { channel, clock, server, writeAnswer: answerWriter(clock, server, parts.version) },
    times: parts,
    dialogUse,
    whyGone,
    isClosing: () => closedBecause !== null,
    notices,
    onRacing(wait, { request, slot }) {
      racing.add(wait);
      deadlines.add(wait, wait.timeoutMs);
      if (slot.isFiled) listening.add(request.id, wait);
    },
    onDecided(wait, { request }) {
      racing.delete(wait);
      listening.remove(request.id);
      deadlines.remove(wait);
      hold(wait.key, request.id, wait.ended());
    },
    onClosed(wait) {
      if (open.get(wait.key) === wait) open.delete(wait.key);
    },
    onSettled({ key, ask }, { end, isTold }) {
      if (closedBecause === null) kept.add({ key, ask, end }, isTold);
    },
  };

  /** Everything up to the first wait is one step: of identical calls at one instant, one asks and the others join. */
  function run(call: Call): Promise<QuestionEnd> {
    // A cancellation may come before the call's own handler runs; then no listener would ever hear it.
    const gone = whyGone(call.signal);
    if (gone !== null) return Promise.resolve(questionEndedAlone(gone, { request: null, seconds: 0 }));
    const key = keyOf(call.ask);
    const busy = underway.get(key);
    if (busy !== undefined) return busy.done.then(() => run(call));
    const collecting = collect(call, key);
    if (collecting !== null) {
      hold(key, null, collecting);
      return collecting;
    }
    const there = open.get(key);
    if (there !== undefined) return there.attach(call);
    if (open.size >= mostWaiting) return refuse(call);
    const wait = new QuestionWait(call.ask, key, kind, waitParts);
    open.set(key, wait);
    return wait.attach(call);
  }

  /** What was said while no call was there, or is told again; null where it is to be asked. */
  function collect(call: Call, key: string): Promise<QuestionEnd> | null {
    const found = kept.collect(key);
    if (found === null) return null;
    const end = { ...found.kept.end, seconds: secondsOf(call) };
    return write([questionToldEvent(call.ask, end, true)], "plain").then(() => {
      const gone = whyGone(call.signal);
      if (gone === null && !hasGivenUp(call.signal)) return end;
      if (!found.isAgain && closedBecause === null) kept.giveBack(found.kept);
      return questionEndedAlone(gone ?? callerLeft, { request: end.request, seconds: end.seconds });
    });
  }

  async function refuse(call: Call): Promise<QuestionEnd> {
    const note = `${mostWaiting} questions of this connection wait already`;
    const end = questionEndedAlone({ name: "refused", note }, { request: null, seconds: secondsOf(call) });
    const asked = questionRequestedEvent(call.ask, null, { joins: null });
    await write([asked, questionToldEvent(call.ask, end, false)], "plain");
    return end;
  }

  /** Until `done` is over, identical calls wait. */
  function hold(key: string, request: string | null, done: Promise<unknown>): void {
    const release = (): void => {
      if (underway.get(key) === one) underway.delete(key);
    };
    // Whoever waits is not the one who is to hear of a fault.
    const one: Underway = { request, done: track(done).then(release, release) };
    underway.set(key, one);
  }

  async function lookFor(id: string, client: QuestionAsk["client"]): Promise<QuestionEnd | null> {
    const waiting = [...racing].find(({ request }) => request?.id === id);
    if (waiting?.request != null) {
      return isSameClient(waiting.ask.client, client) ? questionPending(waiting.request, 0) : null;
    }
    const busy = [...underway.values()].find(({ request }) => request === id);
    if (busy !== undefined) {
      await busy.done;
      return lookFor(id, client);
    }
    const there = kept.find(id);
    if (there === null || !isSameClient(there.ask.client, client)) return null;
    const found = there.look();
    if (found.kind === "over") return { ...found.end, seconds: 0 };
    const end = { ...found.kept.end, seconds: 0 };
    await write([questionToldEvent(there.ask, end, true)], "plain");
    return end;
  }

  function secondsOf({ startedAt }: Call): number {
    return secondsBetween(startedAt, clock.monotonic());
  }

  function whyGone(signal: AbortSignal): Gone | null {
    return goneOf(signal, closedBecause);
  }

  return {
    ask: async (ask, dialog, signal, onAsked) =>
      track(run({ ask, dialog, signal, onAsked, startedAt: clock.monotonic() })),
    look: async (id, client) => track(lookFor(id, client)),
    async close(why) {
      closedBecause ??= oneLine(why);
      kept.clear();
      listening.stop();
      await withdrawNewest(racing, closedBecause, clock);
      await settled();
    },
  };
}

/** Its caller gave up while it was told: it reads nothing of this. */
const callerLeft: Gone = { name: "abandoned", note: "the caller had left" };

/** Asks in which this is the same are one question. */
function keyOf({ question, client, caller, thread }: QuestionAsk): string {
  const { text, options, multiple, allowText, directory } = question;
  const offered = options?.map(({ value, label, description }) => [value, label, description]) ?? null;
  return JSON.stringify([
    caller,
    nameOfClient(client),
    thread,
    text,
    offered,
    multiple,
    allowText,
    directory,
  ]);
}

function isSameClient(one: QuestionAsk["client"], other: QuestionAsk["client"]): boolean {
  return nameOfClient(one) === nameOfClient(other);
}
