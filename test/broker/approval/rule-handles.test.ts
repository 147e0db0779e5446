/** Rules of a connection that other processes see and revoke. */
import { describe, expect, it } from "vitest";
import type { Ask } from "../../../src/broker/approval/approver.js";
import type { Channel } from "../../../src/broker/channel/channel.js";
import type { GrantStore } from "../../../src/broker/grants/grant-store.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { type Asked, type Asking, asking, calm, detach, keepingIn, world } from "../../support/asking.js";
import { answerTo, commandSubject, denialOf, testServer } from "../../support/builders.js";
import type { Shelf } from "../../support/memory-grants.js";

const hour = 3_600_000;
const ask: Partial<Ask> = {
  scopes: ["once", "session"],
  subject: commandSubject({ pattern: "git push origin main" }),
};

function keeping(
  wrap: (own: GrantStore) => GrantStore = (own) => own,
  channel: (own: Channel, shelf: Shelf) => Channel = (own) => own,
) {
  const shared = world();
  const { grants, late } = keepingIn(shared);
  if (grants === null) throw new Error("Nothing is kept.");
  return {
    ...asking({
      world: shared,
      grants: wrap(grants),
      late,
      channel: (own) => channel(own, shared.shelf),
    }),
    shelf: shared.shelf,
    face: keepingIn(shared).grants,
    channel: asking({ world: shared }).face,
  };
}

async function allowed(bench: ReturnType<typeof keeping>): Promise<string> {
  const asked = await bench.ask({ ask });
  bench.channel.answer(answerTo(asked.request, { scope: "session" }));
  expect((await asked.outcome).name).toBe("approved");
  return asked.request.id;
}

/** A yes for the session to a request whose call has ended alone; `before` it, something happens. */
async function yesAlone(bench: ReturnType<typeof keeping>, before: () => void = () => {}): Promise<Asked> {
  const asked = await bench.ask({ ask });
  detach(asked);
  await calm();
  before();
  bench.channel.answer(answerTo(asked.request, { scope: "session" }));
  await calm();
  return asked;
}

const asks = async (bench: Pick<Asking, "ask">): Promise<boolean> =>
  (await bench.ask({ ask })).ended === null;

