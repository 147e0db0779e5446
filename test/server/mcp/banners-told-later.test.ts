/** What a call learns of the banners of a request that was answered before it came. */
import { describe, expect, test } from "vitest";
import { asked, cancel, counting, decline, denial, runsIn } from "../../support/asked-in-2026.js";
import { calm } from "../../support/asking.js";
import { type EraServer, revisions, serverOf } from "../../support/era-call.js";
import { FakeNotifier } from "../../support/fake-notifier.js";
import { approval, readAtOnce, waitingProgress } from "../../support/mcp-server.js";
import { PatientClock } from "../../support/patient-clock.js";
import type { ToolResult } from "../../support/raw-client.js";

const posted = { source: "approval", outcome: "posted", route: "fake", skipped: [] };

describe("a form that was open until its banner was posted, and a person answered elsewhere:", () => {
  /** The banner is posted; then `answer` comes from a face. */
  async function announced() {
    const clock = new PatientClock();
    const notifier = new FakeNotifier(clock);
    const server = await asked({ clock, notifiers: [notifier], config: readAtOnce });
    clock.advance(10_000);
    await calm();
    expect(notifier.shown).toMatchObject([{ request: server.dialog.id }]);
    return server;
  }

  test.each([cancel, approval, denial])(
    "the next leg takes the yes and lists the banner, whatever it brings (%j)",
    async (said) => {
      const { client, face, reply, dialog, work } = await announced();
      await face.approveAndWait(face.only());
      const { structuredContent } = await client.resultOf(reply(said));
      expect(structuredContent).toMatchObject({
        outcome: "approved",
        via: "cli",
        request: dialog.id,
        notifications: [posted],
      });
      expect(runsIn(work)).toBe(1);
    },
  );

  test.each([cancel, decline])("the next leg is told the no and lists the banner (%j)", async (said) => {
    const { client, face, reply, dialog } = await announced();
    face.deny(face.only(), "not now");
    await expect.poll(() => face.receiptOf(dialog.id)?.outcome).toBe("answered");
    const { structuredContent } = await client.resultOf(reply(said));
    expect(structuredContent).toMatchObject({ outcome: "denied", notifications: [posted] });
  });
});

describe.each(revisions)("by a client of %s without a dialog, a repeated call", (revision) => {
  interface Left extends EraServer {
    readonly clock: PatientClock;
    readonly id: string;
    /** The same call once more. */
    readonly again: (token: string) => Promise<ToolResult>;
  }

  /** The call has returned, and its request waits. */
  async function left(): Promise<Left> {
    const clock = new PatientClock();
    const server = await serverOf(revision, {}, { clock, notifiers: [new FakeNotifier(clock)] });
    const call = server.call(counting, "p");
    await waitingProgress(server.client);
    const { id } = server.face.only();
    clock.advance(45_000);
    const { structuredContent } = await call.result();
    expect(structuredContent).toMatchObject({ outcome: "pending", notifications: [posted] });
    return { ...server, clock, id, again: (token) => server.call(counting, token).result() };
  }

  test("that collects a kept yes lists the banner of its request", async () => {
    const { face, again, id, work } = await left();
    await face.approveAndWait(face.only());
    const { structuredContent } = await again("q");
    expect(structuredContent).toMatchObject({ outcome: "approved", request: id, notifications: [posted] });
    expect(runsIn(work)).toBe(1);
  });

  test("that is told a no, the first time and later, lists the banner of its request", async () => {
    const { face, again, id } = await left();
    face.deny(face.only());
    await expect.poll(() => face.receiptOf(id)?.outcome).toBe("answered");
    for (const token of ["q", "r"]) {
      const { structuredContent } = await again(token);
      expect(structuredContent).toMatchObject({ outcome: "denied", request: id, notifications: [posted] });
    }
  });

  test("that a rule of the session allows lists none: nobody was told of it", async () => {
    const { face, again, work, client } = await left();
    const waiting = again("q");
    await waitingProgress(client, "q");
    face.approve(face.only(), { scope: "session" });
    expect((await waiting).structuredContent).toMatchObject({ scope: "session", notifications: [posted] });
    expect((await again("r")).structuredContent).toMatchObject({ outcome: "approved", notifications: [] });
    expect(runsIn(work)).toBe(2);
  });
});
