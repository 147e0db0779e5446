/**
 * Everything that can happen to some asks, in any order and at the same instant or not, against a model that knows
 * one rule: the first claim of the slot decides.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { DialogAnswer } from "../../../src/broker/approval/dialog.js";
import type { Channel } from "../../../src/broker/channel/channel.js";
import { answerHash, isReceiptVerified } from "../../../src/broker/request/binding.js";
import { type OutcomeName, outcomes } from "../../../src/broker/request/outcome.js";
import { type Asked, type Asking, asking, calm, plantAnswer, pushOf } from "../../support/asking.js";
import { answerTo, denialOf } from "../../support/builders.js";
import { FakeDialog } from "../../support/fake-dialog.js";
import { removeRequest } from "../../support/memory-channel.js";

const timeoutMs = 600_000;
const mostAsks = 5;

type Said = DialogAnswer | { readonly kind: "rejects" };

/** Steps between two calms happen at the same instant: nothing that was set off has run. */
type Step =
  | { readonly do: "calm" }
  | { readonly do: "break audit" | "mend audit" | "close" }
  /** A deaf dialog ignores that it is withdrawn. */
  | { readonly do: "ask"; readonly dialog: "none" | "good" | "deaf" }
  | { readonly do: "pass"; readonly ms: number }
  | { readonly do: "dialog"; readonly ask: number; readonly said: Said }
  | { readonly do: "cancel"; readonly ask: number }
  | { readonly do: Deed; readonly ask: number };

/** What other processes do. */
const deeds = ["approve", "deny", "junk", "forge", "remove"] as const;
type Deed = (typeof deeds)[number];
const words: readonly Said[] = [
  { kind: "approve", scope: "once" },
  { kind: "deny" },
  { kind: "dismissed" },
  { kind: "invalid", why: "no decision" },
  { kind: "failed", why: "-32601" },
  { kind: "rejects" },
];

const which = fc.nat(mostAsks - 1);
const dialogs = fc.constantFrom<"none" | "good" | "deaf">("none", "good", "deaf");
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant("ask" as const), dialog: dialogs }) },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant("dialog" as const),
        ask: which,
        said: fc.constantFrom(...words),
      }),
    },
    { weight: 6, arbitrary: fc.record({ do: fc.constantFrom(...deeds, "cancel"), ask: which }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant("pass" as const), ms: fc.constantFrom(1, 200_000, timeoutMs) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("break audit", "mend audit", "close") }) },
    { weight: 7, arbitrary: fc.record({ do: fc.constant("calm" as const) }) },
  ) as fc.Arbitrary<Step>,
  { minLength: 4, maxLength: 40 },
);

/** What the model knows of one ask. */
interface Expected {
  readonly asked: Asked;
  readonly hasDialog: boolean;
  /** `starting`: not asked about yet; `over`: its caller knows how it ended. */
  state: "starting" | "waiting" | "decided" | "over";
  dueAt: number;
  isCancelled: boolean;
  /** Was it asked about in any way? */
  wasAsked: boolean;
  /** What claimed the slot. */
  slot: OutcomeName | null;
  /** What the caller is told. */
  outcome: OutcomeName | null;
  /** What the dialog said and nobody has heard yet. */
  said: Said | null;
  isDialogOver: boolean;
  isWithdrawn: boolean;
}

interface World {
  readonly bench: Asking;
  readonly hasChannel: boolean;
  readonly asks: Expected[];
  isClosed: boolean;
}

it.each([
  { ways: "the channel and dialogs", hasChannel: true },
  { ways: "dialogs alone", hasChannel: false },
])("with $ways, whatever comes in whatever order, the first claim decides, once", async ({ hasChannel }) => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const settles = new Map<string, number>();
      const channel = hasChannel ? (own: Channel) => countingSettles(own, settles) : null;
      const bench = asking({ channel, unseenAnswerMs: 0 });
      const world: World = { bench, hasChannel, asks: [], isClosed: false };
      for (const step of [...all, { do: "calm" } as const]) {
        if (step.do !== "calm") happen(world, step);
        else {
          await calm();
          settleDown(world);
        }
      }
      for (const ask of world.asks) check(world, ask, settles);
      await bench.approver.close("the end");
      for (const ask of world.asks) expect(ask.asked.ended).not.toBeNull();
      expect([...settles.values()].filter((count) => count !== 1)).toEqual([]);
      expect([bench.clock.timers, bench.place.files.size]).toEqual([0, 0]);
    }),
    { numRuns: 500 },
  );
});

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
  const { bench, asks } = world;
  switch (step.do) {
    case "ask":
      if (asks.length < mostAsks) asks.push(newAsk(world, step.dialog));
      return;
    case "pass":
      bench.clock.advance(step.ms);
      for (const ask of asks) if (ask.dueAt <= bench.clock.monotonic()) claim(ask, "timed_out");
      return;
    case "break audit":
      bench.audit.failing = "all";
      return;
    case "mend audit":
      bench.audit.failing = "none";
      return;
    case "close":
      void bench.approver.close("closing");
      world.isClosed = true;
      for (const ask of asks) claim(ask, "withdrawn");
      return;
    default: {
      const ask = asks[step.ask];
      if (ask === undefined) return;
      if (step.do === "cancel") {
        ask.asked.controller.abort();
        ask.isCancelled = true;
        claim(ask, "abandoned");
      } else if (!ask.wasAsked) return;
      else if (step.do === "dialog") say(ask, step.said);
      else if (world.hasChannel && ask.asked.receipt === null) act(world, ask, step.do);
    }
  }
}