describe("a rule for the session", () => {
  it("is shown to other processes in full, with whom it was given to, for twelve hours", async () => {
    const bench = keeping();
    const request = await allowed(bench);
    expect(bench.face?.list().sessions).toMatchObject([
      {
        fault: null,
        rule: {
          rule: "git push origin main",
          client: "stdio:test-client",
          directory: "/home/p/api",
          request,
          server: testServer,
          life: { forMs: 12 * hour },
          idle: { forMs: 2 * hour },
        },
      },
    ]);
    expect(await asks(bench)).toBe(false);
  });

  it("is used for as long as it is used again within two hours, and others see when it was", async () => {
    const bench = keeping();
    await allowed(bench);
    for (const used of [2, 4, 6]) {
      bench.clock.advance(2 * hour);
      expect(await asks(bench)).toBe(false);
      const [listed] = bench.face?.list().sessions ?? [];
      const { life, idle } = listed?.rule ?? expect.fail("It is gone.");
      expect([idle.from.at - life.from.at, idle.forMs]).toEqual([used * hour, 2 * hour]);
    }
    bench.clock.advance(2 * hour + 1);
    expect(bench.face?.list().sessions).toMatchObject([{ fault: "it has expired" }]);
    expect(await asks(bench)).toBe(true);
  });

  it("that another process revokes is used no more", async () => {
    const bench = keeping();
    await allowed(bench);
    expect(await asks(bench)).toBe(false);
    const [listed] = bench.face?.list().sessions ?? [];
    expect(await bench.face?.revoke(listed?.rule.id ?? "")).toBe(true);
    expect(await asks(bench)).toBe(true);
  });

  it("that cannot be shown is not left, and the yes stands for its call alone", async () => {
    const bench = keeping();
    bench.shelf.isBroken = true;
    await allowed(bench);
    bench.shelf.isBroken = false;
    expect(await asks(bench)).toBe(true);
  });

  it("that cannot be shown makes a yes nobody's that no call waits for, and its receipt says so", async () => {
    const bench = keeping();
    const asked = await yesAlone(bench, () => {
      bench.shelf.isBroken = true;
    });
    expect(asked.receipt).toMatchObject({ outcome: "failed", decision: "approve", ran: false });
    const why =
      "no call waits for it any more, and it leaves no rule: channel_unavailable: Nothing can be written";
    expect(bench.audit.only("approval.settled").at(-1)).toMatchObject({
      details: { outcome: "failed", ran: false, why },
    });
    bench.shelf.isBroken = false;
    expect(await asks(bench)).toBe(true);
    await allowed(bench);
    expect(await asks(bench)).toBe(false);
  });

  it("is there before the receipt of a yes that no call waits for says so, and allows the next call", async () => {
    const atReceipt: number[] = [];
    const bench = keeping(
      (own) => own,
      (own, shelf) => ({
        ...own,
        settle(id, ending) {
          atReceipt.push(shelf.rules.size);
          return own.settle(id, ending);
        },
      }),
    );
    const asked = await yesAlone(bench);
    expect(asked.receipt).toMatchObject({ outcome: "answered", decision: "approve", ran: null });
    expect(atReceipt).toEqual([1]);
    expect(await asks(bench)).toBe(false);
  });

  it("goes with a receipt that cannot be published", async () => {
    const bench = keeping((own) => ({
      ...own,
      keepRule(...given) {
        bench.place.fault = new WispError("channel_unavailable", "No space is left.");
        return own.keepRule(...given);
      },
    }));
    const asked = await yesAlone(bench);
    expect([asked.receipt, bench.shelf.rules.size]).toEqual([null, 0]);
    bench.place.fault = null;
    expect(await asks(bench)).toBe(true);
  });

  it("is not left where a no came while a yes was written down that no call waits for, and the receipt says so", async () => {
    const bench = keeping();
    const other = await bench.ask({ ask: { ...ask, thread: "other" } });
    const asked = await yesAlone(bench, () => {
      bench.audit.holding = "durable";
    });
    bench.channel.answer(denialOf(other.request));
    bench.audit.release();
    await other.outcome;
    await calm();
    expect(asked.receipt).toMatchObject({ outcome: "failed", decision: "approve", ran: false });
    expect(bench.shelf.rules.size).toBe(0);
  });

  it.each<[string, (bench: ReturnType<typeof keeping>) => unknown]>([
    ["the connection", (bench) => bench.approver.close("the client left")],
    ["two hours without use, at the next call", (bench) => bench.clock.advance(2 * hour + 1)],
  ])("is taken away with the end of %s", async (_what, end) => {
    const bench = keeping();
    await allowed(bench);
    expect(bench.shelf.rules.size).toBe(1);
    await end(bench);
    await bench.ask({ ask });
    expect(bench.shelf.rules.size).toBe(0);
  });

  it("is taken away by a no to the same", async () => {
    const bench = keeping();
    const waiting = await bench.ask({ ask: { ...ask, thread: "a" } });
    await allowed(bench);
    expect(bench.shelf.rules.size).toBe(1);
    bench.channel.answer(denialOf(waiting.request));
    await waiting.outcome;
    expect(bench.shelf.rules.size).toBe(0);
  });

  it("takes the place of an older one for the same in another state", async () => {
    const bench = keeping();
    await allowed(bench);
    const state = { bound: [{ target: "HEAD", fingerprint: "b" }] };
    const asked = await bench.ask({ ask: { ...ask, subject: commandSubject({ state }) } });
    bench.channel.answer(answerTo(asked.request, { scope: "session" }));
    await asked.outcome;
    expect([...bench.shelf.rules.values()]).toMatchObject([{ request: asked.request.id }]);
  });

  it.each<[string, Partial<Ask>]>([
    ["another client", { client: { name: "other", version: "1" } }],
    ["another face of ours", { bound: { role: "gate", server: "wisp" } }],
    ["another server", { bound: { role: "mcp", server: "files" } }],
  ])("does not allow what %s asks, and stays for its own", async (_what, other) => {
    const bench = keeping();
    await allowed(bench);
    const asked = await bench.ask({ ask: { ...ask, ...other } });
    expect(asked.ended).toBeNull();
    expect(await asks(bench)).toBe(false);
  });

  it("is heard to be a programmer's error where its handle is", async () => {
    const bench = keeping((own) => ({
      ...own,
      keepRule: () => {
        throw new TypeError("a mistake");
      },
    }));
    const asked = await bench.ask({ ask });
    bench.channel.answer(answerTo(asked.request, { scope: "session" }));
    await expect(asked.outcome).rejects.toThrow("a mistake");
  });
});
