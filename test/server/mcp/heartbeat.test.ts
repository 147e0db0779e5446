import { describe, expect, test } from "vitest";
import { startHeartbeat, waitingText } from "../../../src/server/mcp/heartbeat.js";
import { FakeClock } from "../../support/fake-clock.js";

interface Beat {
  readonly progressToken: string | number;
  readonly progress: number;
  readonly message: string;
}

function beating(progressToken: string | number | null) {
  const clock = new FakeClock();
  const beats: Beat[] = [];
  const heartbeat = startHeartbeat(
    { progressToken },
    async (notification) => {
      expect(notification.method).toBe("notifications/progress");
      beats.push(notification.params as unknown as Beat);
    },
    clock,
  );
  return { clock, beats, heartbeat };
}

describe("a heartbeat", () => {
  test("beats at once and every 10 s, with the caller's token and rising numbers", () => {
    const { clock, beats, heartbeat } = beating("token");
    heartbeat.says(() => "waiting");
    expect(beats).toHaveLength(1);
    clock.advance(9_999);
    expect(beats).toHaveLength(1);
    clock.advance(20_001);
    expect(beats.map((beat) => beat.progress)).toEqual([1, 2, 3, 4]);
    expect(beats.every((beat) => beat.progressToken === "token" && beat.message === "waiting")).toBe(true);
  });

  test("keeps a token of 0, and is silent without one", () => {
    const counted = beating(0);
    counted.heartbeat.says(() => "waiting");
    expect(counted.beats[0]?.progressToken).toBe(0);
    const { clock, beats, heartbeat } = beating(null);
    heartbeat.says(() => "waiting");
    clock.advance(60_000);
    expect(beats).toEqual([]);
    expect(clock.timers).toBe(0);
  });

  test("falls silent when it is stopped and leaves no timer", () => {
    const { clock, beats, heartbeat } = beating(1);
    heartbeat.says(() => "waiting");
    heartbeat.stop();
    clock.advance(60_000);
    expect(beats).toHaveLength(1);
    expect(clock.timers).toBe(0);
  });

  test("that cannot be sent disturbs nothing", async () => {
    const clock = new FakeClock();
    const heartbeat = startHeartbeat({ progressToken: 1 }, () => Promise.reject(new Error("gone")), clock);
    heartbeat.says(() => "waiting");
    clock.advance(10_000);
    await Promise.resolve();
    expect(clock.timers).toBe(1);
  });
});

describe("the text of a waiting call", () => {
  test("says where to answer and how long is left, whatever the wall clock does", () => {
    const clock = new FakeClock();
    const answering = "WISP_HOME=/h wisp approvals approve k7q2mx9d";
    const text = waitingText(clock.monotonic() + 600_000, { answering, why: null }, clock);
    const where = "Answer in a terminal: WISP_HOME=/h wisp approvals approve k7q2mx9d";
    expect(text()).toBe(`Waiting for a person. ${where} (10 min left)`);
    clock.jumpWallClock(3_600_000);
    clock.advance(500_000);
    expect(text()).toBe(`Waiting for a person. ${where} (100 s left)`);
    clock.advance(200_000);
    expect(text()).toContain("(0 s left)");
  });

  test("of a request that waits for ever names no time", () => {
    const elsewhere = { answering: "wisp approvals approve k7q2mx9d", why: null };
    expect(waitingText(null, elsewhere, new FakeClock())()).toBe(
      "Waiting for a person. Answer in a terminal: wisp approvals approve k7q2mx9d",
    );
  });

  test("of a request that only the dialog can answer says why, and names no command that answers", () => {
    const clock = new FakeClock();
    const elsewhere = { answering: null, why: "No terminal can answer this: so it is." };
    expect(waitingText(clock.monotonic() + 600_000, elsewhere, clock)()).toBe(
      "Waiting for a person. Answer in the client's dialog (10 min left). No terminal can answer this: so it is.",
    );
  });
});
