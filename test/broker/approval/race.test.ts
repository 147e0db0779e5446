import { describe, expect, it } from "vitest";
import { answerWriter, MemorySlot } from "../../../src/broker/approval/decision-slot.js";
import type { Dialog, DialogAnswer } from "../../../src/broker/approval/dialog.js";
import { Race } from "../../../src/broker/approval/race.js";
import type { Channel } from "../../../src/broker/channel/channel.js";
import { answerFileName } from "../../../src/broker/request/answer.js";
import { answerHash } from "../../../src/broker/request/binding.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { type Asked, anAsk, asking, calm, plantAnswer, switchedOff } from "../../support/asking.js";
import { answerTo, approvalRequest, denialOf, testServer } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { FakeDialog } from "../../support/fake-dialog.js";
import { removeRequest } from "../../support/memory-channel.js";

const yes: DialogAnswer = { kind: "approve", scope: "once" };
const full = new WispError("channel_unavailable", "No space is left.");

describe("both ways at once", () => {
  it("the dialog's answer that finds the slot taken changes nothing", async () => {
    // The face's answer stands in the slot, and its event is late.
    const bench = asking({ channel: (own) => ({ ...own, changes: () => () => {} }) });
    bench.audit.holding = "all";
    const asked = bench.start({ dialog: new FakeDialog() });
    bench.clock.advance(5_000);
    bench.audit.release();
    await calm();
    bench.face.answer(denialOf(asked.request, "no"));
    await calm();
    expect(asked.ended).toBeNull();
    bench.clock.advance(3);
    asked.dialog.answer(yes);
    expect(await asked.outcome).toMatchObject({ name: "denied", via: "cli", note: "no" });
    expect(bench.audit.only("approval.answered")).toMatchObject([
      { details: { via: "cli", seconds: 5.003, unseen: false } },
    ]);
    expect(asked.receipt?.answer).toBe(answerHash(denialOf(asked.request, "no")));
  });

  it("a face's answer that finds the slot taken by the dialog changes nothing", async () => {
    const bench = asking();
    const asked = await bench.ask({ dialog: new FakeDialog() });
    bench.audit.holding = "durable";
    asked.dialog.answer(yes);
    await calm();
    expect(bench.face.answer(denialOf(asked.request))).toBe(false);
    bench.audit.release();
    expect(await asked.outcome).toMatchObject({ name: "approved", via: "elicitation" });
  });

  it.each(["time", "cancellation", "closing"])(
    "an approval that stood in the slot before %s came decides",
    async (what) => {
      const bench = asking({ channel: (own) => ({ ...own, changes: () => () => {} }) });
      const asked = await bench.ask();
      bench.face.answer(answerTo(asked.request));
      if (what === "time") bench.clock.advance(600_000);
      else if (what === "cancellation") asked.controller.abort();
      else await bench.approver.close("stopping");
      const { name } = await asked.outcome;
      expect(name).toBe({ time: "approved", cancellation: "abandoned", closing: "withdrawn" }[what]);
      expect(asked.receipt).toMatchObject({
        outcome: "answered",
        decision: "approve",
        ran: what === "time" ? null : false,
      });
    },
  );

  it("an answer that comes after time ran out does not", async () => {
    const bench = asking();
    const asked = await bench.ask({ dialog: new FakeDialog({ ignoresWithdrawal: true }) });
    bench.clock.advance(600_000);
    expect(bench.face.answer(answerTo(asked.request))).toBe(false);
    asked.dialog.answer(yes);
    expect(await asked.outcome).toMatchObject({ name: "timed_out" });
    expect(asked.receipt).toMatchObject({ outcome: "timed_out", ran: false });
  });
});

