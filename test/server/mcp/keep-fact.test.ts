/** The tool by which an agent proposes something to keep: it returns at once, and only a person keeps. */
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Notifier } from "../../../src/broker/notify/notifier.js";
import { isIdentifier } from "../../../src/broker/request/identifier.js";
import { localDay } from "../../../src/broker/system/local-day.js";
import { eras, factServer, testCommand } from "../../support/fact-server.js";
import { decidedBy, droppedFact, proposedBy } from "../../support/facts.js";
import { FakeClock } from "../../support/fake-clock.js";
import { FakeNotifier } from "../../support/fake-notifier.js";
import { textOf } from "../../support/mcp-server.js";

const dayMs = 86_400_000;

describe.each(eras)("in the %s era", (era) => {
  test("a proposal is filed, and the call returns at once with its id and until when it waits", async () => {
    const { keep, person, work } = await factServer(era, { clock: new FakeClock() });
    const result = await keep({ ...testCommand, source: "package.json", thread: "setup" });
    const request = person.only();
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toEqual({
      outcome: "pending",
      request: request.id,
      expiresAt: request.expiresAt,
      notifications: [],
    });
    expect(request.expiresAt).toBe(request.createdAt + 7 * dayMs);
    expect(request).toMatchObject({
      kind: "fact",
      client: { name: "raw" },
      thread: "setup",
      fact: { ...testCommand, source: "package.json", directory: work },
    });
    expect(textOf(result)).toMatch(/^Pending: a person is asked .*Go on working and do not wait/);
    expect(textOf(result)).toContain(request.id);
  });

  test("a proposal waits as many days as are configured", async () => {
    const clock = new FakeClock();
    const { keep, person } = await factServer(era, { clock, config: { facts: { keepDays: 2 } } });
    const { structuredContent } = await keep();
    const request = person.only();
    expect(request.expiresAt).toBe(request.createdAt + 2 * dayMs);
    expect(structuredContent?.expiresAt).toBe(request.expiresAt);
  });

  test("what is kept already and is like it stands beside what a person is asked, and nothing else does", async () => {
    const { keep, person, work } = await factServer(era);
    const kept = await person.kept({ subject: "API", name: "Test  command", value: "npm run check" });
    await person.kept({ subject: "web", name: "port", value: "8080" });
    await person.kept({ value: "make test", directory: join(work, "below") });
    await keep();
    const { similar } = person.only().fact;
    expect(similar).toMatchObject([{ id: kept.id, value: "npm run check" }]);
    expect(similar).toHaveLength(1);
  });

  test("the same again asks nobody twice, and its id is the same", async () => {
    const { keep, person } = await factServer(era);
    const first = await keep({ ...testCommand, source: "a" });
    const again = await keep({ ...testCommand, source: "b" });
    expect(again.structuredContent).toEqual(first.structuredContent);
    expect(textOf(again)).toContain("has been asked already");
    expect(person.waiting()).toHaveLength(1);
    await keep({ ...testCommand, thread: "another" });
    expect(person.waiting()).toHaveLength(2);
  });

  test("what was kept is told as kept, and asked no more", async () => {
    const { keep, read, person } = await factServer(era);
    await keep();
    await person.decides(person.only(), { decision: "keep", scope: "project" });
    await expect.poll(async () => (await read()).structuredContent?.facts).toHaveLength(1);
    const result = await keep();
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toEqual({
      outcome: "approved",
      request: null,
      fact: { ...testCommand, id: expect.any(String), keptAt: expect.any(Number) },
      notifications: [],
    });
    expect(textOf(result)).toMatch(
      /^Approved: a person kept this already, on \d{4}-\d\d-\d\d, .*api · test command: npm test$/,
    );
    expect(person.waiting()).toEqual([]);
  });

  test("what was dropped is refused with its date, for the same line of work and no other", async () => {
    const { keep, read, person } = await factServer(era);
    await keep({ ...testCommand, thread: "setup" });
    const request = person.only();
    // When it was is the server's own word, whatever an answer says.
    await person.decides(request, { decision: "drop", answeredAt: 0 });
    await expect
      .poll(async () => (await read()).structuredContent?.requests)
      .toEqual([{ request: request.id, subject: "api", name: "test command", standing: "dropped" }]);
    const result = await keep({ ...testCommand, thread: "setup" });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: {
        outcome: "refused",
        code: "fact_dropped",
        retryable: false,
        recovery: "The person does not want to keep it; do not ask for it again.",
        request: null,
        notifications: [],
      },
    });
    const [dropped] = person.facts.list().dropped;
    const day = localDay(dropped?.droppedBy.at ?? 0);
    expect(day > "2000").toBe(true);
    expect(textOf(result)).toContain(`Refused, a person dropped this on ${day}, and it is not kept. `);
    expect(textOf(result)).toContain("do not ask");
    expect(person.waiting()).toEqual([]);
    expect((await keep({ ...testCommand, thread: "docs" })).structuredContent?.outcome).toBe("pending");
  });

  test("what was dropped for good is refused everywhere, and that is said", async () => {
    const { keep, person } = await factServer(era);
    await keep({ ...testCommand, thread: "setup" });
    await person.decides(person.only(), { decision: "drop", scope: "always" });
    await expect
      .poll(async () => textOf(await keep({ ...testCommand, thread: "docs" })))
      .toContain(", for good,");
    expect((await keep({ ...testCommand, value: "npm run test" })).structuredContent?.outcome).toBe(
      "pending",
    );
  });

  test("what was altered after it was filed is not kept, whoever says so, and can be asked for again", async () => {
    const { keep, read, person, home } = await factServer(era);
    await keep();
    const request = person.only();
    const altered = { ...request, fact: { ...request.fact, value: "rm -rf /" } };
    writeFileSync(join(home, "pending", `${request.id}.fact.json`), JSON.stringify(altered));
    await person.decides(request, { decision: "keep", scope: "always" });
    await expect
      .poll(async () => (await read()).structuredContent)
      .toMatchObject({ facts: [], requests: [{ request: request.id, standing: "ended" }] });
    expect(person.facts.list()).toEqual({ kept: [], dropped: [], unreadable: 0 });
    await keep();
    await person.decides(person.only(), { decision: "keep", scope: "project" });
    await expect.poll(async () => (await read()).structuredContent?.facts).toMatchObject([testCommand]);
  });

  test("what was altered is not joined by the same again, which asks anew", async () => {
    const { keep, read, person, home } = await factServer(era);
    await keep();
    const { id, ...request } = person.only();
    const altered = { id, ...request, fact: { ...request.fact, name: "altered" } };
    writeFileSync(join(home, "pending", `${id}.fact.json`), JSON.stringify(altered));
    const again = await Promise.all([keep(), keep()]);
    const next = person.only();
    expect(next.id).not.toBe(id);
    for (const { structuredContent } of again) expect(structuredContent?.request).toBe(next.id);
    expect((await read()).structuredContent?.requests).toMatchObject([
      { request: id, standing: "ended" },
      { request: next.id, standing: "waits" },
    ]);
    await person.decides(next, { decision: "keep", scope: "project" });
    await expect.poll(async () => (await read()).structuredContent?.facts).toMatchObject([testCommand]);
  });

  test("what vanished is decided by nobody, and can be asked for again", async () => {
    const { keep, read, person, home } = await factServer(era);
    await keep();
    const request = person.only();
    rmSync(join(home, "pending", `${request.id}.fact.json`));
    await person.decides(request, { decision: "keep", scope: "project" });
    await expect
      .poll(async () => (await read()).structuredContent?.requests)
      .toMatchObject([{ request: request.id, standing: "ended" }]);
    expect(person.facts.list().kept).toEqual([]);
    await keep();
    await person.decides(person.only(), { decision: "keep", scope: "project" });
    await expect.poll(async () => (await read()).structuredContent?.facts).toMatchObject([testCommand]);
  });

  test("what was dropped for one line of work is asked about again after thirty days, and its drop is swept", async () => {
    const clock = new FakeClock();
    const { keep, person, work } = await factServer(era, { clock });
    const by = proposedBy({ client: { name: "raw", version: "1" }, thread: "setup" });
    const droppedBy = decidedBy({ at: clock.now() });
    await person.facts.drop(droppedFact({ ...testCommand, directory: work, proposedBy: by, droppedBy }));
    const outcome = async () => (await keep({ ...testCommand, thread: "setup" })).structuredContent?.outcome;
    expect(await outcome()).toBe("refused");
    clock.advance(30 * dayMs);
    expect(await outcome()).toBe("refused");
    expect(person.facts.list().dropped).toHaveLength(1);
    clock.advance(600_000);
    expect(await outcome()).toBe("pending");
    // The ask does not wait for it.
    expect(person.facts.list().dropped).toHaveLength(1);
    clock.advance(0);
    expect(person.facts.list().dropped).toEqual([]);
  });

  test("escapes in a proposal are filed as they came and shown as what they are", async () => {
    const { keep, person } = await factServer(era);
    const hostile = { subject: "api\u202e", name: "\u001b[2Jname", value: "a\nWisp: approved\u009b1m" };
    await keep(hostile);
    expect(person.only().fact).toMatchObject(hostile);
    await person.decides(person.only(), { decision: "keep", scope: "always" });
    await expect.poll(async () => (await keep(hostile)).structuredContent?.outcome).toBe("approved");
    expect(textOf(await keep(hostile))).toContain(
      "api\\u{202e} · \\u{1b}[2Jname: a\\u{a}Wisp: approved\\u{9b}1m",
    );
    expect((await keep(hostile)).structuredContent?.fact).toMatchObject(hostile);
  });
});

