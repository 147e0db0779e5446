/**
 * Everything that can happen to some questions, in any order and at the same instant or not, against a model that knows a
 * few rules (test/support/question-model.ts).
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { Detach } from "../../../src/broker/approval/approver.js";
import type { DialogAnswer } from "../../../src/broker/approval/dialog.js";
import { answerHash, isReceiptVerified } from "../../../src/broker/request/binding.js";
import { outcomes } from "../../../src/broker/request/outcome.js";
import { calm, plantAnswer } from "../../support/asking.js";
import { removeRequest } from "../../support/memory-channel.js";
import { type Meaning, type ModelCall, QuestionModel } from "../../support/question-model.js";
import {
  type AskedQuestion,
  aQuestion,
  questionClient as client,
  declineOf,
  QuestionDialog,
  type Questioning,
  questioning,
  replyTo,
} from "../../support/questioning.js";

const timeoutMs = 600_000;
const mostCalls = 12;

/** What other processes do. */
const deeds = ["answer", "decline", "junk", "wrong", "remove"] as const;
type Deed = (typeof deeds)[number];

/** Steps between two calms happen at the same instant: nothing that was set off has run. */
type Step =
  | { readonly do: "calm" | "break audit" | "mend audit" | "close" }
  | { readonly do: "ask"; readonly key: number; readonly dialog: "none" | "good" | "deaf" }
  | { readonly do: "pass"; readonly ms: number }
  | { readonly do: "dialog"; readonly call: number; readonly said: Meaning | "rejects" }
  | { readonly do: "detach"; readonly call: number; readonly why: Detach["why"] }
  | { readonly do: "cancel" | "look" | Deed; readonly call: number };

/** Which of the calls that were made so far. */
const which = fc.nat(mostCalls - 1);
const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant("ask" as const),
        key: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) }),
        dialog: fc.constantFrom("none" as const, "good" as const, "deaf" as const),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("dialog" as const),
        call: which,
        said: fc.constantFrom<Meaning | "rejects">("answer", "answer", "no", "nothing", "unshown", "rejects"),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constantFrom("answer" as const, "cancel" as const, "look" as const, ...deeds),
        call: which,
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("detach" as const),
        call: which,
        why: fc.constantFrom<Detach["why"]>("held", "dialog", "timed out"),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("pass" as const),
        ms: fc.constantFrom(1, 60_000, 60_001, 300_000, timeoutMs),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.oneof(
          { weight: 5, arbitrary: fc.constantFrom("break audit" as const, "mend audit" as const) },
          { weight: 1, arbitrary: fc.constant("close" as const) },
        ),
      }),
    },
    { weight: 7, arbitrary: fc.constant<Step>({ do: "calm" }) },
  ) as fc.Arbitrary<Step>,
  { minLength: 4, maxLength: 60, size: "max" },
);

interface Trial {
  readonly bench: Questioning;
  readonly model: QuestionModel;
  readonly hasChannel: boolean;
  /** The real calls, each beside that of the model with the same number. */
  readonly asked: AskedQuestion[];
  /** Every answer that a face published, by the hash of it. */
  readonly given: Map<string, string>;
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
        const bench = questioning({
          unseenAnswerMs: 0,
          channel: hasChannel
            ? (own) => ({
                ...own,
                settle(id, ending) {
                  settles.set(id, (settles.get(id) ?? 0) + 1);
                  return own.settle(id, ending);
                },
              })
            : null,
        });
        const times = { timeoutMs, keepMs: 600_000, declineMs: 60_000, now: () => bench.clock.monotonic() };
        const model = new QuestionModel({ hasChannel, ...times });
        const trial: Trial = { bench, model, hasChannel, asked: [], given: new Map() };
        for (const step of [...all, { do: "calm" } as const]) {
          // Waiting for nothing would let run what was set off.
          const done = happen(trial, step);
          if (done !== undefined) await done;
        }
        for (const call of model.calls) checkCall(trial, call);
        await bench.questioner.close("the end");
        for (const { ended } of trial.asked) expect(ended).not.toBeNull();
        expect([...settles.values()].filter((count) => count !== 1)).toEqual([]);
        const { place, clock } = bench;
        expect([clock.timers, place.files.size, place.detached.size]).toEqual([0, 0, 0]);
      }),
      { numRuns: 400 },
    );
  },
);

async function calmDown({ model }: Trial): Promise<void> {
  await calm();
  model.calm();
}

/** Does the step to the real thing and to the model; nothing that it sets off runs yet, unless a promise is returned. */
function happen(trial: Trial, step: Step): Promise<void> | undefined {
  const { bench, model, asked } = trial;
  switch (step.do) {
    case "calm":
      return calmDown(trial);
    case "pass":
      bench.clock.advance(step.ms);
      model.timePassed();
      return;
    case "break audit":
    case "mend audit":
      model.isLogBroken = step.do === "break audit";
      bench.audit.failing = model.isLogBroken ? "all" : "none";
      return;
    case "close":
      void bench.questioner.close("closing");
      model.close();
      return;
    case "ask":
      if (asked.length >= mostCalls) return;
      // What comes while something is settled or told from what is kept waits for that; so does this.
      return model.isBusy(step.key) ? askCalmly(trial, step) : ask(trial, step);
    default: {
      const index = step.call % asked.length;
      const [real, call] = [asked[index], model.calls[index]];
      if (real === undefined || call === undefined) return;
      return happenTo(trial, step, real, call);
    }
  }
}

