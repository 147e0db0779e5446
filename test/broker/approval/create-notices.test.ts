import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createNotices, type NoticesParts } from "../../../src/broker/approval/create-notices.js";
import { silentNotices } from "../../../src/broker/approval/notices.js";
import type { BannerReceipt } from "../../../src/broker/notify/notifier.js";
import type { ApprovalRequest } from "../../../src/broker/request/request.js";
import { calm } from "../../support/asking.js";
import { approvalRequest } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { FakeNotifier } from "../../support/fake-notifier.js";
import { factRequest, questionRequest } from "../../support/request-kinds.js";

function board(overrides: Partial<NoticesParts> = {}) {
  const clock = new FakeClock();
  const notifier = new FakeNotifier(clock);
  const heard: { readonly receipt: BannerReceipt; readonly requests: readonly string[] }[] = [];
  const notices = createNotices({
    clock,
    notifiers: [notifier],
    delaySeconds: 10,
    timeoutSeconds: 600,
    answering: ({ kind, id }) => `wisp ${kind}s approve ${id}`,
    listing: "wisp approvals pending",
    onReceipt: async (receipt, requests) => void heard.push({ receipt, requests }),
    ...overrides,
  });
  const file = (
    how: { readonly filed?: boolean; readonly dialog?: boolean; readonly toldMsAgo?: number | null } = {},
  ): ApprovalRequest => {
    const request = approvalRequest();
    notices.waits(request, { filed: true, dialog: false, toldMsAgo: null, ...how });
    return request;
  };
  const titles = () => notifier.shown.map(({ title }) => title);
  return { clock, notifier, heard, notices, file, titles };
}

describe("a request with a dialog", () => {
  it("that is settled within the delay is not announced", async () => {
    const { clock, notifier, notices, file } = board();
    const { id } = file({ dialog: true });
    clock.advance(9_999);
    expect(notices.settled(id).word).toBe("skipped");
    clock.advance(1e9);
    await calm();
    expect(notifier.shown).toEqual([]);
    expect(clock.timers).toBe(0);
  });

  it("that is left open is announced once after the delay, and once more half-way to its end", async () => {
    const { clock, notices, file, titles } = board();
    const { id } = file({ dialog: true });
    clock.advance(10_000);
    await calm();
    expect(titles()).toEqual(["api · test-client asks"]);
    clock.advance(290_000);
    await calm();
    expect(titles()).toEqual(["api · test-client asks", "api · test-client still waits"]);
    clock.advance(1e9);
    await calm();
    expect(titles()).toHaveLength(2);
    expect(notices.settled(id).word).toBe("posted");
  });

  it("whose dialog ended, or was never seen, is announced at once and not again by the alarm", async () => {
    const { clock, notices, file, notifier } = board();
    const { id } = file({ dialog: true });
    notices.dialogEnded(id);
    notices.dialogEnded(id);
    clock.advance(10_000);
    notices.dialogEnded(id);
    await calm();
    expect(notifier.shown.map(({ request }) => request)).toEqual([id]);
  });
});

describe("a request without a dialog", () => {
  it("is announced at once, with the command that answers it", async () => {
    const { notifier, file, notices } = board();
    const { id } = file();
    await calm();
    expect(notifier.shown).toMatchObject([
      { source: "approval", request: id, body: `git push origin main — wisp approvals approve ${id}` },
    ]);
    expect(notices.settled(id).word).toBe("posted");
  });

  it("that no face can see is said to be answered in the dialog", async () => {
    const { clock, notifier, file } = board();
    file({ filed: false, dialog: true });
    clock.advance(10_000);
    await calm();
    expect(notifier.shown.map(({ body }) => body)).toEqual(["git push origin main — in the client's dialog"]);
  });

  it("of which a person was just told is not announced anew, but reminded of and counted like any other", async () => {
    const { clock, notices, file, titles } = board();
    const { id } = file({ toldMsAgo: 1_000 });
    notices.dialogEnded(id);
    clock.advance(299_999);
    await calm();
    expect(titles()).toEqual([]);
    clock.advance(1);
    await calm();
    expect(titles()).toEqual(["api · test-client still waits"]);
    expect(notices.settled(id)).toEqual({ word: "posted", toldMsAgo: 0 });
    file({ toldMsAgo: 1_000 });
    Array.from({ length: 7 }, () => file());
    clock.advance(10_000);
    await calm();
    expect(titles().slice(1)).toEqual([...Array(4).fill("api · test-client asks"), "8 waiting"]);
  });

  it("that waits for ever is announced, and nobody is reminded of it", async () => {
    const { clock, file, titles } = board({ timeoutSeconds: 0 });
    file();
    clock.advance(1e9);
    await calm();
    expect(titles()).toEqual(["api · test-client asks"]);
  });
});

