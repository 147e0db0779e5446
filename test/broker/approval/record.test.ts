import { describe, expect, it } from "vitest";
import type { DialogAnswer } from "../../../src/broker/approval/dialog.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { sha256Hex, shortened } from "../../../src/broker/request/long-text.js";
import type { Subject } from "../../../src/broker/request/request.js";
import { type Asked, type Asking, asking, calm } from "../../support/asking.js";
import { answerTo, commandSubject, denialOf } from "../../support/builders.js";
import { FakeDialog } from "../../support/fake-dialog.js";
import { permissionSubject, toolSubject } from "../../support/request-kinds.js";
import { atTerminal } from "../../support/witnesses.js";

const yes: DialogAnswer = { kind: "approve", scope: "once" };

describe("the record of an ask", () => {
  it("keeps the wider scope that was asked for where it is not offered", async () => {
    const bench = asking();
    const asked = await bench.ask({ ask: { level: "dangerous", scopes: ["once", "session"] } });
    const answer = answerTo(asked.request, { scope: "session", downgradedFrom: "always" });
    bench.face.answer(answer);
    expect(await asked.outcome).toMatchObject({ name: "approved" });
    const answered = bench.audit.events.filter(({ kind }) => kind === "approval.answered");
    expect(answered).toMatchObject([{ details: { scope: "session", downgradedFrom: "always" } }]);
  });

  it("has the whole sequence in order, and ends in one append that is on disk before a yes", async () => {
    const bench = asking();
    const asked = await bench.ask({ dialog: new FakeDialog() });
    bench.face.answer(answerTo(asked.request));
    await asked.outcome;
    expect(
      bench.audit.appended.map((one) => [one.durability, one.events.map((event) => event.kind)]),
    ).toEqual([
      ["plain", ["policy.judged", "approval.requested"]],
      ["plain", ["approval.pending"]],
      ["durable", ["approval.answered", "approval.settled", "approval.decided"]],
    ]);
    const calls = bench.audit.events.map((event) => event.call);
    expect(calls).toEqual([null, null, ...Array(4).fill(asked.request.id)]);
  });

  it("keeps the order when the log is slow to say that something is pending", async () => {
    const bench = asking();
    const append = bench.audit.append.bind(bench.audit);
    let release = (): void => {};
    bench.audit.append = async (events, durability) => {
      if (events[0]?.kind === "approval.pending") {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      }
      return append(events, durability);
    };
    const asked = await bench.ask();
    bench.face.answer(answerTo(asked.request));
    await calm();
    release();
    await asked.outcome;
    expect(bench.audit.kinds.slice(2)).toEqual([
      "approval.pending",
      "approval.answered",
      "approval.settled",
      "approval.decided",
    ]);
  });

  it("says who answered only where somebody did", async () => {
    const bench = asking();
    const asked = await bench.ask();
    bench.clock.advance(600_000);
    await asked.outcome;
    expect(bench.audit.kinds).not.toContain("approval.answered");
    expect(bench.audit.appended.at(-1)?.durability).toBe("plain");
  });

  it.each(["approve", "deny"] as const)(
    "has a person's %s on disk before the receipt, and before the caller hears of it",
    async (decision) => {
      const bench = asking();
      const asked = await bench.ask();
      bench.audit.holding = "durable";
      bench.face.answer(decision === "approve" ? answerTo(asked.request) : denialOf(asked.request));
      await calm();
      expect([asked.receipt, asked.ended]).toEqual([null, null]);
      bench.audit.release();
      await asked.outcome;
      expect(asked.receipt).toMatchObject({ outcome: "answered", decision });
    },
  );

  it("keeps apart what was checked and what was claimed, and no free text of anybody", async () => {
    const bench = asking();
    const ask = { says: "the secret is hunter2", thread: "git", level: "high", rule: "ask" } as const;
    const asked = await bench.ask({ ask });
    bench.clock.advance(2_000);
    const answer = answerTo(asked.request, { note: "my password is hunter2" });
    bench.face.answer(answer);
    await asked.outcome;
    const claims = {
      client: { name: "test-client", version: "1.0.0" },
      thread: "git",
      says: sha256Hex("the secret is hunter2"),
    };
    const facts = {
      level: "high",
      rule: "ask",
      subject: "command",
      command: "git push origin main",
      directory: "/home/p/api",
    };
    expect(bench.audit.only("policy.judged")).toMatchObject([{ details: { verdict: "ask", ...facts } }]);
    expect(bench.audit.only("approval.requested")).toMatchObject([
      { selfReported: claims, details: { ...facts, channel: true, dialog: false, caller: "stdio" } },
    ]);
    expect(bench.audit.only("approval.pending")).toMatchObject([
      { details: { filed: true, why: null, dialog: false, binding: asked.request.binding } },
    ]);
    expect(bench.audit.only("approval.answered")).toMatchObject([
      {
        verified: atTerminal.seen,
        selfReported: { by: answer.by },
        details: {
          decision: "approve",
          via: "cli",
          assurance: "terminal",
          note: sha256Hex("my password is hunter2"),
          seconds: 2,
          unseen: false,
        },
      },
    ]);
    expect(bench.audit.only("approval.decided")).toMatchObject([
      {
        selfReported: claims,
        details: {
          outcome: "approved",
          via: "cli",
          scope: "once",
          assurance: "terminal",
          seconds: 2,
          ...facts,
        },
      },
    ]);
    expect(JSON.stringify(bench.audit.events)).not.toContain("hunter2");
  });

  it("marks an answer of a dialog, and only of a dialog, that came sooner than anybody reads", async () => {
    const told = async (ms: number, act: (bench: Asking, asked: Asked) => void) => {
      const bench = asking({ unseenAnswerMs: 400 });
      // The time is taken from raising the dialog, not from the call.
      bench.audit.holding = "all";
      const dialog = new FakeDialog();
      const asked = bench.start({ dialog });
      bench.clock.advance(5_000);
      bench.audit.release();
      await calm();
      bench.clock.advance(ms);
      act(bench, asked);
      await asked.outcome;
      const { unseen, seconds } = bench.audit.only("approval.answered").at(-1)?.details ?? {};
      return [unseen, seconds];
    };
    expect(await told(399, (_, { dialog }) => dialog.answer(yes))).toEqual([true, 0.399]);
    expect(await told(400, (_, { dialog }) => dialog.answer(yes))).toEqual([false, 0.4]);
    expect(await told(1, ({ face }, { request }) => face.answer(answerTo(request)))).toEqual([false, 5.001]);
  });

  it("makes visible what a terminal would interpret, and cuts what is long", async () => {
    const bench = asking();
    const line = `echo x\u001b[2J${"😀".repeat(900)}`;
    const asked = await bench.ask({
      ask: {
        subject: commandSubject({ line, command: line, argv: null, directory: "/tmp/\u202e" }),
        client: { name: "a\u0007b", version: "1\u0007" },
        thread: "git\u0007",
        rule: "ask \u0007",
        reasons: ["holds \u0007"],
        caller: "stdio\u0007",
      },
    });
    const tty = "/dev/\u001b]0;x";
    bench.face.answer(answerTo(asked.request, { by: { pid: 1, startedAt: "1", tty, version: "1" } }));
    await asked.outcome;
    const decided = bench.audit.only("approval.decided").at(-1);
    const command = String(decided?.details?.command);
    expect(command).toMatch(/^echo x\\u\{1b\}\[2J😀/);
    expect(command.length).toBeLessThanOrEqual(1_000);
    // JSON writes control characters and halves of surrogate pairs as \u00.. and \ud8..
    expect(JSON.stringify(bench.audit.events)).not.toMatch(/\\u00|\\ud8|\u202e/);
  });

  it.each([
    {
      what: "a command too long to file whole",
      subject: commandSubject({ command: shortened("x".repeat(20_000)), line: "x", argv: null }),
      facts: { subject: "command", command: "x".repeat(1_000) },
    },
    {
      what: "a tool call, by its arguments' hash",
      subject: toolSubject({ arguments: { token: "hunter2" } }),
      facts: { subject: "tool", server: "files", tool: "write_file", arguments: sha256Hex("arguments") },
    },
    {
      what: "a permission, by its input's hash",
      subject: permissionSubject({ input: { token: "hunter2" } }),
      facts: { subject: "permission", tool: "Edit", input: sha256Hex('{"token":"hunter2"}') },
    },
  ] as readonly { what: string; subject: Subject; facts: object }[])(
    "names $what",
    async ({ subject, facts }) => {
      const bench = asking();
      const asked = await bench.ask({ ask: { subject, client: null } });
      bench.face.answer(denialOf(asked.request));
      await asked.outcome;
      expect(bench.audit.only("approval.decided")).toMatchObject([
        { selfReported: { client: null }, details: facts },
      ]);
      expect(JSON.stringify(bench.audit.events)).not.toContain("hunter2");
    },
  );
});

describe("a record that cannot be written", () => {
  it("of the decision turns a yes into failed, runs nothing and says so in the receipt", async () => {
    const bench = asking();
    const asked = await bench.ask({ dialog: new FakeDialog() });
    bench.audit.failing = "durable";
    bench.face.answer(answerTo(asked.request));
    const outcome = await asked.outcome;
    expect(outcome).toMatchObject({ name: "failed", via: "server", scope: null });
    expect(outcome.note).toMatch(/^audit_unavailable: .*ENOSPC/);
    expect(asked.receipt).toMatchObject({ outcome: "failed", decision: "approve", ran: false });
    expect(asked.dialog.isWithdrawn).toBe(true);

    bench.audit.failing = "none";
    const again = await bench.ask();
    bench.face.answer(answerTo(again.request));
    expect(await again.outcome).toMatchObject({ name: "approved" });
  });

  it.each(["denied", "timed_out", "abandoned", "withdrawn"] as const)(
    "of the decision leaves %s as it is",
    async (name) => {
      const bench = asking();
      const asked = await bench.ask();
      bench.audit.failing = "all";
      if (name === "denied") bench.face.answer(denialOf(asked.request));
      else if (name === "timed_out") bench.clock.advance(600_000);
      else if (name === "abandoned") asked.controller.abort();
      else void bench.approver.close("stopping");
      expect(await asked.outcome).toMatchObject({ name });
      expect(asked.receipt).toMatchObject({ ran: false });
    },
  );

  it("of the ask itself files nothing: what could not be decided is not asked", async () => {
    const bench = asking();
    bench.audit.failing = "all";
    const dialog = new FakeDialog();
    const outcome = await bench.start({ dialog }).outcome;
    expect(outcome).toMatchObject({ name: "failed", request: null });
    expect(outcome.note).toMatch(/^audit_unavailable/);
    expect(bench.place.files.size + dialog.shown.length).toBe(0);
  });

  it("of what is pending does not end the wait", async () => {
    const bench = asking();
    const asked = bench.start();
    bench.audit.failing = "plain";
    await calm();
    bench.audit.failing = "none";
    bench.face.answer(answerTo(asked.request));
    expect(await asked.outcome).toMatchObject({ name: "approved" });
    expect(bench.audit.kinds).not.toContain("approval.pending");
  });
});

describe("a receipt that cannot be published", () => {
  const full = new WispError("channel_unavailable", "No space is left.");

  it("turns a yes into failed, and the log says so after what it said before", async () => {
    const bench = asking();
    const asked = await bench.ask();
    bench.face.answer(answerTo(asked.request));
    bench.place.fault = full;
    const outcome = await asked.outcome;
    expect(outcome).toMatchObject({ name: "failed", scope: null });
    expect(outcome.note).toContain("No space is left");
    expect(bench.audit.only("approval.decided").map((event) => event.details?.outcome)).toEqual([
      "approved",
      "failed",
    ]);
  });

  it.each(["denied", "timed_out", "abandoned"] as const)("leaves %s as it is", async (name) => {
    const bench = asking();
    const asked = await bench.ask();
    if (name === "denied") bench.face.answer(denialOf(asked.request));
    bench.place.fault = full;
    if (name === "timed_out") bench.clock.advance(600_000);
    else if (name === "abandoned") asked.controller.abort();
    expect(await asked.outcome).toMatchObject({ name });
    expect(bench.audit.only("approval.decided")).toHaveLength(1);
    expect(bench.audit.appended.filter(({ events }) => events.length === 0)).toEqual([]);
  });
});