type StepOfCall = Extract<Step, { readonly call: number }>;

function happenTo(
  trial: Trial,
  step: StepOfCall,
  real: AskedQuestion,
  call: ModelCall,
): Promise<void> | undefined {
  const { bench, model } = trial;
  switch (step.do) {
    case "cancel":
      real.controller.abort();
      model.cancel(call);
      return;
    case "detach":
      real.controller.abort(new Detach(step.why));
      model.detach(call, step.why);
      return;
    case "dialog":
      return say(trial, real, call, step.said);
    case "look":
      return look(trial, real, call);
    default:
      if (!call.hasHeard || !trial.hasChannel || real.receipt !== null) return;
      act(trial, bench, real, call, step.do);
  }
}

function ask({ bench, model, asked }: Trial, step: Extract<Step, { do: "ask" }>): undefined {
  const dialog =
    step.dialog === "none" ? null : new QuestionDialog({ ignoresWithdrawal: step.dialog === "deaf" });
  asked.push(bench.start({ dialog, ask: aQuestion({ thread: `${step.key}` }) }));
  model.ask(step.key, dialog !== null);
}

async function askCalmly(trial: Trial, step: Extract<Step, { do: "ask" }>): Promise<void> {
  await calmDown(trial);
  ask(trial, step);
  await calmDown(trial);
}

function say({ model }: Trial, real: AskedQuestion, call: ModelCall, said: Meaning | "rejects"): undefined {
  const text = `dialog ${call.serial}`;
  const spoken: Readonly<Record<Meaning, DialogAnswer>> = {
    answer: { kind: "answer", values: null, text },
    no: { kind: "decline" },
    nothing: { kind: "dismissed" },
    unshown: { kind: "failed", why: "too long" },
  };
  if (said === "rejects") real.dialog.break(new Error("broken"));
  else real.dialog.answer(spoken[said]);
  model.say(call, said === "rejects" ? "unshown" : said, text);
}

async function look(trial: Trial, real: AskedQuestion, { question, serial }: ModelCall): Promise<void> {
  await calmDown(trial);
  if (question === null || !real.hasHeard) return;
  const found = await trial.bench.questioner.look(real.request.id, client);
  expect(found?.name ?? null, `a look at what call ${serial} asked`).toBe(trial.model.look(question));
  if (found?.name === "answered") expect(found.content).toEqual({ values: null, text: question.text });
}

/** Nothing of it is done once the receipt is there: an honest face looks for it first. */
function act(
  { model, given }: Trial,
  { face, place }: Questioning,
  real: AskedQuestion,
  call: ModelCall,
  deed: Deed,
): void {
  const { request } = real;
  const question = call.question ?? expect.fail("Nothing was asked.");
  const isFree = question.state === "waiting";
  switch (deed) {
    case "answer": {
      const text = `face ${given.size}`;
      const answer = replyTo(request, text);
      expect(face.answer(answer)).toBe(isFree);
      if (isFree) given.set(answerHash(answer), text);
      model.claim(question, "answered", text);
      break;
    }
    case "decline":
      expect(face.answer(declineOf(request))).toBe(isFree);
      model.claim(question, "declined");
      break;
    case "junk":
      plantAnswer(place, request, "{");
      break;
    case "wrong":
      plantAnswer(place, request, JSON.stringify(replyTo(request, ["mysql"])));
      break;
    case "remove":
      removeRequest(place, request.id);
      model.claim(question, "failed");
      break;
    default:
      deed satisfies never;
  }
}

/** What ends by a person's answer, and so at a level. */
const isPersons: ReadonlySet<string> = new Set(["answered", "declined"]);

function checkCall({ bench, asked, given, hasChannel }: Trial, call: ModelCall): void {
  const real = asked[call.serial] ?? expect.fail("It was never made.");
  const { ended } = real;
  const { question } = call;
  expect(ended?.name ?? null).toBe(call.outcome);
  expect(real.hasHeard).toBe(call.hasHeard);
  if (ended === null) return;
  expect(ended.assurance !== null).toBe(isPersons.has(ended.name));
  if (ended.name === "answered") expect(ended.content).toEqual({ values: null, text: question?.text });
  if (!call.hasHeard || question === null || !hasChannel) return;
  const { receipt, request } = real;
  const { ended: end } = question;
  expect(receipt?.outcome ?? null).toBe(receiptOf(end));
  if (receipt === null) return;
  expect(isReceiptVerified(receipt, request)).toBe(true);
  expect(receipt.ran).toBe(false);
  if (receipt.via === "cli" && receipt.decision === "answer") {
    expect(given.get(receipt.answer ?? "")).toBe(question.text);
  }
  const settled = bench.audit.only("question.settled").filter((event) => event.call === request.id);
  if (settled.length > 0) expect(settled.at(-1)).toMatchObject({ details: { outcome: receipt.outcome } });
}

function receiptOf(end: ModelCall["outcome"]): string | null {
  if (end === null || end === "refused") return null;
  return end === "answered" ? "answered" : outcomes[end].receipt;
}