describe("a fact", () => {
  it("is announced at once, with the command that answers it, and never again", async () => {
    const { clock, notifier, notices } = board();
    const fact = factRequest();
    notices.waits(fact, { filed: true, dialog: true, toldMsAgo: null });
    notices.dialogEnded(fact.id);
    await calm();
    expect(notifier.shown).toMatchObject([
      { source: "fact", body: `api · test command: npm test — wisp facts approve ${fact.id}` },
    ]);
    clock.advance(1e9);
    await calm();
    expect(notifier.shown).toHaveLength(1);
    expect(clock.timers).toBe(0);
    expect(notices.settled(fact.id)).toEqual({ word: "posted", toldMsAgo: 1e9 });
  });

  it("that is settled while a flood holds its banner back is not announced", async () => {
    const { clock, notices, file, titles } = board();
    Array.from({ length: 5 }, () => file());
    const fact = factRequest();
    notices.waits(fact, { filed: true, dialog: false, toldMsAgo: null });
    expect(notices.settled(fact.id).word).toBe("skipped");
    clock.advance(10_000);
    await calm();
    expect(titles()).toEqual(Array(5).fill("api · test-client asks"));
  });
});

it("a question is announced, and once more half-way to its end", async () => {
  const { clock, notifier, notices } = board();
  notices.waits(questionRequest(), { filed: true, dialog: false, toldMsAgo: null });
  clock.advance(300_000);
  await calm();
  expect(notifier.shown).toMatchObject([
    { title: "api · stdio asks you", source: "question" },
    { title: "api · stdio still waits", source: "reminder" },
  ]);
});

it("what waits together is counted whatever it is", async () => {
  const { clock, notices, file, titles } = board();
  Array.from({ length: 5 }, () => file());
  for (const request of [factRequest(), questionRequest()]) {
    notices.waits(request, { filed: true, dialog: false, toldMsAgo: null });
  }
  clock.advance(10_000);
  await calm();
  expect(titles().slice(5)).toEqual(["7 waiting"]);
});

it("of 20 requests at once some are announced alone and the rest together, counting all that wait", async () => {
  const { clock, notices, file, titles, notifier } = board();
  const all = Array.from({ length: 20 }, () => file());
  await calm();
  expect(titles()).toHaveLength(5);
  for (const { id } of all.slice(0, 3)) notices.settled(id);
  clock.advance(10_000);
  await calm();
  expect(titles().slice(5)).toEqual(["17 waiting"]);
  expect(notifier.shown[5]?.body).toBe("17 requests wait for an answer — wisp approvals pending");
  for (const { id } of all.slice(5)) {
    expect(notices.receiptsOf(id)).toMatchObject([{ title: "17 waiting", outcome: "posted" }]);
    expect(notices.settled(id).word).toBe("posted");
  }
});

it("what a flood holds back and is settled meanwhile was skipped", async () => {
  const { clock, notices, file, titles } = board();
  const all = Array.from({ length: 7 }, () => file());
  expect(all.slice(5).map(({ id }) => notices.settled(id).word)).toEqual(["skipped", "skipped"]);
  clock.advance(10_000);
  await calm();
  expect(titles()).toHaveLength(5);
});

