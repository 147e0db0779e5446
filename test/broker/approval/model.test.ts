/**
 * Everything that can happen to some calls, in any order and at the same instant or not, against a model that knows a
 * few rules (test/support/approver-model.ts).
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { DialogAnswer } from "../../../src/broker/approval/dialog.js";
import type { Channel } from "../../../src/broker/channel/channel.js";
import { answerHash, isReceiptVerified } from "../../../src/broker/request/binding.js";
import {
  createModel,
  type Model,
  type ModelCall,
  type ModelRequest,
  receiptOf,
  type Said,
} from "../../support/approver-model.js";
import { type Asked, type Asking, asking, calm, plantAnswer } from "../../support/asking.js";
import { answerTo, commandSubject, denialOf } from "../../support/builders.js";
import { FakeDialog } from "../../support/fake-dialog.js";
import { removeRequest } from "../../support/memory-channel.js";

const timeoutMs = 600_000;
const mostCalls = 12;

type Spoken = DialogAnswer | { readonly kind: "rejects" };

/** Steps between two calms happen at the same instant: nothing that was set off has run. */
type Step =
  | { readonly do: "calm" }
  | { readonly do: "break audit" | "mend audit" | "close" }
  | AskStep
  | { readonly do: "pass"; readonly ms: number }
  | { readonly do: "dialog"; readonly call: number; readonly said: Spoken }
  | { readonly do: "cancel"; readonly call: number }
  | { readonly do: Deed; readonly call: number };

interface AskStep {
  readonly do: "ask";
  /** A deaf dialog ignores that it is withdrawn. */
  readonly dialog: "none" | "good" | "deaf";
  readonly subject: number;
  readonly state: number;
  readonly thread: string | null;
}

/** What other processes do. */
const deeds = ["approve", "allow", "deny", "junk", "forge", "remove"] as const;
type Deed = (typeof deeds)[number];

const spoken: readonly (readonly [Spoken, Said["meaning"]])[] = [
  [{ kind: "approve", scope: "once" }, "once"],
  [{ kind: "approve", scope: "session" }, "session"],
  [{ kind: "deny" }, "no"],
  [{ kind: "decline" }, "no"],
  [{ kind: "dismissed" }, "nothing"],
  [{ kind: "invalid", why: "no decision" }, "nothing"],
  [{ kind: "failed", why: "too long" }, "unshown"],
  [{ kind: "rejects" }, "unshown"],
];
const meanings = new Map(spoken);

/** Which of the calls that were made so far. */
const which = fc.nat(mostCalls - 1);
const anAskStep: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("ask" as const),
  dialog: fc.constantFrom<AskStep["dialog"]>("none", "good", "deaf"),
  subject: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) }),
  state: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) }),
  thread: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constant("t") }),
});
const aWord: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("dialog" as const),
  call: which,
  said: fc.constantFrom(...meanings.keys()),
});
const aDeed: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom(...deeds, "cancel" as const),
  call: which,
});
const aPause: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("pass" as const),
  ms: fc.constantFrom(1, 60_000, 60_000, 200_000, timeoutMs, 7_200_000),
});
const aTurn: fc.Arbitrary<Step> = fc.record({
  do: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom("break audit" as const, "mend audit" as const) },
    { weight: 1, arbitrary: fc.constant("close" as const) },
  ),
});
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: anAskStep },
    { weight: 4, arbitrary: aWord },
    { weight: 6, arbitrary: aDeed },
    { weight: 2, arbitrary: aPause },
    { weight: 1, arbitrary: aTurn },
    { weight: 7, arbitrary: fc.constant<Step>({ do: "calm" }) },
  ),
  { minLength: 4, maxLength: 60, size: "max" },
);

interface World {
  readonly bench: Asking;
  readonly model: Model;
  readonly hasChannel: boolean;
  /** The real calls, each beside that of the model with the same number. */
  readonly asked: Asked[];
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
        const bench = asking({ channel, unseenAnswerMs: 0 });
        const now = () => bench.clock.monotonic();
        const world: World = {
          bench,
          hasChannel,
          asked: [],
          model: createModel({ hasChannel, timeoutMs, now }),
        };
        for (const step of [...all, { do: "calm" } as const]) {
          if (step.do !== "calm") happen(world, step);
          else {
            await calm();
            world.model.calm();
          }
        }
        for (const call of world.model.calls) checkCall(world, call);
        for (const request of world.model.requests) checkRequest(world, request, settles);
        await bench.approver.close("the end");
        for (const { ended } of world.asked) expect(ended).not.toBeNull();
        expect([...settles.values()].filter((count) => count !== 1)).toEqual([]);
        expect([bench.clock.timers, bench.place.files.size]).toEqual([0, 0]);
      }),
      { numRuns: 500 },
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

