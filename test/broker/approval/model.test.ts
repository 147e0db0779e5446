/**
 * Everything that can happen to some calls, in any order and at the same instant or not, against a model that knows a
 * few rules (test/support/approver-model.ts).
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { Detach } from "../../../src/broker/approval/approver.js";
import type { Channel } from "../../../src/broker/channel/channel.js";
import { answerHash, isReceiptVerified } from "../../../src/broker/request/binding.js";
import type { Outcome } from "../../../src/broker/request/outcome.js";
import { scopes } from "../../../src/broker/request/scope.js";
import { createModel, receiptOf } from "../../support/approver-model.js";
import {
  type AskStep,
  type Deed,
  examples,
  meanings,
  mostCalls,
  type Spoken,
  type Step,
  steps,
  timeoutMs,
} from "../../support/approver-steps.js";
import {
  type Asked,
  type Asking,
  asking,
  calm,
  keepingIn,
  plantAnswer,
  world,
} from "../../support/asking.js";
import { answerTo, commandSubject, denialOf, twoOffers } from "../../support/builders.js";
import { FakeDialog } from "../../support/fake-dialog.js";
import { removeRequest } from "../../support/memory-channel.js";
import type { LateShelf } from "../../support/memory-late.js";
import { memoryRemembered, RememberedShelf } from "../../support/memory-remembered.js";
import type { Model, ModelCall, ModelOutcome, ModelRequest } from "../../support/model-parts.js";

const allowedBy = { kind: "policy", text: "Bash(git push *)", place: "policy.json:7" } as const;

/** A call, and the process that it was made through. */
type Made = Asked & { readonly bench: Asking; readonly told: () => ModelOutcome | null };

interface Trial {
  bench: Asking;
  /** Another process, where the one before was. */
  readonly start: () => Asking;
  readonly model: Model;
  readonly hasChannel: boolean;
  readonly late: LateShelf;
  readonly rules: RememberedShelf;
  /** The real calls, each beside that of the model with the same number. */
  readonly asked: Made[];
}

it.each([
  { ways: "the channel and dialogs", hasChannel: true },
  { ways: "dialogs alone", hasChannel: false },
])(
  "with $ways, whatever comes in whatever order, each call is told what the model tells it",
  async ({ hasChannel }) => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const settles = new Map<string, number>();
        const channel = hasChannel ? (own: Channel) => countingSettles(own, settles) : null;
        const shared = world();
        const rules = new RememberedShelf();
        const remembered = memoryRemembered(rules, shared.clock);
        const keeping = hasChannel ? () => keepingIn(shared) : () => ({});
        const start = () => asking({ world: shared, channel, unseenAnswerMs: 0, remembered, ...keeping() });
        const now = () => shared.clock.monotonic();
        const model = createModel({ hasChannel, timeoutMs, now });
        const trial: Trial = {
          bench: start(),
          start,
          hasChannel,
          late: shared.late,
          rules,
          asked: [],
          model,
        };
        for (const step of [...all, { do: "calm" } as const]) {
          if (step.do === "calm") await calmDown(trial);
          else {
            // Waiting for nothing would let run what was set off.
            const done = happen(trial, step);
            if (done !== undefined) await done;
          }
        }
        for (const call of model.calls) checkCall(trial, call);
        for (const request of model.requests) checkRequest(trial, request, settles);
        // Of two that ended at one instant, either is the newest.
        const left = model.requests.filter((one) => one.isPlaced && trial.late.has(idOf(trial, one)));
        expect(left.map(({ wanted }) => meantBy(wanted)).sort()).toEqual(
          model.late.map(({ wanted }) => meantBy(wanted)).sort(),
        );
        await trial.bench.approver.close("the end");
        for (const { told } of trial.asked) expect(told()).not.toBeNull();
        expect([...settles.values()].filter((count) => count !== 1)).toEqual([]);
        expect([shared.clock.timers, shared.place.files.size, shared.place.detached.size]).toEqual([0, 0, 0]);
      }),
      { numRuns: 500, examples: examples.map((example) => [[...example]]) },
    );
  },
);

function countingSettles(own: Channel, settles: Map<string, number>): Channel {
  return {
    ...own,
    settle(id, ending) {
      settles.set(id, (settles.get(id) ?? 0) + 1);
      return own.settle(id, ending);
    },
  };
}

async function calmDown({ model }: Trial): Promise<void> {
  await calm();
  model.calm();
}