describe("the receipts", () => {
  it("of each place are known for the request, also after it was settled", async () => {
    const clock = new FakeClock();
    const [near, far] = [new FakeNotifier(clock), new FakeNotifier(clock)];
    near.fault = "no bus";
    const { notices, file, heard } = board({ clock, notifiers: [near, far] });
    const { id } = file();
    await calm();
    const receipts = notices.receiptsOf(id);
    expect(receipts).toMatchObject([
      { outcome: "failed", route: null, skipped: [{ route: "fake", why: "no bus" }] },
      { outcome: "posted", route: "fake", skipped: [] },
    ]);
    expect(heard).toEqual(receipts.map((receipt) => ({ receipt, requests: [id] })));
    expect(notices.settled(id).word).toBe("posted");
    expect(notices.receiptsOf(id)).toBe(receipts);
    expect(notices.receiptsOf(approvalRequest().id)).toEqual([]);
  });

  it("come in while an attempt takes long, and nobody waits for it", async () => {
    const { notifier, notices, file } = board();
    notifier.isHolding = true;
    const { id } = file();
    await calm();
    const receipts = notices.receiptsOf(id);
    expect(receipts).toEqual([]);
    expect(notices.settled(id).word).toBe("posted");
    notifier.release();
    await calm();
    expect(receipts).toMatchObject([{ outcome: "posted" }]);
  });

  it("can be waited for, while an attempt is under way and no longer", async () => {
    const { notifier, notices, file } = board();
    notifier.isHolding = true;
    const { id } = file();
    let isTold = false;
    const told = notices.whenTold(id).then(() => {
      isTold = true;
    });
    await calm();
    expect(isTold).toBe(false);
    notifier.release();
    await told;
    expect(notices.receiptsOf(id)).toHaveLength(1);
    await notices.whenTold(id);
    await notices.whenTold(file({ dialog: true }).id);
    await notices.whenTold(approvalRequest().id);
  });

  it("of a place that does not work make no banner of it", async () => {
    const { notifier, notices, file } = board();
    notifier.fault = "no bus";
    const { id } = file();
    await calm();
    expect(notices.settled(id).word).toBe("none");
  });

  it("are kept for the newest 256 that were settled", async () => {
    const { notices, file } = board();
    const first = file();
    await calm();
    notices.settled(first.id);
    for (let index = 1; index < 256; index += 1) notices.settled(file({ dialog: true }).id);
    expect(notices.receiptsOf(first.id)).toHaveLength(1);
    notices.settled(file({ dialog: true }).id);
    expect(notices.receiptsOf(first.id)).toEqual([]);
  });
});

describe("when a person was last told", () => {
  it("is when a banner was posted, and not when one was due, failed, or is being posted", async () => {
    const { clock, notifier, notices, file } = board();
    const posted = file();
    await calm();
    clock.advance(2_000);
    expect(notices.settled(posted.id)).toEqual({ word: "posted", toldMsAgo: 2_000 });
    const early = file({ dialog: true });
    expect(notices.settled(early.id)).toEqual({ word: "skipped", toldMsAgo: null });
    notifier.fault = "no bus";
    const failed = file();
    await calm();
    expect(notices.settled(failed.id)).toEqual({ word: "none", toldMsAgo: null });
    notifier.isHolding = true;
    const posting = file();
    await calm();
    expect(notices.settled(posting.id)).toEqual({ word: "posted", toldMsAgo: null });
    expect(notices.settled(posting.id)).toEqual({ word: "none", toldMsAgo: null });
  });

  it("may be longer ago than the request waits, and is the reminder's time after that", async () => {
    const { clock, notifier, notices, file } = board();
    notifier.fault = "no bus";
    const first = file({ toldMsAgo: 5_000 });
    clock.advance(300_000);
    await calm();
    expect(notices.settled(first.id)).toEqual({ word: "none", toldMsAgo: 305_000 });
    notifier.fault = null;
    const second = file({ toldMsAgo: 5_000 });
    clock.advance(300_000);
    await calm();
    clock.advance(7_000);
    expect(notices.settled(second.id)).toEqual({ word: "posted", toldMsAgo: 7_000 });
  });
});