/** Does the step to the real thing and to the model; nothing that it sets off runs yet. */
function happen(world: World, step: Exclude<Step, { do: "calm" }>): void {
  const { bench, model } = world;
  switch (step.do) {
    case "ask":
      if (world.asked.length < mostCalls) ask(world, step);
      return;
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
      void bench.approver.close("closing");
      model.close();
      return;
    default: {
      const index = step.call % world.asked.length;
      const asked = world.asked[index];
      const call = model.calls[index];
      if (asked === undefined || call === undefined) return;
      if (step.do === "cancel") {
        asked.controller.abort();
        model.cancel(call);
      } else if (step.do === "dialog") say(world, asked, call, step.said);
      else if (call.hasHeard && world.hasChannel && asked.receipt === null) act(world, asked, call, step.do);
    }
  }
}

function ask({ bench, model, asked }: World, { dialog, subject, state, thread }: AskStep): void {
  const shown = dialog === "none" ? null : new FakeDialog({ ignoresWithdrawal: dialog === "deaf" });
  const argv = ["git", "push", "origin", `b${subject}`];
  const bound = { bound: [{ target: "HEAD", fingerprint: `${state}` }] };
  const wanted = {
    subject: commandSubject({ argv, state: bound }),
    thread,
    scopes: ["once", "session"] as const,
  };
  asked.push(bench.start({ dialog: shown, ask: wanted }));
  model.ask({ subject, state, thread, hasDialog: shown !== null });
}

function say({ model }: World, asked: Asked, call: ModelCall, said: Spoken): void {
  if (said.kind === "rejects") asked.dialog.break(new Error("broken"));
  else asked.dialog.answer(said);
  model.say(call, meanings.get(said) ?? "nothing");
}

/** Nothing of it is done once the receipt is there: an honest face looks for it first. */
function act({ bench, model }: World, { request }: Asked, call: ModelCall, deed: Deed): void {
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

function checkCall({ asked, model }: World, call: ModelCall): void {
  const { ended } = asked[call.serial] ?? expect.fail("It was never made.");
  expect(ended?.name ?? null).toBe(call.outcome);
  if (ended === null) return;
  // The request it names is the one of a call that heard of it, or none.
  const witness = model.calls.find((one) => one.hasHeard && one.request === call.request);
  const named = call.request === null || witness === undefined ? null : asked[witness.serial]?.request.id;
  expect(ended.request).toBe(named);
  expect(ended.scope).toBe(call.outcome === "approved" ? (call.request?.scope ?? null) : null);
  expect(ended.assurance === null).toBe(call.outcome !== "approved");
}

function checkRequest(
  { bench, model, asked, hasChannel }: World,
  known: ModelRequest,
  settles: ReadonlyMap<string, number>,
): void {
  const heard = model.calls.find((call) => call.hasHeard && call.request === known);
  expect(heard !== undefined).toBe(known.isPlaced);
  if (heard === undefined) return;
  const { request, receipt } = asked[heard.serial] ?? expect.fail("It was never made.");
  const raised = known.raisedBy === null ? null : asked[known.raisedBy.serial];
  expect(raised?.dialog.isWithdrawn ?? false).toBe(known.isWithdrawn);
  const shown = model.calls.filter(({ serial }) =>
    asked[serial]?.dialog.shown.some(({ id }) => id === request.id),
  );
  expect(shown).toEqual(known.raisedBy === null ? [] : [known.raisedBy]);
  const settled = bench.audit.only("approval.settled").filter((event) => event.call === request.id);
  expect(settled.length).toBeLessThanOrEqual(1);
  expect(settles.get(request.id) ?? 0).toBe(known.state === "over" && hasChannel ? 1 : 0);
  const expected = hasChannel ? receiptOf(known) : null;
  if (expected === null || receipt === null) {
    expect(receipt).toBe(expected);
    return;
  }
  expect(receipt).toMatchObject(expected);
  expect(isReceiptVerified(receipt, request)).toBe(true);
  expect(receipt.decision === "approve").toBe(known.slot === "approved");
  if (receipt.via !== "cli") return;
  const given = [answerTo(request), answerTo(request, { scope: "session" }), denialOf(request)];
  expect(given.map(answerHash)).toContain(receipt.answer);
}
