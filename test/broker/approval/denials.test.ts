import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDenials, type Denial } from "../../../src/broker/approval/denials.js";
import { asking, pushOf } from "../../support/asking.js";
import { answerTo, commandSubject, denialOf } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { FakeDialog } from "../../support/fake-dialog.js";
import { boundTo } from "../../support/grants.js";
import { atTerminal } from "../../support/witnesses.js";

const drifted = { subject: commandSubject({ state: "none" }) };

describe("a no is remembered", () => {
  it("and told again to an identical call: same words, nobody asked, nothing filed, on record", async () => {
    const bench = asking();
    const asked = await bench.ask();
    bench.face.answer(denialOf(asked.request, "not on Fridays"));
    await asked.outcome;
    bench.clock.advance(10_000);
    const dialog = new FakeDialog();
    const again = bench.start({ dialog, ask: { says: "please" } });
    expect(await again.outcome).toEqual({
      name: "denied",
      via: "cli",
      scope: null,
      assurance: "terminal",
      verified: atTerminal.verified,
      note: "not on Fridays",
      unseenMs: null,
      waits: null,
      redeemed: false,
      run: null,
      rule: null,
      request: asked.request.id,
      seconds: 0,
    });
    expect(() => again.request).toThrow("Nothing was asked yet.");
    expect(dialog.shown).toEqual([]);
    expect(bench.place.files.size).toBe(0);
    expect(bench.audit.only("approval.requested")).toHaveLength(1);
    expect(bench.audit.only("approval.decided").at(-1)).toMatchObject({
      call: asked.request.id,
      selfReported: { says: expect.stringMatching(/^[0-9a-f]{64}$/) },
      details: {
        outcome: "denied",
        via: "cli",
        assurance: "terminal",
        repeated: true,
        command: "git push origin main",
      },
    });
  });

  it("from the client's dialog too", async () => {
    const bench = asking();
    const asked = await bench.ask({ dialog: new FakeDialog() });
    bench.clock.advance(5_000);
    asked.dialog.answer({ kind: "deny" });
    await asked.outcome;
    const again = await bench.start().outcome;
    expect(again).toMatchObject({
      name: "declined",
      via: "elicitation",
      assurance: "dialog",
      verified: null,
      request: asked.request.id,
    });
  });

  it("with how soon it came where nobody can have read what was declined", async () => {
    const bench = asking();
    const asked = await bench.ask({ dialog: new FakeDialog() });
    bench.clock.advance(3);
    asked.dialog.answer({ kind: "deny" });
    await asked.outcome;
    expect(await bench.start().outcome).toMatchObject({ name: "declined", unseenMs: 3 });
  });

  it("from the instant it was said, before it is on disk", async () => {
    const bench = asking();
    const asked = await bench.ask();
    bench.audit.holding = "durable";
    bench.face.answer(denialOf(asked.request));
    expect(await bench.start().outcome).toMatchObject({ name: "denied" });
    expect(asked.ended).toBeNull();
    bench.audit.release();
    expect(await asked.outcome).toMatchObject({ name: "denied" });
  });

  it("whatever label the call comes under, and even while another thread's call waits", async () => {
    const bench = asking();
    const other = await bench.ask({ ask: { thread: "other" } });
    const asked = await bench.ask();
    bench.face.answer(denialOf(asked.request));
    await asked.outcome;
    for (const thread of ["new", "other", null]) {
      expect(await bench.start({ ask: { thread } }).outcome).toMatchObject({ name: "denied" });
    }
    expect(other.ended).toBeNull();
  });

  it("against exactly the same: other words or another state ask", async () => {
    const bench = asking();
    const asked = await bench.ask();
    bench.face.answer(denialOf(asked.request));
    await asked.outcome;
    for (const ask of [pushOf("dev"), drifted]) {
      const other = await bench.ask({ ask });
      bench.face.answer(answerTo(other.request));
      expect(await other.outcome).toMatchObject({ name: "approved" });
    }
  });

  it("for 60 s, the last one included, by monotonic time", async () => {
    const bench = asking({ declineMemorySeconds: 60 });
    const asked = await bench.ask();
    bench.face.answer(denialOf(asked.request));
    await asked.outcome;
    bench.clock.jumpWallClock(1e9);
    bench.clock.advance(60_000);
    expect(await bench.start().outcome).toMatchObject({ name: "denied" });
    bench.clock.jumpWallClock(-2e9);
    bench.clock.advance(1);
    const again = await bench.ask();
    bench.face.answer(answerTo(again.request));
    expect(await again.outcome).toMatchObject({ name: "approved" });
  });

  it("and is not renewed by asking again", async () => {
    const bench = asking();
    const asked = await bench.ask();
    bench.face.answer(denialOf(asked.request));
    await asked.outcome;
    bench.clock.advance(40_000);
    await bench.start().outcome;
    bench.clock.advance(40_000);
    expect((await bench.ask()).ended).toBeNull();
  });

  it("not at all with 0 seconds", async () => {
    const bench = asking({ declineMemorySeconds: 0 });
    const asked = await bench.ask();
    bench.face.answer(denialOf(asked.request));
    await asked.outcome;
    expect((await bench.ask()).ended).toBeNull();
  });

  it("by one approver, until that closes", async () => {
    const bench = asking();
    const asked = await bench.ask();
    bench.face.answer(denialOf(asked.request));
    await asked.outcome;
    expect((await asking().ask()).ended).toBeNull();
    await bench.approver.close("the client left");
    expect(await bench.start().outcome).toMatchObject({ name: "withdrawn", note: "the client left" });
  });

  it("also where the log cannot be written", async () => {
    const bench = asking();
    const asked = await bench.ask();
    bench.face.answer(denialOf(asked.request));
    await asked.outcome;
    bench.audit.failing = "all";
    expect(await bench.start().outcome).toMatchObject({ name: "denied" });
  });
});

