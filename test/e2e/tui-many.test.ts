/** The built full-screen face where very much waits, and where what waits changes fast. */
import { describe, expect } from "vitest";
import { settleAnswers } from "../support/answering.js";
import { approvalDraft, approvalRequest, commandSubject } from "../support/builders.js";
import { test } from "../support/person.js";
import { plantRequest } from "../support/planted.js";
import { madeHome, openAsker, openFace, ownServer } from "../support/temp-home.js";
import { openTui, pressUntil } from "../support/tui.js";

const hour = 3_600_000;

function lineDraft(line: string): ReturnType<typeof approvalDraft> {
  const subject = commandSubject({ line, command: line, argv: null });
  return approvalDraft({ subject, expiresAt: Date.now() + hour, thread: line });
}

describe("with 10,000 waiting", () => {
  test("20 more that come at once are counted, none takes the place of the open card, and the oldest is answered", async ({
    person: _,
  }) => {
    const home = madeHome();
    const count = 10_000;
    const { channel } = openAsker(home);
    settleAnswers(channel);
    const oldest = channel.file(lineDraft("echo 0"), []);
    for (let index = 1; index < count; index += 1) {
      const createdAt = oldest.createdAt + index;
      const draft = lineDraft(`echo ${index}`);
      plantRequest(home, createdAt, approvalRequest(draft, { createdAt, server: ownServer }));
    }
    const tui = await openTui(home, { columns: 120 });
    await tui.until((screen) => /1 of 10,?000 waiting/.test(screen) && screen.includes("┃ echo 0 "));
    const burst = Array.from({ length: 20 }, (_one, index) => channel.file(lineDraft(`ls ${index}`), []));
    await tui.until((screen) => /1 of 10,?020 waiting/.test(screen));
    expect(tui.screen().join("\n")).toMatch(/│ runs +┃ echo 0 /);
    // Whatever moved in the list, the oldest is what is answered.
    await pressUntil(tui, "d", () => openFace(home).receipt(oldest.id) !== null);
    await tui.until((screen) => /1 of 10,?019 waiting/.test(screen) && screen.includes("┃ echo 1 "));
    expect(openFace(home).receipt(oldest.id)).toMatchObject({ decision: "deny" });
    for (const { id } of burst) expect(openFace(home).receipt(id)).toBeNull();
    tui.pty.type("q");
    expect(await tui.ended()).toBe(0);
  });
});

/** A face that looked every second, and not when something happened, would take nearly all of one. */
const mostMs = 500;

describe("a request that ends elsewhere", () => {
  test("leaves the screen as soon as its receipt is there, not with the next look around", async ({
    person: _,
  }) => {
    const home = madeHome();
    const { channel } = openAsker(home);
    const tui = await openTui(home);
    await tui.seen("Nothing waits for you.");
    const taken: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      const { id } = channel.file(lineDraft(`echo round ${round}`), []);
      await tui.until((screen) => screen.includes(`┃ echo round ${round} `));
      channel.settle(id, { outcome: "timed_out", taken: null, ran: false });
      const from = performance.now();
      await tui.seen("Nothing waits for you.");
      taken.push(performance.now() - from);
    }
    // The middle one, for any of them may have met a busy machine.
    expect(taken.sort((one, other) => one - other)[4]).toBeLessThan(mostMs);
  });
});