test.each(eras)("in the %s era twenty of a thousand proposals are asked about, and no other", async (era) => {
  const { keep, person } = await factServer(era);
  const results = await Promise.all(
    Array.from({ length: 1_000 }, (_, index) => keep({ ...testCommand, value: `${index}` })),
  );
  const codes = results.map(({ structuredContent }) => structuredContent?.code ?? "asked");
  // First what is neither, so that a failure says what it was.
  const isEither = (code: unknown): boolean => code === "asked" || code === "rate_limited";
  expect(results.filter((_, at) => !isEither(codes[at])).map(textOf)).toEqual([]);
  expect(codes.filter((code) => code === "asked")).toHaveLength(20);
  expect(textOf(results[999] ?? {})).toMatch(/^Refused, .*20 of your facts wait for the person already\. /);
  expect(results[999]).toMatchObject({
    isError: true,
    structuredContent: { outcome: "refused", retryable: false },
  });
  expect(person.waiting()).toHaveLength(20);
  const [first] = person.waiting();
  if (first === undefined) throw new Error("Nothing waits.");
  await person.decides(first, { decision: "drop" });
  await expect
    .poll(async () => (await keep({ ...testCommand, value: "one more" })).structuredContent?.outcome)
    .toBe("pending");
});

describe("nobody can be asked", () => {
  test("where only dialogs may ask: nothing is filed, and it is said", async () => {
    const { keep, read, home } = await factServer("2025", { config: { approval: { outOfBand: false } } });
    const result = await keep();
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { outcome: "failed", code: "approval_unavailable", request: null },
    });
    expect(textOf(result)).toMatch(
      /^Failed, no person could be asked and it is not kept: .*outOfBand.*Tell the person to run: WISP_HOME=.* wisp doctor$/,
    );
    expect(existsSync(join(home, "pending"))).toBe(false);
    expect((await read()).structuredContent).toMatchObject({ outcome: "read", facts: [], requests: [] });
  });

  test("where no home can be named", async () => {
    const { keep, work } = await factServer("2026", { environment: { WISP_HOME: "not/absolute" } });
    const result = await keep();
    expect(result).toMatchObject({ isError: true, structuredContent: { outcome: "failed", request: null } });
    expect(textOf(result)).toMatch(/^Failed, .*not\/absolute is not an absolute path.*wisp doctor$/);
    expect(readdirSync(work)).toEqual([]);
  });

  test("while the log cannot be written, and the next call asks once it can", async () => {
    const { keep, person, home } = await factServer("2025", { config: {} });
    writeFileSync(join(home, "audit"), "");
    const result = await keep();
    expect(result).toMatchObject({ isError: true, structuredContent: { outcome: "failed" } });
    expect(person.waiting()).toEqual([]);
    rmSync(join(home, "audit"));
    expect((await keep()).structuredContent?.outcome).toBe("pending");
  });
});