it.each(["timed_out", "abandoned", "withdrawn", "not_obtained"] as const)(
  "%s is no no: the next identical call asks",
  async (name) => {
    const bench = asking({ channel: null });
    const asked = await bench.ask({ dialog: new FakeDialog() });
    bench.clock.advance(1_000);
    if (name === "timed_out") bench.clock.advance(600_000);
    else if (name === "abandoned") asked.controller.abort();
    else if (name === "not_obtained") asked.dialog.answer({ kind: "dismissed" });
    else await bench.ask({ ask: drifted, dialog: new FakeDialog() });
    expect(await asked.outcome).toMatchObject({ name });
    const again = await bench.ask({ dialog: new FakeDialog() });
    expect(again.dialog.shown).toHaveLength(1);
  },
);

describe("what is remembered", () => {
  const denial = (request: string): Denial => {
    const said = { via: "cli", assurance: "terminal", verified: atTerminal.verified } as const;
    return { name: "denied", ...said, note: null, unseenMs: null, request };
  };

  it("is what was said last about each, no longer than it stands, whatever comes in whatever order", () => {
    const step = fc.oneof(
      fc.record({ deny: fc.nat(3) }),
      fc.record({ pass: fc.constantFrom(0, 1, 5_000, 10_000) }),
      fc.record({ find: fc.nat(3) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const clock = new FakeClock();
        const denials = createDenials(clock, { declineMemorySeconds: 10 });
        const model = new Map<number, { readonly said: string; readonly until: number }>();
        for (const [index, one] of steps.entries()) {
          if ("deny" in one) {
            model.set(one.deny, { said: `${index}`, until: clock.monotonic() + 10_000 });
            denials.remember(boundTo({ subject: `${one.deny}`, state: "s" }), denial(`${index}`));
          } else if ("pass" in one) clock.advance(one.pass);
          else {
            const known = model.get(one.find);
            const stands = known !== undefined && clock.monotonic() <= known.until;
            const found = denials.find(boundTo({ subject: `${one.find}`, state: "s" }));
            expect(found?.denial.request ?? null).toBe(stands ? known.said : null);
          }
          expect(clock.timers).toBe(0);
        }
      }),
    );
  });

  it("is a thousand at most: the oldest is forgotten first", () => {
    const denials = createDenials(new FakeClock(), { declineMemorySeconds: 60 });
    const remember = (index: number) =>
      denials.remember(boundTo({ subject: `${index}`, state: "s" }), denial(`${index}`));
    for (let index = 0; index < 1_000; index += 1) remember(index);
    // Said again, it is the newest.
    remember(0);
    remember(1_000);
    const found = [0, 1, 2, 1_000].map((index) => denials.find(boundTo({ subject: `${index}`, state: "s" })));
    expect(found.map((one) => one?.denial)).toEqual([denial("0"), undefined, denial("2"), denial("1000")]);
  });
});