describe("a dialog that lost", () => {
  it("is withdrawn before the decision is written down, and before the ask resolves", async () => {
    const bench = asking();
    const order: string[] = [];
    const dialog = new FakeDialog({ ignoresWithdrawal: true });
    dialog.onWithdrawn = (reason) => order.push(`withdrawn: ${reason}`);
    const asked = await bench.ask({ dialog });
    const append = bench.audit.append.bind(bench.audit);
    bench.audit.append = (events, durability) => {
      order.push(`append ${durability}`);
      return append(events, durability);
    };
    asked.outcome.then(() => order.push("resolved"));
    bench.face.answer(answerTo(asked.request));
    await asked.outcome;
    await calm();
    expect(order).toEqual(["withdrawn: approved (cli)", "append durable", "resolved"]);
  });

  it("and ignores its withdrawal delays nothing, and what it says later is ignored", async () => {
    const bench = asking();
    const asked = await bench.ask({ dialog: new FakeDialog({ ignoresWithdrawal: true }) });
    bench.face.answer(denialOf(asked.request));
    expect(await asked.outcome).toMatchObject({ name: "denied" });
    asked.dialog.answer(yes);
    await calm();
    expect(bench.place.files.size).toBe(0);
    expect(bench.place.receipts.size).toBe(1);
    expect(bench.audit.only("approval.settled")).toHaveLength(1);
  });

  it("and rejects later breaks nothing", async () => {
    const bench = asking();
    const asked = await bench.ask({ dialog: new FakeDialog({ ignoresWithdrawal: true }) });
    bench.face.answer(denialOf(asked.request));
    await asked.outcome;
    asked.dialog.break(new Error("late"));
    await calm();
    expect(asked.receipt).toMatchObject({ decision: "deny" });
  });
});

describe("a dialog that is over", () => {
  const endings: readonly { readonly how: string; readonly end: (asked: Asked) => void; part: string }[] = [
    { how: "was dismissed", end: ({ dialog }) => dialog.answer({ kind: "dismissed" }), part: "dismissed" },
    {
      how: "said nonsense",
      end: ({ dialog }) => dialog.answer({ kind: "invalid", why: "no decision" }),
      part: "invalid",
    },
    {
      how: "said something unknown",
      end: ({ dialog }) => dialog.answer({ kind: "later" } as unknown as DialogAnswer),
      part: "invalid",
    },
    {
      how: "approved a scope that was not offered",
      end: ({ dialog }) => dialog.answer({ kind: "approve", scope: "always" }),
      part: "invalid",
    },
    {
      how: "could not be shown",
      end: ({ dialog }) => dialog.answer({ kind: "failed", why: "-32601" }),
      part: "failed",
    },
    { how: "rejected", end: ({ dialog }) => dialog.break(new Error("broken")), part: "failed" },
    {
      how: "does not exist",
      end: ({ dialog }) => dialog.answer({ kind: "unsupported", why: "-32601" }),
      part: "unsupported",
    },
  ];

  it.each(endings)("because it $how leaves the channel asking", async ({ end, part }) => {
    const bench = asking();
    bench.clock.advance(500);
    const asked = await bench.ask({ dialog: new FakeDialog() });
    bench.clock.advance(1_000);
    end(asked);
    await calm();
    expect(asked.ended).toBeNull();
    expect(bench.face.pending().requests).toEqual([asked.request]);
    expect(bench.audit.only("dialog.ended")).toMatchObject([
      {
        call: asked.request.id,
        details: { how: part, seconds: 1, unseen: false, why: expect.stringMatching(/\w/) },
      },
    ]);
    bench.face.answer(answerTo(asked.request));
    expect(await asked.outcome).toMatchObject({ name: "approved", via: "cli" });
    expect(asked.dialog.isWithdrawn).toBe(false);
    expect(bench.audit.only("approval.settled")).toMatchObject([{ details: { dialog: part } }]);
  });

  it("because it threw at once leaves the channel asking", async () => {
    const bench = asking();
    const throwing: Dialog = {
      unseenDecline: "decline",
      ask() {
        throw new Error("not connected");
      },
    };
    const outcome = bench.approver.ask(anAsk(), throwing, new AbortController().signal);
    await calm();
    const [request] = bench.face.pending().requests;
    if (request === undefined) throw new Error("nothing was filed");
    bench.face.answer(answerTo(request));
    expect(await outcome).toMatchObject({ name: "approved", via: "cli" });
  });

  it("because it rejected ends an ask that has no other way", async () => {
    const bench = asking({ channel: null });
    const asked = await bench.ask({ dialog: new FakeDialog() });
    asked.dialog.break("no transport");
    expect(await asked.outcome).toMatchObject({
      name: "failed",
      note: `${switchedOff}; no transport`,
    });
  });
});