describe("the banner", () => {
  test.each(eras)("is posted at once in the %s era, and its receipt is in the result", async (era) => {
    const clock = new FakeClock();
    const notifier = new FakeNotifier(clock);
    const { keep } = await factServer(era, { clock, notifiers: [notifier] });
    const { structuredContent } = await keep();
    expect(structuredContent?.notifications).toMatchObject([
      { source: "fact", outcome: "posted", route: "fake" },
    ]);
    expect(notifier.shown).toHaveLength(1);
  });

  test("is handed over before the call returns: a client that leaves with its result cuts off nothing", async () => {
    const clock = new FakeClock();
    const inner = new FakeNotifier(clock);
    inner.isHolding = true;
    let posts = 0;
    const notifier: Notifier = {
      post(banner, signal) {
        posts += 1;
        return inner.post(banner, signal);
      },
    };
    const { client, ask } = await factServer("2025", { clock, notifiers: [notifier] });
    const call = client.call("keep_fact", testCommand);
    await expect.poll(() => posts).toBe(1);
    await ask("ping");
    expect(client.hasResponseTo(call)).toBe(false);
    inner.release();
    const { structuredContent } = await client.resultOf(call);
    expect(structuredContent?.notifications).toMatchObject([{ outcome: "posted" }]);
  });

  test("that hangs is not waited for", async () => {
    const clock = new FakeClock();
    const notifier = new FakeNotifier(clock);
    notifier.isHolding = true;
    const { client, ask, keep } = await factServer("2025", { clock, notifiers: [notifier] });
    const call = client.call("keep_fact", testCommand);
    // Other timers are there before: that of the log's head, that of the server's record.
    await expect.poll(() => clock.dueIn).toContain(500);
    await ask("ping");
    expect(client.hasResponseTo(call)).toBe(false);
    clock.advance(500);
    const { structuredContent } = await client.resultOf(call);
    expect(structuredContent).toMatchObject({ outcome: "pending", notifications: [] });
    notifier.release();
    expect((await keep()).structuredContent?.notifications).toMatchObject([{ outcome: "posted" }]);
  });
});