/** Does the step to the real thing and to the model; nothing that it sets off runs yet, unless a promise is returned. */
function happen(trial: Trial, step: Exclude<Step, { do: "calm" }>): Promise<void> | undefined {
  const { bench, model } = trial;
  switch (step.do) {
    case "ask":
      if (trial.asked.length >= mostCalls) return;
      if (trial.model.calls.some((call) => isOpen(call, step))) return askAfterwards(trial, step);
      return trial.model.isPromised(step.subject) ? askCalmly(trial, step) : ask(trial, step);
    case "pass":
      bench.clock.advance(step.ms);
      model.timePassed();
      return;
    case "break audit":
    case "mend audit":
      model.isLogBroken = step.do === "break audit";
      bench.audit.failing = model.isLogBroken ? "all" : "none";
      return;
    case "break rules":
    case "mend rules":
      model.areRulesBroken = step.do === "break rules";
      trial.rules.isBroken = model.areRulesBroken;
      return;
    case "close":
      void bench.approver.close("closing");
      model.close();
      return;
    case "restart":
      return restart(trial);
    default: {
      const index = step.call % trial.asked.length;
      const asked = trial.asked[index];
      const call = model.calls[index];
      if (asked === undefined || call === undefined) return;
      if (step.do === "cancel") {
        asked.controller.abort();
        model.cancel(call);
      } else if (step.do === "detach") {
        asked.controller.abort(new Detach(step.why));
        model.detach(call, step.why);
      } else if (step.do === "release") return release(trial, asked, call);
      else if (step.do === "dialog") say(trial, asked, call, step.said);
      else if (call.hasHeard && trial.hasChannel && asked.receipt === null) act(trial, asked, call, step.do);
    }
  }
}

function ask(
  { bench, model, asked }: Trial,
  { dialog, subject, state, thread, isAllowed }: AskStep,
): undefined {
  const shown = dialog === "none" ? null : new FakeDialog({ ignoresWithdrawal: dialog === "deaf" });
  const argv = ["git", "push", "origin", `b${subject}`];
  const bound = { bound: [{ target: "HEAD", fingerprint: `${state}` }] };
  const wanted = {
    subject: commandSubject({ argv, state: bound }),
    thread,
    scopes,
    remember: { ...twoOffers(), program: "/usr/bin/git", programIdentity: "git", askedBy: null },
    allowedBy: isAllowed ? allowedBy : null,
  };
  const one = bench.start({ dialog: shown, ask: wanted });
  let isRejected = false;
  one.outcome.catch(() => {
    isRejected = true;
  });
  const told = (): ModelOutcome | null => (isRejected ? "rejected" : (one.ended?.name ?? null));
  asked.push(Object.assign(one, { bench, told }));
  model.ask({ subject, state, thread, isAllowed, hasDialog: shown !== null });
}

/** What comes for a yes at the same instant as something else is tried elsewhere. */
async function askCalmly(trial: Trial, step: AskStep): Promise<void> {
  await calmDown(trial);
  ask(trial, step);
  await calmDown(trial);
}

/** It got a yes that was kept, and nobody has said what became of it. */
function isOpen({ redeemed, outcome, wanted }: ModelCall, { subject }: Pick<AskStep, "subject">): boolean {
  return redeemed !== null && outcome === "approved" && wanted.subject === subject;
}

/** Identical calls wait for what becomes of a yes that was used: by then it has begun. */
async function askAfterwards(trial: Trial, step: AskStep): Promise<void> {
  await calmDown(trial);
  for (const call of trial.model.calls.filter((one) => isOpen(one, step))) {
    const { bench, ended } = trial.asked[call.serial] ?? expect.fail("It was never made.");
    if (ended !== null) bench.approver.conclude(ended, "began");
    call.redeemed = null;
  }
  await askCalmly(trial, step);
}

async function restart(trial: Trial): Promise<void> {
  void trial.bench.approver.close("closing");
  trial.model.close();
  await calmDown(trial);
  trial.model.restart();
  trial.bench = trial.start();
}

/** Nothing ran of what was approved. */
async function release(trial: Trial, { bench, ended }: Made, call: ModelCall): Promise<void> {
  await calmDown(trial);
  if (ended?.name !== "approved" || call.redeemed === null) return;
  expect(ended.redeemed).toBe(true);
  await bench.approver.release(ended);
  trial.model.release(call);
}

function say({ model }: Trial, asked: Asked, call: ModelCall, said: Spoken): void {
  if (said.kind === "rejects") asked.dialog.break(new Error("broken"));
  else asked.dialog.answer(said);
  model.say(call, meanings.get(said) ?? "nothing");
}

