/**
 * What a questioner promises of any number of calls, said once more and simply: the first claim of a question decides it,
 * identical calls share one, whoever is there when it ends is told, and an ending that reached nobody is told once to whoever
 * comes in time. It knows nothing of how the questioner works; between two calms nothing that was set off has run.
 */
import type { Detach } from "../../src/broker/approval/approver.js";
import type { QuestionEnd } from "../../src/broker/approval/questioner.js";

export type EndName = QuestionEnd["name"];

/** What a dialog says. */
export type Meaning = "answer" | "no" | "nothing" | "unshown";

export interface ModelCall {
  readonly key: number;
  readonly hasDialog: boolean;
  readonly serial: number;
  isCancelled: boolean;
  detached: Detach["why"] | null;
  hasHeard: boolean;
  question: ModelQuestion | null;
  /** What it is told; null while it waits. */
  outcome: EndName | null;
  /** What it will be told as soon as everything has run. */
  next: EndName | null;
}

export interface ModelQuestion {
  readonly key: number;
  readonly isUnwritten: boolean;
  /** In order of arrival. */
  calls: ModelCall[];
  state: "starting" | "waiting" | "decided" | "over";
  canBeJoined: boolean;
  dueAt: number;
  /** Whose dialog is up. */
  dialog: ModelCall | null;
  isDialogFree: boolean;
  said: { readonly meaning: Meaning; readonly text: string; readonly serial: number } | null;
  slot: EndName | null;
  /** What was answered. */
  text: string | null;
  /** What the receipt says. */
  ended: EndName | null;
}

interface Kept {
  readonly question: ModelQuestion;
  readonly name: EndName;
  readonly until: number;
}

export interface QuestionModelOptions {
  readonly hasChannel: boolean;
  readonly timeoutMs: number;
  readonly keepMs: number;
  readonly declineMs: number;
  readonly now: () => number;
}

export class QuestionModel {
  readonly calls: ModelCall[] = [];
  readonly questions: ModelQuestion[] = [];
  isLogBroken = false;
  #isClosed = false;
  #said = 0;
  readonly #options: QuestionModelOptions;
  readonly #untold = new Map<number, Kept>();
  readonly #declined = new Map<number, Kept>();

  constructor(options: QuestionModelOptions) {
    this.#options = options;
  }

  /** Is it being settled, or told from what is kept? Then whoever asks waits for that. */
  isBusy(key: number): boolean {
    return (
      this.#keptOf(key) !== null || this.questions.some((one) => one.key === key && one.state === "decided")
    );
  }

  ask(key: number, hasDialog: boolean): ModelCall {
    const flags = { isCancelled: false, detached: null, hasHeard: false };
    const call: ModelCall = {
      key,
      hasDialog,
      serial: this.calls.length,
      ...flags,
      question: null,
      outcome: null,
      next: null,
    };
    this.calls.push(call);
    const kept = this.#isClosed ? null : this.#keptOf(key);
    if (this.#isClosed) call.next = "withdrawn";
    else if (kept !== null) {
      this.#collect(key, kept);
      call.question = kept.question;
      call.next = kept.name;
    } else this.#join(call);
    return call;
  }

  cancel(call: ModelCall): void {
    if (call.isCancelled || call.detached !== null) return;
    call.isCancelled = true;
    const question = this.#open(call);
    if (question === null || question.state === "decided") return;
    if (question.calls.length > 1) {
      question.calls = question.calls.filter((one) => one !== call);
      call.next = "abandoned";
      return;
    }
    question.canBeJoined = false;
    this.claim(question, "abandoned");
  }

  detach(call: ModelCall, why: Detach["why"]): void {
    if (call.isCancelled || call.detached !== null) return;
    call.detached = why;
    const question = this.#open(call);
    if (question?.state === "waiting") this.#leave(call, why, question);
  }

  say(call: ModelCall, meaning: Meaning, text: string): void {
    const question = this.questions.find(({ dialog, state }) => dialog === call && state === "waiting");
    if (question === undefined) return;
    this.#said += 1;
    question.said ??= { meaning, text, serial: this.#said };
  }

  claim(question: ModelQuestion, slot: EndName, text: string | null = null): void {
    if (question.state !== "waiting") return;
    question.state = "decided";
    question.canBeJoined = false;
    question.slot = slot;
    question.text = text;
    question.dialog = null;
  }

  /** What a look says that comes when all is calm. */
  look(question: ModelQuestion): EndName | null {
    if (question.state === "waiting") return "pending";
    if (this.#isClosed || question.ended === null) return null;
    const kept = this.#standing(this.#untold, question.key);
    if (kept?.question === question) {
      this.#collect(question.key, kept);
      return kept.name;
    }
    return question.ended === "answered" ? "already_decided" : question.ended;
  }

  timePassed(): void {
    for (const question of this.questions)
      if (question.dueAt <= this.#options.now()) this.claim(question, "timed_out");
  }

  close(): void {
    this.#isClosed = true;
    for (const question of this.questions) this.claim(question, "withdrawn");
    this.#untold.clear();
    this.#declined.clear();
  }

  calm(): void {
    this.#tell();
    const heard = this.questions.filter(({ state, said }) => state === "waiting" && said !== null);
    heard.sort((a, b) => (a.said?.serial ?? 0) - (b.said?.serial ?? 0));
    for (const question of heard) this.#hearDialog(question);
    for (const question of this.questions) if (question.state === "starting") this.#start(question);
    for (const question of this.questions) if (question.state === "decided") this.#settle(question);
    this.#tell();
  }

  #join(call: ModelCall): void {
    const there = this.questions.find(({ key, canBeJoined }) => key === call.key && canBeJoined);
    const question = there ?? this.#newQuestion(call.key);
    question.calls.push(call);
    if (question.state === "waiting") this.#hear(call, question);
  }

  #newQuestion(key: number): ModelQuestion {
    const question: ModelQuestion = {
      key,
      isUnwritten: this.isLogBroken,
      calls: [],
      state: "starting",
      canBeJoined: true,
      dueAt: Number.POSITIVE_INFINITY,
      dialog: null,
      isDialogFree: false,
      said: null,
      slot: null,
      text: null,
      ended: null,
    };
    this.questions.push(question);
    return question;
  }

  #start(question: ModelQuestion): void {
    const [oldest] = question.calls;
    if (oldest === undefined) throw new Error("Nobody asks.");
    const gone = oldest.isCancelled ? "abandoned" : this.#isClosed ? "withdrawn" : null;
    const canAsk = this.#options.hasChannel || oldest.hasDialog;
    const outcome = question.isUnwritten ? "failed" : (gone ?? (canAsk ? null : "failed"));
    if (outcome !== null) {
      question.state = "over";
      question.canBeJoined = false;
      for (const call of question.calls) call.outcome = outcome;
      return;
    }
    question.state = "waiting";
    question.dueAt = this.#options.now() + this.#options.timeoutMs;
    for (const call of [...question.calls]) this.#hear(call, question);
    const [first] = question.calls;
    if (first?.hasDialog === true) this.#raise(question, first);
  }

  #hear(call: ModelCall, question: ModelQuestion): void {
    call.question = question;
    if (question.state !== "waiting") return;
    call.hasHeard = true;
    if (call.detached !== null) this.#leave(call, call.detached, question);
    else if (question.isDialogFree && call.hasDialog) this.#raise(question, call);
  }