function newAsk(world: World, kind: "none" | "good" | "deaf"): Expected {
  const dialog = kind === "none" ? null : new FakeDialog({ ignoresWithdrawal: kind === "deaf" });
  const isUnwritten = world.bench.audit.failing !== "none";
  const asked = world.bench.start({ dialog, ask: pushOf(`b${world.asks.length}`) });
  const outcome = world.isClosed ? "withdrawn" : isUnwritten ? "failed" : null;
  return {
    asked,
    hasDialog: dialog !== null,
    state: outcome === null ? "starting" : "over",
    dueAt: Number.POSITIVE_INFINITY,
    isCancelled: false,
    wasAsked: false,
    slot: null,
    outcome,
    said: null,
    isDialogOver: dialog === null,
    isWithdrawn: false,
  };
}

function say(ask: Expected, said: Said): void {
  if (!ask.hasDialog) return;
  if (said.kind === "rejects") ask.asked.dialog.break(new Error("broken"));
  else ask.asked.dialog.answer(said);
  if (ask.state === "waiting" && !ask.isDialogOver) ask.said ??= said;
}

/** Nothing of it is done once the receipt is there: an honest face looks for it first. */
function act({ bench }: World, ask: Expected, deed: Deed): void {
  const { request } = ask.asked;
  switch (deed) {
    case "approve":
      expect(bench.face.answer(answerTo(request))).toBe(ask.state === "waiting");
      claim(ask, "approved");
      break;
    case "deny":
      expect(bench.face.answer(denialOf(request))).toBe(ask.state === "waiting");
      claim(ask, "denied");
      break;
    case "junk":
      plantAnswer(bench.place, request, "{");
      break;
    case "forge":
      plantAnswer(bench.place, request, JSON.stringify(answerTo(request, { via: "elicitation" })));
      break;
    case "remove":
      removeRequest(bench.place, request.id);
      claim(ask, "failed");
      break;
    default:
      deed satisfies never;
  }
}

function claim(ask: Expected, slot: OutcomeName, isByDialog = false): void {
  if (ask.state !== "waiting") return;
  ask.state = "decided";
  ask.slot = slot;
  ask.isWithdrawn = !isByDialog && !ask.isDialogOver;
}

/** What the model does when everything that was set off has run. */
function settleDown(world: World): void {
  for (const ask of world.asks) {
    const gone = ask.isCancelled ? "abandoned" : world.isClosed ? "withdrawn" : null;
    if (ask.state === "starting") start(world, ask, gone);
    else if (ask.state === "waiting") hear(world, ask);
    if (ask.state !== "decided") continue;
    ask.state = "over";
    const isUnwritten = world.bench.audit.failing !== "none";
    ask.outcome = ask.slot === "approved" ? (gone ?? (isUnwritten ? "failed" : "approved")) : ask.slot;
  }
}

function start({ bench, hasChannel }: World, ask: Expected, gone: OutcomeName | null): void {
  const outcome = gone ?? (hasChannel || ask.hasDialog ? null : "failed");
  ask.outcome = outcome;
  ask.state = outcome === null ? "waiting" : "over";
  ask.wasAsked = outcome === null;
  if (ask.wasAsked) ask.dueAt = bench.clock.monotonic() + timeoutMs;
}

function hear({ hasChannel }: World, ask: Expected): void {
  const said = ask.said;
  if (said === null) return;
  ask.said = null;
  if (said.kind === "approve") claim(ask, "approved", true);
  else if (said.kind === "deny") claim(ask, "declined", true);
  else {
    ask.isDialogOver = true;
    const isUnshown = said.kind === "failed" || said.kind === "rejects";
    if (!hasChannel) claim(ask, isUnshown ? "failed" : "not_obtained");
  }
}

function check({ bench, hasChannel }: World, ask: Expected, settles: ReadonlyMap<string, number>): void {
  const { asked, slot, outcome } = ask;
  expect(asked.ended?.name ?? null).toBe(outcome);
  if (!ask.wasAsked) {
    expect(asked.ended?.request).toBeNull();
    return;
  }
  expect(asked.dialog.isWithdrawn).toBe(ask.isWithdrawn);
  const { request, receipt } = asked;
  const isOver = ask.state === "over";
  const settled = bench.audit.only("approval.settled").filter((event) => event.call === request.id);
  expect(settled.length).toBeLessThanOrEqual(1);
  expect(settles.get(request.id) ?? 0).toBe(isOver && hasChannel ? 1 : 0);
  if (!isOver || !hasChannel || slot === null) {
    expect(receipt).toBeNull();
    return;
  }
  expect(receipt).toMatchObject({
    outcome: outcome === "failed" ? "failed" : outcomes[slot].receipt,
    ran: outcome === "approved" ? null : false,
  });
  expect(receipt && isReceiptVerified(receipt, request)).toBe(true);
  expect(receipt?.decision === "approve").toBe(slot === "approved");
  if (receipt?.via === "cli") {
    expect([answerTo(request), denialOf(request)].map(answerHash)).toContain(receipt.answer);
  }
}