/** Nothing of it is done once the receipt is there: an honest face looks for it first. */
function act({ bench, model }: Trial, { request }: Asked, call: ModelCall, deed: Deed): void {
  const known = call.request ?? expect.fail("Nothing was asked.");
  const isFree = known.state === "waiting";
  switch (deed) {
    case "approve":
      expect(bench.face.answer(answerTo(request))).toBe(isFree);
      model.claim(known, "approved", "once");
      break;
    case "allow":
      expect(bench.face.answer(answerTo(request, { scope: "session" }))).toBe(isFree);
      model.claim(known, "approved", "session");
      break;
    case "project":
    case "always":
      expect(bench.face.answer(answerTo(request, { scope: deed }))).toBe(isFree);
      model.claim(known, "approved", deed);
      break;
    case "deny":
      expect(bench.face.answer(denialOf(request))).toBe(isFree);
      model.claim(known, "denied");
      break;
    case "junk":
      plantAnswer(bench.place, request, "{");
      break;
    case "forge":
      plantAnswer(bench.place, request, JSON.stringify(answerTo(request, { via: "elicitation" })));
      break;
    case "remove":
      removeRequest(bench.place, request.id);
      model.claim(known, "failed");
      break;
    default:
      deed satisfies never;
  }
}

/** What ends by a person's answer, and so at a level. */
const isPersons: ReadonlySet<Outcome["name"]> = new Set([
  "approved",
  "denied",
  "declined",
  "already_decided",
]);

function checkCall({ asked, model }: Trial, call: ModelCall): void {
  const { ended, told } = asked[call.serial] ?? expect.fail("It was never made.");
  expect(told()).toBe(call.outcome);
  if (ended === null) return;
  expect(ended.redeemed).toBe(call.outcome === "approved" && isRedeemed(call));
  // The request it names is the one of a call that heard of it, or none.
  const witness = model.calls.find((one) => one.hasHeard && one.request === call.request);
  const named = call.request === null || witness === undefined ? null : asked[witness.serial]?.request.id;
  expect(ended.request).toBe(named);
  expect(ended.scope).toBe(call.outcome === "approved" ? (call.request?.scope ?? null) : null);
  const isByPolicy = call.outcome === "approved" && call.wanted.isAllowed && call.request === null;
  expect(ended.via === "policy").toBe(isByPolicy);
  expect(ended.assurance === null).toBe(isByPolicy || !isPersons.has(ended.name));
  const isHeard = call.hasHeard && call.outcome === "approved";
  expect(ended.rule?.kind ?? null).toBe(
    isByPolicy ? "policy" : isHeard ? (call.request?.rule ?? null) : null,
  );
}

/** A call that got a yes without hearing of any request, and for once. */
function isRedeemed({ hasHeard, request }: ModelCall): boolean {
  return !hasHeard && request?.scope === "once";
}

function meantBy({ subject, state }: ModelRequest["wanted"]): string {
  return `${subject} ${state}`;
}

function idOf({ model, asked }: Trial, known: ModelRequest): string {
  const heard = model.calls.find((call) => call.hasHeard && call.request === known);
  return asked[heard?.serial ?? -1]?.request.id ?? expect.fail("Nobody heard of it.");
}

function checkRequest(
  { bench, model, asked, rules, hasChannel }: Trial,
  known: ModelRequest,
  settles: ReadonlyMap<string, number>,
): void {
  const heard = model.calls.find((call) => call.hasHeard && call.request === known);
  expect(heard !== undefined).toBe(known.isPlaced);
  if (heard === undefined) return;
  const { request, receipt } = asked[heard.serial] ?? expect.fail("It was never made.");
  for (const { call, state } of known.dialogs) {
    expect(asked[call.serial]?.dialog.isWithdrawn).toBe(state === "withdrawn");
  }
  const shown = model.calls.filter(({ serial }) =>
    asked[serial]?.dialog.shown.some(({ id }) => id === request.id),
  );
  expect(new Set(shown)).toEqual(new Set(known.dialogs.map(({ call }) => call)));
  expect(rules.file.filter((rule) => rule.request === request.id)).toHaveLength(
    known.rule === "left" ? 1 : 0,
  );
  const settled = bench.audit.only("approval.settled").filter((event) => event.call === request.id);
  expect(settled.length).toBeLessThanOrEqual(2);
  expect(settles.get(request.id) ?? 0).toBe(known.state === "over" && hasChannel ? 1 : 0);
  const expected = hasChannel ? receiptOf(known) : null;
  if (expected === null || receipt === null) {
    expect(receipt).toBe(expected);
    return;
  }
  expect(receipt).toMatchObject(expected);
  // The first line may have been lost to a broken log; the last one, where there is any, says what the receipt says.
  const { outcome, ran } = receipt;
  if (settled.length > 0) expect(settled.at(-1)).toMatchObject({ details: { outcome, ran } });
  expect(isReceiptVerified(receipt, request)).toBe(true);
  expect(receipt.decision === "approve").toBe(known.slot === "approved");
  if (receipt.via !== "cli") return;
  const given = [...scopes.map((scope) => answerTo(request, { scope })), denialOf(request)];
  expect(given.map(answerHash)).toContain(receipt.answer);
}
