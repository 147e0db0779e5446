/** What whoever announces requests hears of them. */
import { describe, expect, it } from "vitest";
import type { Ask } from "../../../src/broker/approval/approver.js";
import { asking, calm, detach } from "../../support/asking.js";
import { answerTo, denialOf } from "../../support/builders.js";
import { FakeDialog } from "../../support/fake-dialog.js";
import { HeardNotices } from "../../support/heard-notices.js";

function hearing(overrides: Parameters<typeof asking>[0] = {}) {
  const notices = new HeardNotices();
  return { ...asking({ ...overrides, notices }), notices };
}

describe("a request", () => {
  it.each([true, false])(
    "is heard of once it waits, and whether a dialog is up for it: %s",
    async (hasDialog) => {
      const bench = hearing();
      const asked = await bench.ask({ dialog: hasDialog ? new FakeDialog() : null });
      await bench.ask();
      expect([...bench.notices.waiting]).toMatchObject([
        [asked.request.id, { dialog: hasDialog, toldMsAgo: null }],
      ]);
      expect(bench.notices.heard).toEqual([`${asked.request.id} waits`]);
    },
  );

  it("that the dialog alone can answer is heard of as well", async () => {
    const bench = hearing({ channel: null });
    const asked = await bench.ask({ dialog: new FakeDialog() });
    expect([...bench.notices.waiting]).toMatchObject([[asked.request.id, { dialog: true, toldMsAgo: null }]]);
  });

  it("that could not be asked is not heard of", async () => {
    const bench = hearing({ channel: null });
    expect((await bench.start().outcome).name).toBe("failed");
    expect(bench.notices.heard).toEqual([]);
  });

  it("leaves in the log how long a banner leaves its dialog alone, which is no time without one", async () => {
    for (const [dialog, channel, bannerDelaySeconds] of [
      [new FakeDialog(), undefined, 10],
      [null, undefined, 0],
      [null, null, null],
    ] as const) {
      const bench = hearing(channel === null ? { channel } : {});
      await bench.ask({ dialog });
      expect(bench.audit.only("approval.pending")).toMatchObject([{ details: { bannerDelaySeconds } }]);
    }
  });

  it.each<[string, (dialog: FakeDialog) => void]>([
    ["was dismissed", (dialog) => dialog.answer({ kind: "dismissed" })],
    ["said something else", (dialog) => dialog.answer({ kind: "invalid", why: "no decision" })],
    ["could not be shown", (dialog) => dialog.answer({ kind: "failed", why: "too long" })],
  ])("whose dialog %s is heard of again, and settled once", async (_what, end) => {
    const bench = hearing();
    const asked = await bench.ask({ dialog: new FakeDialog() });
    bench.clock.advance(1_000);
    end(asked.dialog);
    await calm();
    const { id } = asked.request;
    expect(bench.notices.heard).toEqual([`${id} waits`, `${id} has no dialog`]);
    bench.face.answer(denialOf(asked.request));
    await asked.outcome;
    expect(bench.notices.heard).toEqual([`${id} waits`, `${id} has no dialog`, `${id} is settled`]);
  });

  it("whose dialog went with its call is heard of again; one that travels with the client is still up", async () => {
    for (const [why, isUp] of [
      ["held", false],
      ["dialog", true],
    ] as const) {
      const bench = hearing();
      const asked = await bench.ask({ dialog: new FakeDialog() });
      detach(asked, why);
      const { id } = asked.request;
      expect(bench.notices.heard).toEqual(isUp ? [`${id} waits`] : [`${id} waits`, `${id} has no dialog`]);
    }
  });

  it("without a dialog is not heard of again when its call goes", async () => {
    const bench = hearing();
    const asked = await bench.ask();
    detach(asked);
    await bench.ask();
    expect(bench.notices.heard).toEqual([`${asked.request.id} waits`]);
  });

  it.each(["posted", "skipped", "none"] as const)(
    "leaves in the log what became of its banner: %s",
    async (word) => {
      const bench = hearing();
      bench.notices.word = word;
      const asked = await bench.ask();
      bench.face.answer(answerTo(asked.request));
      await asked.outcome;
      expect(bench.audit.only("approval.settled")).toMatchObject([{ details: { banner: word } }]);
    },
  );

  it("that is answered before, as by what was said or allowed earlier, is not heard of", async () => {
    const bench = hearing();
    const ask: Partial<Ask> = { scopes: ["once", "session"] };
    const asked = await bench.ask({ ask });
    bench.face.answer(answerTo(asked.request, { scope: "session" }));
    await asked.outcome;
    const before = bench.notices.heard.length;
    expect((await bench.start({ ask }).outcome).name).toBe("approved");
    expect(bench.notices.heard).toHaveLength(before);
  });

  it("whose caller went while it was being filed is not heard of, and the next identical one is", async () => {
    const controller = new AbortController();
    const bench = hearing({
      channel: (own) => ({
        ...own,
        file(draft, texts) {
          const request = own.file(draft, texts);
          controller.abort();
          return request;
        },
      }),
    });
    expect((await bench.start({ controller }).outcome).name).toBe("abandoned");
    expect([...bench.notices.waiting]).toEqual([]);
    const next = await bench.ask();
    expect([...bench.notices.waiting.keys()]).toEqual([next.request.id]);
  });

  it("that is withdrawn at the end of the connection is settled before all is closed", async () => {
    const bench = hearing();
    const asked = await bench.ask();
    await bench.approver.close("the client left");
    expect(bench.notices.heard).toEqual([
      `${asked.request.id} waits`,
      `${asked.request.id} is settled`,
      "closed",
    ]);
  });
});
