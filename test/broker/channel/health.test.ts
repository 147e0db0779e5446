import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { measureWatch } from "../../../src/broker/channel/health.js";
import { settledIds } from "../../../src/broker/channel/receipts.js";
import { notTakenIn, rejectedIds, rejectSlot } from "../../../src/broker/channel/rejected.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { approvalDraft } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { madeHome, openAsker, tempDirectory, tempHome } from "../../support/temp-home.js";

describe("measuring a watch", () => {
  it("tells how long an event takes, and leaves nothing behind", async () => {
    const directory = tempDirectory();
    expect(await measureWatch(directory, systemClock)).toBeGreaterThan(0);
    expect(readdirSync(directory)).toEqual([]);
  });

  it.each<[string, Parameters<typeof measureWatch>[2]]>([
    ["says nothing", () => ({ close: () => {} })],
    [
      "speaks of other files",
      (_directory, onEvent) => {
        queueMicrotask(() => onEvent("another"));
        return { close: () => {} };
      },
    ],
  ])("finds none where the watch %s in time", async (_what, startWatch) => {
    const clock = new FakeClock();
    const measured = measureWatch(tempDirectory(), clock, startWatch);
    clock.advance(250);
    expect(await measured).toBeNull();
    expect(clock.timers).toBe(0);
  });

  it("finds none where no watch is to be had, or it breaks", async () => {
    const directory = tempDirectory();
    const refused = measureWatch(directory, new FakeClock(), () => {
      throw Object.assign(new Error("no more watches"), { code: "ENOSPC" });
    });
    expect(await refused).toBeNull();
    const broken = measureWatch(directory, new FakeClock(), (_directory, _onEvent, onError) => {
      queueMicrotask(onError);
      return { close: () => {} };
    });
    expect(await broken).toBeNull();
  });

  it("closes its watch however it ends", async () => {
    let closed = 0;
    const startWatch = (_directory: string, onEvent: (name: string | null) => void) => ({
      close: () => {
        closed += 1;
        onEvent(null);
      },
    });
    const clock = new FakeClock();
    const measured = measureWatch(tempDirectory(), clock, startWatch);
    clock.advance(250);
    await measured;
    await expect(measureWatch(join(tempDirectory(), "gone"), clock, startWatch)).rejects.toMatchObject({
      code: "ENOENT",
    });
    expect(closed).toBe(2);
    expect(clock.timers).toBe(0);
  });
});

describe("answers that were not taken", () => {
  it("are counted by the request that they answered, and nothing else in the directory is", () => {
    const home = madeHome();
    for (let n = 0; n < 3; n += 1) {
      writeFileSync(join(home.pending, "k7q2mx9d.answer.json"), "junk");
      rejectSlot(home, "k7q2mx9d", null);
    }
    writeFileSync(join(home.pending, "p4rv8dxx.answer.json"), "junk");
    rejectSlot(home, "p4rv8dxx", null);
    for (const name of ["1.junkjunk.request.json", "short.1.json", "k7q2mx9d.json", "notes.txt"]) {
      writeFileSync(join(home.rejected, name), "");
    }
    expect([...rejectedIds(home)].sort()).toEqual(["k7q2mx9d", "k7q2mx9d", "k7q2mx9d", "p4rv8dxx"]);
    expect(notTakenIn(home)).toEqual({ ids: rejectedIds(home), refusals: [] });
    expect(rejectedIds(tempHome())).toEqual([]);
  });
});

describe("the ids of receipts", () => {
  it("are those of the file names that can hold one", () => {
    const home = madeHome();
    const { channel } = openAsker(home);
    const request = channel.file(approvalDraft(), []);
    channel.settle(request.id, { outcome: "timed_out", taken: null, ran: false });
    for (const name of [".tmp.1234", "UPPERCASE.json", "short.json", "noending8"]) {
      writeFileSync(join(home.settled, name), "", { mode: 0o600 });
    }
    expect(settledIds(home)).toEqual([request.id]);
    expect(settledIds(tempHome())).toEqual([]);
  });
});