  #raise(question: ModelQuestion, call: ModelCall): void {
    if (question.state !== "waiting") return;
    question.isDialogFree = false;
    if (question.dialog !== call) question.said = null;
    question.dialog = call;
  }

  #leave(call: ModelCall, why: Detach["why"], question: ModelQuestion): void {
    const others = question.calls.filter((one) => one !== call);
    const takesDialog = why !== "dialog" && call.hasDialog && !others.some(({ hasDialog }) => hasDialog);
    if (takesDialog && !this.#options.hasChannel) {
      this.claim(question, "withdrawn");
      return;
    }
    if (takesDialog) {
      question.dialog = null;
      question.said = null;
    }
    question.calls = others;
    question.isDialogFree ||= takesDialog || others.length === 0;
    call.next = "pending";
  }

  #hearDialog(question: ModelQuestion): void {
    const { said } = question;
    if (said === null) return;
    question.said = null;
    question.dialog = null;
    if (said.meaning === "answer") this.claim(question, "answered", said.text);
    else if (said.meaning === "no") this.claim(question, "declined");
    else if (!this.#options.hasChannel) {
      this.claim(question, said.meaning === "unshown" ? "failed" : "not_obtained");
    }
  }

  #settle(question: ModelQuestion): void {
    const { slot, calls, key } = question;
    if (slot === null) throw new Error("Nothing decided it.");
    const name = slot === "answered" && this.isLogBroken ? "failed" : slot;
    question.state = "over";
    question.ended = name;
    const canBeKept = name !== "abandoned" && name !== "withdrawn";
    for (const call of calls) {
      const hasGivenUp = call.detached === "timed out" && canBeKept;
      call.outcome = call.isCancelled ? "abandoned" : hasGivenUp ? "pending" : name;
    }
    if (this.#isClosed || !canBeKept) return;
    const { now, keepMs, declineMs } = this.#options;
    if (calls.some(({ outcome }) => outcome === name)) this.#remember(key, question, name);
    else {
      const lengthMs = name === "declined" ? Math.max(keepMs, declineMs) : keepMs;
      this.#untold.set(key, { question, name, until: now() + lengthMs });
    }
  }

  #remember(key: number, question: ModelQuestion, name: EndName): void {
    const { now, declineMs } = this.#options;
    if (name === "declined") this.#declined.set(key, { question, name, until: now() + declineMs });
  }

  #collect(key: number, { question, name }: Kept): void {
    if (this.#untold.delete(key)) this.#remember(key, question, name);
  }

  #keptOf(key: number): Kept | null {
    return this.#standing(this.#untold, key) ?? this.#standing(this.#declined, key);
  }

  #standing(map: Map<number, Kept>, key: number): Kept | null {
    const kept = map.get(key);
    if (kept !== undefined && this.#options.now() <= kept.until) return kept;
    map.delete(key);
    return null;
  }

  #open(call: ModelCall): ModelQuestion | null {
    return this.questions.find(({ calls, state }) => calls.includes(call) && state !== "over") ?? null;
  }

  #tell(): void {
    for (const call of this.calls) call.outcome ??= call.next;
  }
}