describe("a reason", () => {
  it("of any content and length ends the wait and is told in one safe line", async () => {
    const bench = asking({ channel: null });
    const asked = await bench.ask({ dialog: new FakeDialog() });
    asked.dialog.answer({ kind: "failed", why: `\ud800\n\u001b[2J${"x".repeat(10_000)}` });
    const { name, note } = await asked.outcome;
    expect(name).toBe("failed");
    expect(note).toMatch(/switched off \(approval\.outOfBand\); \\u\{d800\}\\u\{a\}\\u\{1b\}\[2Jx+$/);
    expect(note).toHaveLength(1_000);
  });
});

describe("a dialog's answer that cannot be published", () => {
  const failing = (isFull: () => boolean) => (own: Channel) => ({
    ...own,
    answer(answer: Parameters<Channel["answer"]>[0]) {
      if (isFull()) throw full;
      return own.answer(answer);
    },
  });

  it("approves nothing when it is a yes: failed, saying why", async () => {
    let isFull = true;
    const bench = asking({ channel: failing(() => isFull) });
    const asked = await bench.ask({ dialog: new FakeDialog() });
    bench.clock.advance(1_000);
    asked.dialog.answer(yes);
    expect(await asked.outcome).toMatchObject({
      name: "failed",
      scope: null,
      note: expect.stringContaining("No space is left"),
    });
    expect(asked.receipt).toMatchObject({ outcome: "failed", decision: "failed", ran: false });
    isFull = false;
    const again = await bench.ask({ dialog: new FakeDialog() });
    again.dialog.answer(yes);
    expect(await again.outcome).toMatchObject({ name: "approved" });
  });

  it("still says no when it is a no", async () => {
    const bench = asking({ channel: failing(() => true) });
    const asked = await bench.ask({ dialog: new FakeDialog() });
    asked.dialog.answer({ kind: "deny" });
    expect(await asked.outcome).toMatchObject({ name: "declined" });
    expect(asked.receipt).toMatchObject({ outcome: "answered", decision: "deny", via: "elicitation" });
  });

  it("still says no when the request is gone from the channel", async () => {
    const bench = asking({ channel: (own) => ({ ...failing(() => true)(own), changes: () => () => {} }) });
    const asked = await bench.ask({ dialog: new FakeDialog() });
    removeRequest(bench.place, asked.request.id);
    asked.dialog.answer({ kind: "deny" });
    expect(await asked.outcome).toMatchObject({ name: "declined" });
  });

  it("approves nothing when the request is gone from the channel", async () => {
    const bench = asking({ channel: (own) => ({ ...failing(() => true)(own), changes: () => () => {} }) });
    const asked = await bench.ask({ dialog: new FakeDialog() });
    removeRequest(bench.place, asked.request.id);
    asked.dialog.answer(yes);
    expect(await asked.outcome).toMatchObject({ name: "failed", note: expect.stringContaining("removed") });
  });

  it("leaves the decision to an answer that stood there first", async () => {
    const bench = asking({ channel: (own) => ({ ...failing(() => true)(own), changes: () => () => {} }) });
    const asked = await bench.ask({ dialog: new FakeDialog() });
    bench.face.answer(answerTo(asked.request));
    asked.dialog.answer({ kind: "deny" });
    expect(await asked.outcome).toMatchObject({ name: "approved", via: "cli" });
  });

  it("because of an unexpected error is not taken, and the request is settled", async () => {
    const bench = asking({
      channel: (own) => ({
        ...own,
        answer() {
          throw new TypeError("broken");
        },
      }),
    });
    const asked = await bench.ask({ dialog: new FakeDialog() });
    asked.dialog.answer(yes);
    expect(await asked.outcome).toMatchObject({ name: "failed", note: "broken" });
    expect(asked.receipt).toMatchObject({ outcome: "failed", ran: false });
  });
});

describe("junk in the slot", () => {
  it("is moved away for the dialog's answer", async () => {
    const bench = asking({ channel: (own) => ({ ...own, changes: () => () => {} }) });
    const asked = await bench.ask({ dialog: new FakeDialog() });
    plantAnswer(bench.place, asked.request, "{");
    asked.dialog.answer(yes);
    expect(await asked.outcome).toMatchObject({ name: "approved", via: "elicitation" });
    expect(bench.place.rejected).toHaveLength(1);
  });

  it.each([
    { said: yes, name: "failed" },
    { said: { kind: "deny" } as const, name: "declined" },
  ])(
    "that comes back each time keeps nothing waiting and approves nothing: $name",
    async ({ said, name }) => {
      let id = "";
      const bench = asking({
        channel: (own) => ({
          ...own,
          answer(answer) {
            bench.place.files.set(answerFileName(id), new TextEncoder().encode("{"));
            return own.answer(answer);
          },
        }),
      });
      const asked = await bench.ask({ dialog: new FakeDialog() });
      id = asked.request.id;
      asked.dialog.answer(said);
      expect(await asked.outcome).toMatchObject({ name });
      expect(bench.place.rejected.length).toBeLessThan(10);
    },
  );
});

describe("everything at one instant", () => {
  it("settles once when news, cancellation and closing come while the slot is being claimed", async () => {
    const settled: string[] = [];
    const bench = asking({
      channel: (own) => ({
        ...own,
        withdraw(id, decision, note) {
          // Claiming the slot tells of a change, and the caller and the server give up meanwhile.
          for (const listener of bench.place.listeners) listener(id);
          asked.controller.abort();
          void bench.approver.close("stopping");
          return own.withdraw(id, decision, note);
        },
        settle(id, ending) {
          settled.push(`${id} ${ending.outcome}`);
          return own.settle(id, ending);
        },
      }),
    });
    const asked = await bench.ask({ dialog: new FakeDialog() });
    bench.clock.advance(600_000);
    expect(await asked.outcome).toMatchObject({ name: "timed_out" });
    expect(settled).toEqual([`${asked.request.id} timed_out`]);
    expect(asked.dialog.isWithdrawn).toBe(true);
  });

  it("tells of the decision once when claiming the slot brings the news of it first", () => {
    const request = approvalRequest();
    const writeAnswer = answerWriter(new FakeClock(), testServer, "0.1.0");
    const told: string[] = [];
    const slot = new MemorySlot(request, writeAnswer);
    const withdraw = slot.withdraw.bind(slot);
    slot.withdraw = (decision, note) => {
      const taken = withdraw(decision, note);
      race.look();
      return taken;
    };
    const race = new Race({
      request,
      writeAnswer,
      dialog: null,
      channelFault: null,
      clock: new FakeClock(),
      unseenAnswerMs: 400,
      onDialogEnded: () => {},
      onUnusable: () => {},
      onDecided: ({ name }) => told.push(name),
      slot,
    });
    race.end("timed_out", "nobody answered");
    race.end("abandoned", "the caller cancelled");
    race.look();
    expect(told).toEqual(["timed_out"]);
  });

  it("takes the dialog's answer when publishing it brings the news of it first", async () => {
    const bench = asking();
    const asked = await bench.ask({ dialog: new FakeDialog() });
    asked.dialog.answer(yes);
    expect(await asked.outcome).toMatchObject({ name: "approved", via: "elicitation" });
    expect(bench.audit.only("approval.settled")).toMatchObject([{ details: { dialog: "answered" } }]);
    expect(asked.dialog.isWithdrawn).toBe(false);
  });
});
