/** What `wisp audit stats` counts. */
import { describe, expect, it } from "vitest";
import { claims, pushed, pushOf } from "../../support/audit-records.js";
import { type WrittenLog, written } from "../../support/audit-verbs.js";
import type { Sketch } from "../../support/sketched.js";

const rule = pushed.rule;
const dayMs = 86_400_000;

/** Asked by `id`; the call that asked returned before anybody answered. */
const waits = (id: string): readonly Sketch[] => [
  ...pushOf(id, id).slice(0, 3),
  told(id, { outcome: "pending", seconds: 30 }),
];

/** A call of `id` returned so. */
function told(id: string, details: Readonly<Record<string, unknown>>): Sketch {
  return { kind: "approval.decided", call: id, selfReported: claims, details: { ...pushed, ...details } };
}

/** The same call came again, and goes on waiting. */
const repeated = (id: string): readonly Sketch[] => [
  { ...pushOf(id, id)[0], kind: "policy.judged", call: id },
  { ...pushOf(id, id)[1], kind: "approval.requested", call: id },
  told(id, { outcome: "pending", seconds: 30 }),
];

/** A person answers `id` after so many seconds. */
const answers = (id: string, decision: "approve" | "deny", seconds: number): readonly Sketch[] => [
  { kind: "approval.answered", call: id, details: { decision, via: "cli", seconds, unseen: false } },
  settles(id, "answered"),
];

const settles = (id: string, outcome: string): Sketch => ({
  kind: "approval.settled",
  call: id,
  details: { outcome, via: "cli", seconds: 4 },
});

interface Summary {
  readonly asks: number;
  readonly days: readonly { readonly asks: number }[];
  readonly answers: number;
  readonly answeredUnder2Seconds: number;
  readonly rules: readonly unknown[];
  readonly unseenDialogs: readonly unknown[];
}

async function summaryOf({ run }: WrittenLog, ...words: readonly string[]): Promise<Summary> {
  return JSON.parse((await run(["stats", "--json", ...words])).out) as Summary;
}

const ids = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `aaaaaa${String(index).padStart(2, "2")}`);

describe("wisp audit stats", () => {
  it("counts a request once, however often its call came again, and learns from an answer after the call", async () => {
    const log = await written(...waits("k7q2mx9d"), ...repeated("k7q2mx9d"), ...repeated("k7q2mx9d"));
    expect(await summaryOf(log)).toMatchObject({ asks: 1, answers: 0, rules: [] });
    const redeemed = told("k7q2mx9d", {
      outcome: "approved",
      redeemed: true,
      rule: "unspent approval k7q2mx9d",
    });
    await log.append(...answers("k7q2mx9d", "approve", 61), redeemed);
    expect(await summaryOf(log)).toMatchObject({
      asks: 1,
      answers: 1,
      rules: [{ rule, asked: 1, approved: 1, mayRelax: false }],
    });
  });

  it.each([
    [1.999, 1],
    [2, 0],
  ])("takes an answer after %f seconds for quick: %i", async (seconds, quick) => {
    const log = await written(...waits("k7q2mx9d"), ...answers("k7q2mx9d", "deny", seconds));
    expect(await summaryOf(log)).toMatchObject({ answers: 1, answeredUnder2Seconds: quick });
  });

  it.each([
    ["ten yeses", 10, [], true],
    ["nine yeses", 9, [], false],
    ["ten yeses and a no", 10, [...waits("k7q2mx9d"), ...answers("k7q2mx9d", "deny", 9)], false],
    [
      "ten yeses and one that nobody answered",
      10,
      [...waits("k7q2mx9d"), settles("k7q2mx9d", "timed_out")],
      false,
    ],
    ["ten yeses and one that waits", 10, waits("k7q2mx9d"), true],
  ] as const)("says of a rule with %s whether it may be relaxed", async (_what, count, more, mayRelax) => {
    const log = await written(...ids(count).flatMap((id) => pushOf(id, id)), ...more);
    expect((await summaryOf(log)).rules).toMatchObject([{ rule, approved: count, mayRelax }]);
  });

  it("makes good a yes that came after the request had ended", async () => {
    const log = await written(...waits("k7q2mx9d"), settles("k7q2mx9d", "timed_out"));
    expect((await summaryOf(log)).rules).toMatchObject([{ asked: 1, approved: 0 }]);
    await log.append(...answers("k7q2mx9d", "approve", 90).slice(0, 1));
    expect((await summaryOf(log)).rules).toMatchObject([{ asked: 1, approved: 1 }]);
  });

  it("counts the days on which a person was asked, and no call that a rule allowed or refused", async () => {
    const judged = (verdict: string): Sketch => ({
      kind: "policy.judged",
      call: null,
      selfReported: claims,
      details: { ...pushed, verdict, reasons: [] },
    });
    const nowhere = {
      kind: "approval.pending",
      call: "dddddddd",
      details: { filed: false, dialog: false },
    } as const;
    const log = await written(judged("allow"), judged("deny"), nowhere);
    expect(await summaryOf(log)).toMatchObject({ asks: 0, days: [], rules: [] });
    log.clock.advance(dayMs);
    await log.append(...pushOf("k7q2mx9d", "r2345678"), ...pushOf("aaaaaaaa", "bbbbbbbb"));
    log.clock.advance(2 * dayMs);
    await log.append(judged("ask"), ...pushOf("cccccccc", "eeeeeeee"));
    expect((await summaryOf(log)).days.map(({ asks }) => asks)).toEqual([2, 1]);
    expect(await summaryOf(log, "--since", "1d")).toMatchObject({ asks: 1, answers: 1, days: [{ asks: 1 }] });
  });

  it("counts dialogs that nobody read by client, whenever the call returned", async () => {
    const unseen = (call: string): Sketch => ({ kind: "dialog.ended", call, details: { unseen: true } });
    const log = await written(
      ...waits("k7q2mx9d"),
      unseen("k7q2mx9d"),
      unseen("aaaaaaaa"),
      ...waits("aaaaaaaa"),
    );
    await log.append(unseen("bbbbbbbb"));
    expect((await summaryOf(log)).unseenDialogs).toEqual([
      { client: "claude-code", count: 2 },
      { client: null, count: 1 },
    ]);
  });

  it("tells it in lines that fit a terminal", async () => {
    const log = await written(...ids(10).flatMap((id) => pushOf(id, id)));
    const { out } = await log.run(["stats"], { columns: 80 });
    expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(out).toMatch(
      /^asked: 10 times on 1 day\nanswered: 10 times, 0 % under 2 s\n {2}\d{4}-\d\d-\d\d {2}10\n/,
    );
    expect(out).toMatch(/10 {2}100 % {2}ask Bash\(git push \*\) \(policy\.json:3\) {2}always approved/);
    log.clock.advance(dayMs);
    await log.append(...pushOf("k7q2mx9d", "r2345678"));
    expect((await log.run(["stats"])).out).toMatch(/^asked: 11 times on 2 days, 5\.5 a day\n/);
  });

  it("counts nothing where there is nothing", async () => {
    const { run } = await written();
    expect((await run(["stats"])).out).toBe("asked: 0 times on 0 days\nanswered: 0 times\n");
  });
});