describe.each(eras)("arguments in the %s era", (era) => {
  const long = (length: number): string => "x".repeat(length);
  const mebibyte = long(1024 * 1024);

  test.each<[string, object, string]>([
    ["a long subject", { ...testCommand, subject: long(121) }, "subject: at most 120 characters"],
    ["a long name", { ...testCommand, name: long(65) }, "name: at most 64 characters"],
    ["a long value", { ...testCommand, value: long(1_001) }, "value: at most 1000 characters"],
    ["1 MiB of value", { ...testCommand, value: mebibyte }, "value: at most 1000 characters"],
    ["a long source", { ...testCommand, source: long(201) }, "source: at most 200 characters"],
    ["a long thread", { ...testCommand, thread: long(65) }, "thread: at most 64 characters"],
    ["a blank value", { ...testCommand, value: " \n" }, "value: must not be blank"],
    ["no name", { subject: "a", value: "b" }, "name: "],
    ["NUL", { ...testCommand, value: "a\0" }, "value: holds a"],
    ["half a character", { ...testCommand, subject: "a\ud800" }, "subject: holds a"],
    ["a decision", { ...testCommand, decision: "keep" }, 'unknown argument "decision"'],
    ["a scope", { ...testCommand, scope: "global" }, 'unknown argument "scope"'],
    ["a directory", { ...testCommand, directory: "/" }, 'unknown argument "directory"'],
  ])("with %s are refused in one line, and nothing is made", async (_what, args, says) => {
    const { keep, person, home } = await factServer(era);
    const result = await keep(args);
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { outcome: "refused", code: "invalid_input" },
    });
    expect(textOf(result)).toContain(says);
    expect(textOf(result).length).toBeLessThan(400);
    expect(existsSync(home)).toBe(false);
    const longest = {
      subject: long(120),
      name: long(64),
      value: long(1_000),
      source: long(200),
      thread: long(64),
    };
    expect(isIdentifier(String((await keep(longest)).structuredContent?.request))).toBe(true);
    expect(person.only().fact.value).toHaveLength(1_000);
  });
});

test("what waits goes on waiting when its server ends, in the same words", async () => {
  const { keep, person, leave, settled } = await factServer("2025");
  await keep();
  const { id } = person.only();
  await leave();
  await settled();
  expect(person.only().id).toBe(id);
});
