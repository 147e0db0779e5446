/** The tool by which an agent tells the person something of its own. */
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createSwitchedOffNotifier } from "../../../src/broker/notify/switched-off.js";
import { sha256Hex } from "../../../src/broker/request/long-text.js";
import { FakeClock } from "../../support/fake-clock.js";
import { FakeNotifier } from "../../support/fake-notifier.js";
import {
  connectInMemory,
  type MemoryServer,
  type MemoryServerOptions,
  textOf,
  waitingProgress,
  withProgress,
} from "../../support/mcp-server.js";
import { showsForms, type ToolResult } from "../../support/raw-client.js";

interface Telling extends MemoryServer {
  readonly clock: FakeClock;
  readonly notifier: FakeNotifier;
  notify(args?: object): Promise<ToolResult>;
}

async function telling(options: Partial<MemoryServerOptions> = {}): Promise<Telling> {
  const clock = new FakeClock();
  const notifier = new FakeNotifier(clock);
  const server = await connectInMemory(
    { capabilities: showsForms },
    { clock, notifiers: [notifier], ...options },
  );
  const notify = (args: object = { title: "done", body: "all of it" }) =>
    server.client.resultOf(server.client.call("notify", { ...args }));
  return { ...server, clock, notifier, notify };
}

test("what an agent tells is shown once, with its receipt in the result, and a digest of it in the log", async () => {
  const { notifier, notify, client, face } = await telling();
  const result = await notify({ title: "done\u0007", body: "<b>all</b>", thread: "t" });
  expect(result.isError).toBeUndefined();
  expect(result.structuredContent).toEqual({
    outcome: "posted",
    notifications: [
      {
        title: "done\\u{7}",
        body: "<b>all</b>",
        source: "notify",
        outcome: "posted",
        route: "fake",
        skipped: [],
        at: expect.any(Number),
      },
    ],
  });
  expect(textOf(result)).toMatch(/^Posted: .*no proof that anybody saw it/);
  expect(notifier.shown).toMatchObject([
    { source: "notify", request: null, level: null, client: "raw", project: "work" },
  ]);
  expect(client.allOf("elicitation/create")).toEqual([]);
  const [line, ...others] = face.audit();
  expect(others).toEqual([]);
  expect(line).toMatchObject({
    kind: "notification",
    call: null,
    selfReported: {
      client: "raw",
      thread: "t",
      title: sha256Hex("done\\u{7}"),
      body: sha256Hex("<b>all</b>"),
    },
    details: { source: "notify", outcome: "posted", requests: [], count: 0 },
  });
});

describe("the budget", () => {
  test("lets five through in a minute, and refuses the sixth inside a receipt", async () => {
    const { clock, notifier, notify } = await telling();
    for (let count = 0; count < 5; count += 1) expect((await notify()).isError).toBeUndefined();
    const refused = await notify();
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: {
        outcome: "refused",
        code: "rate_limited",
        retryable: false,
        notifications: [
          {
            outcome: "refused",
            route: null,
            skipped: [{ route: "notify", why: "at most 5 a minute; again in 60 s" }],
          },
        ],
      },
    });
    expect(textOf(refused)).toMatch(/^Refused, .*again in 60 s/);
    expect(notifier.shown).toHaveLength(5);
    clock.advance(60_000);
    expect((await notify()).structuredContent?.outcome).toBe("posted");
  });

  test("is the configured one", async () => {
    const { notify } = await telling({ config: { notify: { perMinute: 1 } } });
    const outcomes = [await notify(), await notify()].map((result) => result.structuredContent?.outcome);
    expect(outcomes).toEqual(["posted", "refused"]);
  });

  test("takes nothing from the banners about approvals", async () => {
    const { notify, notifier, client, face } = await telling({ config: { notify: { perMinute: 0 } } });
    expect((await notify()).structuredContent).toMatchObject({ outcome: "refused", code: "rate_limited" });
    const call = client.call("run_command", { argv: ["true"] }, withProgress);
    await waitingProgress(client);
    client.answer(await client.firstOf("elicitation/create"), { action: "cancel" });
    await client.roundTrip();
    face.deny(face.only());
    expect((await client.resultOf(call)).structuredContent?.notifications).toMatchObject([
      { outcome: "posted" },
    ]);
    expect(notifier.shown).toHaveLength(1);
  });
});

describe("what cannot be shown", () => {
  test("fails with why, and says not to repeat it", async () => {
    const { notifier, notify } = await telling();
    notifier.fault = "no bus";
    const failed = await notify();
    expect(failed).toMatchObject({
      isError: true,
      structuredContent: { outcome: "failed", retryable: false },
    });
    expect(textOf(failed)).toMatch(
      /^Failed, no notification could be shown \(fake: no bus\)\. .*Do not repeat it/,
    );
    notifier.fault = null;
    expect((await notify()).structuredContent?.outcome).toBe("posted");
  });

  test("because the person wants no banners is refused", async () => {
    const clock = new FakeClock();
    const notifiers = [createSwitchedOffNotifier(clock)];
    const { notify } = await telling({ notifiers });
    const refused = await notify();
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: { outcome: "refused", code: "policy_refused", retryable: false },
    });
    expect(textOf(refused)).toContain("desktop: switched off (notify.enabled)");
  });

  test("in one of several places counts where another one shows it", async () => {
    const clock = new FakeClock();
    const notifiers = [createSwitchedOffNotifier(clock), new FakeNotifier(clock)];
    const { notify } = await telling({ notifiers });
    const { isError, structuredContent } = await notify();
    expect(isError).toBeUndefined();
    expect(structuredContent).toMatchObject({
      outcome: "posted",
      notifications: [{ outcome: "refused" }, { outcome: "posted" }],
    });
  });
});

test.each<[object, string]>([
  [{ title: "x".repeat(65), body: "" }, "title: at most 64 characters"],
  [{ title: "a", body: "x".repeat(257) }, "body: at most 256 characters"],
  [{ title: "a", body: "b", thread: "x".repeat(65) }, "thread: at most 64 characters"],
  [{ title: " ", body: "b" }, "title: must not be blank"],
  [{ title: "a" }, "body: "],
  [{ title: "a\ud800", body: "b" }, "title: holds a"],
  [{ title: "a", body: "b\0" }, "body: holds a"],
  [{ title: "a", body: "b", request: "k3v9x2m7q4t8" }, 'unknown argument "request"'],
  [{ title: "a", body: "b", decision: "approve" }, 'unknown argument "decision"'],
])("the arguments %j are refused, opening and showing nothing", async (args, says) => {
  const { notifier, notify, home } = await telling();
  const refused = await notify(args);
  expect(refused).toMatchObject({
    isError: true,
    structuredContent: { outcome: "refused", code: "invalid_input" },
  });
  expect(textOf(refused)).toContain(says);
  expect(notifier.shown).toEqual([]);
  expect(existsSync(home)).toBe(false);
  expect((await notify({ title: "x".repeat(64), body: "x".repeat(256) })).structuredContent?.outcome).toBe(
    "posted",
  );
});

test("one that hangs ends with its cancellation, and does not keep the server from ending", async () => {
  const { notifier, client, face, leave, settled } = await telling();
  notifier.isHolding = true;
  client.call("notify", { title: "a", body: "b" });
  await client.roundTrip();
  await leave();
  await settled();
  expect(face.audit()).toMatchObject([{ kind: "notification", details: { outcome: "failed" } }]);
});