describe("the end", () => {
  it("gives up what is being posted, leaves no timer, and nothing is posted after it", async () => {
    const { clock, notifier, notices, file, heard } = board();
    notifier.isHolding = true;
    const posting = file();
    const delayed = file({ dialog: true });
    Array.from({ length: 9 }, () => file());
    await notices.close();
    expect(notices.receiptsOf(posting.id)).toMatchObject([
      { outcome: "failed", skipped: [{ route: "fake", why: "cancelled" }] },
    ]);
    expect(clock.timers).toBe(0);
    notices.dialogEnded(delayed.id);
    file();
    clock.advance(1e9);
    await calm();
    expect(notifier.shown).toEqual([]);
    expect(heard).toHaveLength(5);
    expect([notices.settled(posting.id).word, notices.settled(delayed.id).word]).toEqual(["none", "skipped"]);
    await notices.close();
  });

  it("waits until every attempt is written down", async () => {
    let write: () => void = () => {};
    const written = new Promise<void>((resolve) => {
      write = resolve;
    });
    const { notices, file } = board({ onReceipt: () => written });
    file();
    let isClosed = false;
    const closed = notices.close().then(() => {
      isClosed = true;
    });
    await calm();
    expect(isClosed).toBe(false);
    write();
    await closed;
  });
});

it("nothing is done before the first wait", () => {
  const { clock } = board();
  expect(clock.timers).toBe(0);
});

it("silent notices announce nothing and say so", () => {
  const request = approvalRequest();
  silentNotices.waits(request, { filed: true, dialog: false, toldMsAgo: null });
  silentNotices.dialogEnded(request.id);
  expect(silentNotices.settled(request.id).word).toBe("none");
  silentNotices.close();
});

const steps = fc.oneof(
  fc.record({
    do: fc.constant("wait" as const),
    dialog: fc.boolean(),
    toldMsAgo: fc.constantFrom(null, 0, 1_000),
  }),
  fc.record({ do: fc.constantFrom("ended" as const, "settled" as const), which: fc.nat(20) }),
  fc.record({ do: fc.constant("time" as const), ms: fc.constantFrom(1, 5_000, 10_000, 150_000, 300_000) }),
);

it("whatever comes first, each is announced and reminded of at most once, a repeat only reminded of, and one timer or two run", async () => {
  const run = async (all: readonly (typeof steps extends fc.Arbitrary<infer Step> ? Step : never)[]) => {
    const { clock, notices, file, heard } = board();
    const filed: { readonly id: string; readonly isRepeat: boolean }[] = [];
    const settledAt = new Map<string, number>();
    for (const step of all) {
      if (step.do === "wait") filed.push({ id: file(step).id, isRepeat: step.toldMsAgo !== null });
      else if (step.do === "time") clock.advance(step.ms);
      else {
        const one = filed[step.which];
        if (one === undefined) continue;
        if (step.do === "ended") notices.dialogEnded(one.id);
        else {
          notices.settled(one.id);
          settledAt.set(one.id, settledAt.get(one.id) ?? clock.now());
        }
      }
      expect(clock.timers).toBeLessThanOrEqual(2);
      await calm();
    }
    for (const { id, isRepeat } of filed) {
      const about = heard.filter(({ requests }) => requests.includes(id));
      expect(about.length).toBeLessThanOrEqual(isRepeat ? 1 : 2);
      expect(
        about.filter(({ receipt }) => receipt.at > (settledAt.get(id) ?? Number.MAX_SAFE_INTEGER)),
      ).toEqual([]);
      notices.settled(id);
    }
    expect(clock.timers).toBe(0);
  };
  await fc.assert(fc.asyncProperty(fc.array(steps, { maxLength: 30 }), run));
});
