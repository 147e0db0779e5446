import { describe, expect, it } from "vitest";
import { createNotifiers, type WantedNotifiers } from "../../../src/broker/notify/notifiers.js";
import { bannerPrograms } from "../../support/banner-programs.js";
import { FakeClock } from "../../support/fake-clock.js";
import { never, testBanner } from "../../support/notifier-contract.js";
import { tempDirectory } from "../../support/temp-home.js";

function installed(wanted: Partial<WantedNotifiers> = {}) {
  const programs = bannerPrograms(tempDirectory());
  programs.addRecorder("notify-send");
  programs.addReader("tell");
  const clock = new FakeClock();
  const nodeNotifier = () => "/nowhere";
  const machine = {
    clock,
    desktop: "freedesktop",
    environment: { PATH: programs.path },
    nodeNotifier,
  } as const;
  const notifiers = createNotifiers({ enabled: true, command: null, ...wanted }, machine);
  const post = () => Promise.all(notifiers.map((one) => one.post(testBanner({ title: "a\u0007" }), never)));
  return { ...programs, post };
}

describe("what a person wants", () => {
  it("by default is the desktop alone", async () => {
    const { post, words, texts } = installed();
    expect(await post()).toMatchObject([{ outcome: "posted", route: "notify-send", title: "a\\u{7}" }]);
    expect([words().length, texts().length]).toEqual([1, 1]);
  });

  it("may be a program beside it, and each says how it went", async () => {
    const { post, texts } = installed({ command: ["tell"] });
    expect(await post()).toMatchObject([
      { outcome: "posted", route: "notify-send" },
      { outcome: "posted", route: "notify.command" },
    ]);
    expect(texts()).toHaveLength(2);
  });

  it("a program that is not there takes nothing from the desktop", async () => {
    const { post } = installed({ command: ["nowhere"] });
    expect(await post()).toMatchObject([
      { outcome: "posted", route: "notify-send" },
      { outcome: "failed", route: null, skipped: [{ route: "notify.command" }] },
    ]);
  });

  it("may be no desktop: then nothing is started, and the receipt names the key", async () => {
    const { post, texts } = installed({ enabled: false });
    expect(await post()).toMatchObject([
      {
        title: "a\\u{7}",
        outcome: "refused",
        route: null,
        skipped: [{ route: "desktop", why: "switched off (notify.enabled)" }],
      },
    ]);
    expect(texts()).toEqual([]);
  });

  it("may be the program alone", async () => {
    const { post, texts } = installed({ enabled: false, command: ["tell"] });
    expect(await post()).toMatchObject([
      { outcome: "refused", skipped: [{ route: "desktop" }] },
      { outcome: "posted", route: "notify.command" },
    ]);
    expect(texts().map((text) => JSON.parse(text).title)).toEqual(["a\\u{7}"]);
  });
});
