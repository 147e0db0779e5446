import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WispError } from "../../../src/broker/request/errors.js";
import type { Outcome } from "../../../src/broker/request/outcome.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { smallEnvironment } from "../../../src/server/command/environment.js";
import { resolveCommand } from "../../../src/server/command/resolve.js";
import { type Effect, runApproved } from "../../../src/server/mcp/tools/effect.js";
import { writeProgram } from "../../support/commands.js";
import { makePlaces, type Places } from "../../support/mcp-server.js";
import { MemoryAuditLog } from "../../support/memory-audit-log.js";

let places: Places;
beforeEach(() => {
  places = makePlaces();
});
afterEach(() => places.remove());

const outcome: Outcome = {
  name: "approved",
  via: "cli",
  scope: "once",
  assurance: "terminal",
  verified: { terminal: true, ancestry: true, signed: null },
  note: null,
  unseenMs: null,
  waits: null,
  redeemed: false,
  run: "rrrrrrrr",
  rule: null,
  request: "k7q2mx9d",
  seconds: 1,
};

interface Wanted {
  readonly word?: string;
  readonly argv?: readonly string[];
  readonly directory?: string;
  readonly signal?: AbortSignal;
  readonly note?: string | null;
  /** Given back, where the yes came while no call was there. */
  readonly released?: Outcome[];
  /** What became of it otherwise. */
  readonly concluded?: string[];
}

function touching(audit: MemoryAuditLog, wanted: Wanted = {}): Effect {
  const { word = "ran", argv = ["touch", word], directory = places.work } = wanted;
  const { signal = new AbortController().signal } = wanted;
  const environment = smallEnvironment(process.env);
  const store = {
    create: (): never => {
      throw new Error("nothing is long here");
    },
  };
  return {
    command: resolveCommand({ argv, line: null, directory }, environment),
    timeoutSeconds: 60,
    outcome: { ...outcome, note: wanted.note ?? null, redeemed: wanted.released !== undefined },
    approver: {
      release: async (one) => void wanted.released?.push(one),
      conclude: (_one, how) => void wanted.concluded?.push(how),
    },
    audit,
    doctor: "WISP_HOME=/h wisp doctor",
    parts: { clock: systemClock, signal, environment, store, umask: null, groups: new Set() },
  };
}

describe("a yes that came while no call was there", () => {
  test("is given back when it is certain that nothing ran, and only then", async () => {
    const audit = new MemoryAuditLog();
    const released: Outcome[] = [];
    const concluded: string[] = [];
    const redeemed = (wanted: Wanted = {}): Effect => touching(audit, { ...wanted, released, concluded });
    audit.failing = "durable";
    await runApproved(redeemed());
    audit.failing = "none";
    expect(released).toHaveLength(1);
    await runApproved(redeemed({ signal: AbortSignal.abort() }));
    expect(released).toHaveLength(2);
    writeProgram(places.work, "broken", "#!/nowhere/interpreter\n");
    await runApproved(redeemed({ argv: ["./broken"] }));
    expect(released).toHaveLength(3);
    expect([readdirSync(places.work), concluded]).toEqual([["broken"], []]);

    await runApproved(redeemed());
    await runApproved(redeemed({ argv: ["false"] }));
    expect(concluded).toEqual(["began", "began"]);
    const drifting = redeemed({ argv: ["./broken"] });
    writeProgram(places.work, "broken", "#!/bin/sh\nexit\n");
    expect((await runApproved(drifting)).structuredContent).toMatchObject({ outcome: "drifted" });
    expect([released.length, concluded.at(-1)]).toEqual([3, "spent"]);
    expect(new Set(released.map(({ request }) => request))).toEqual(new Set([outcome.request]));
  });

  test("stays used up when nobody knows what ran, and the result says that it may have", async () => {
    const audit = new MemoryAuditLog();
    const released: Outcome[] = [];
    const concluded: string[] = [];
    const effect = touching(audit, { released, concluded });
    const parts = {
      ...effect.parts,
      get store(): never {
        throw new TypeError("a mistake of ours");
      },
    };
    const result = await runApproved({ ...effect, parts });
    expect(result).toMatchObject({
      isError: true,
      content: [
        { text: expect.stringMatching(/^Failed, it may have run: wisp lost sight of the command\. /) },
      ],
      structuredContent: { outcome: "failed", code: "indeterminate_outcome", retryable: false },
    });
    expect([released, concluded]).toEqual([[], ["began"]]);
    expect(audit.events.at(-1)).toMatchObject({ kind: "effect.finished", details: { ending: "unknown" } });
    expect((await runApproved(touching(audit))).structuredContent).toMatchObject({ outcome: "approved" });
  });

  test("stays used up when something fails after it began", async () => {
    const audit = new MemoryAuditLog();
    const released: Outcome[] = [];
    const effect = touching(audit, { released });
    const groups = Object.assign(new Set<number>(), {
      delete(): never {
        throw new WispError("channel_unavailable", "It ran, and then something broke.");
      },
    });
    const result = await runApproved({ ...effect, parts: { ...effect.parts, groups } });
    expect(result.structuredContent).toMatchObject({ code: "indeterminate_outcome" });
    expect([released, readdirSync(places.work)]).toEqual([[], ["ran"]]);
  });

  test("tells that it began while it runs", async () => {
    const concluded: string[] = [];
    const running = touching(new MemoryAuditLog(), {
      released: [],
      concluded,
      argv: ["sh", "-c", "until test -e stop; do sleep 0.01; done"],
    });
    const result = runApproved(running);
    await expect.poll(() => concluded).toEqual(["began"]);
    writeFileSync(join(places.work, "stop"), "");
    expect((await result).structuredContent).toMatchObject({ outcome: "approved" });
  });

  test("that was given to a call that was there is nobody's to give back", async () => {
    const audit = new MemoryAuditLog();
    const effect = touching(audit, { signal: AbortSignal.abort() });
    const release = () => Promise.reject(new TypeError("Nothing was redeemed."));
    const approver = { release, conclude: () => {} };
    expect((await runApproved({ ...effect, approver })).structuredContent).toMatchObject({
      outcome: "abandoned",
    });
  });
});

describe("an approved command", () => {
  test("does not run when its beginning cannot be written down; a good log lets it run", async () => {
    const audit = new MemoryAuditLog();
    audit.failing = "durable";
    expect(await runApproved(touching(audit))).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/ Tell the person to run: WISP_HOME=\/h wisp doctor$/) }],
      structuredContent: { outcome: "failed", code: "audit_unavailable", request: "k7q2mx9d" },
    });
    expect(readdirSync(places.work)).toEqual([]);
    audit.failing = "none";
    expect((await runApproved(touching(audit))).structuredContent).toMatchObject({ outcome: "approved" });
    expect(readdirSync(places.work)).toEqual(["ran"]);
  });

  test("begins only once its beginning is on disk", async () => {
    const audit = new MemoryAuditLog();
    audit.holding = "durable";
    const held = runApproved(touching(audit));
    // Another command runs from beginning to end meanwhile.
    await runApproved(touching(new MemoryAuditLog(), { word: "other" }));
    expect(readdirSync(places.work)).toEqual(["other"]);
    audit.release();
    await held;
    expect(readdirSync(places.work).sort()).toEqual(["other", "ran"]);
    expect(audit.appended.map(({ durability, events }) => [durability, events[0]?.kind])).toEqual([
      ["durable", "effect.started"],
      ["plain", "effect.finished"],
    ]);
  });

  test("still has its result when only its end cannot be written down", async () => {
    const audit = new MemoryAuditLog();
    audit.failing = "plain";
    expect((await runApproved(touching(audit))).structuredContent).toMatchObject({
      outcome: "approved",
      exitCode: 0,
    });
  });

  test("that the system does not start says why and what helps, and a good one still runs", async () => {
    writeProgram(places.work, "broken", "#!/nowhere/interpreter\n");
    const audit = new MemoryAuditLog();
    const result = await runApproved(touching(audit, { argv: ["./broken"] }));
    expect(result).toMatchObject({
      isError: true,
      content: [
        {
          text:
            `Failed, nothing ran: "${places.work}/broken" is there, but the interpreter or loader that it names is ` +
            "not (ENOENT). Run it with an interpreter that is installed.",
        },
      ],
      structuredContent: { outcome: "failed", code: "invalid_input", request: "k7q2mx9d" },
    });
    expect(audit.events.at(-1)?.details).toEqual({
      ending: "not_started",
      errno: "ENOENT",
      run: "rrrrrrrr",
    });
    expect(await runApproved(touching(audit, { argv: ["sh", "broken"] }))).not.toHaveProperty("isError");
  });

  test("brings the words that came with the yes, first and in one visible line", async () => {
    const audit = new MemoryAuditLog();
    const note = "only this once\u001b[2J\nExit code 0";
    const result = await runApproved(touching(audit, { note }));
    expect(result.structuredContent).toMatchObject({ outcome: "approved", note });
    expect(result.content).toMatchObject([
      {
        text: expect.stringMatching(
          /^Approved \(once, via cli, terminal\): only this once\\u\{1b\}\[2J\\u\{a\}Exit code 0\. Exit code 0 after/,
        ),
      },
    ]);
    for (const none of [null, "", "  "]) {
      const silent = await runApproved(touching(audit, { note: none }));
      expect(silent.structuredContent).not.toHaveProperty("note");
      expect(silent.content).toMatchObject([
        { text: expect.stringMatching(/^Approved \(once, via cli, terminal\)\. Exit code 0 after/) },
      ]);
    }
  });

  test("says beside its level where the yes came from, and what was not seen of that", async () => {
    const effect = touching(new MemoryAuditLog());
    const leadOf = async (verified: Outcome["verified"]): Promise<unknown> => {
      const { content } = await runApproved({ ...effect, outcome: { ...outcome, verified } });
      return content[0];
    };
    const seen = { terminal: true, ancestry: true, signed: null };
    for (const [verified, words] of [
      [{ ...seen, ancestry: null }, "terminal, ancestors not all seen"],
      [{ ...seen, terminal: null }, "terminal, standard input not seen"],
      [{ ...seen, ancestry: false }, "terminal, from within a client's own processes"],
    ] as const) {
      expect(await leadOf(verified)).toMatchObject({
        text: expect.stringContaining(`Approved (once, via cli, ${words}). Exit code 0`),
      });
    }
  });

  test("whose caller left in between does not run", async () => {
    const audit = new MemoryAuditLog();
    expect(await runApproved(touching(audit, { signal: AbortSignal.abort() }))).toMatchObject({
      isError: true,
      structuredContent: { outcome: "abandoned", request: "k7q2mx9d" },
    });
    expect(readdirSync(places.work)).toEqual([]);
    expect(audit.events.at(-1)?.details).toEqual({ ending: "abandoned", run: "rrrrrrrr" });
  });

  test("in a hostile directory, run or drifted, is written down in visible characters", async () => {
    const audit = new MemoryAuditLog();
    const directory = join(places.work, "a\u202eb\u009bc\u200bd");
    mkdirSync(directory);
    writeProgram(directory, "e\u2066f", "#!/bin/sh\n");
    const effect = touching(audit, { argv: ["./e\u2066f"], directory });
    expect(await runApproved(effect)).not.toHaveProperty("isError");
    rmSync(directory, { recursive: true });
    expect((await runApproved(effect)).structuredContent).toMatchObject({ outcome: "drifted" });
    expect(audit.kinds).toEqual(["effect.started", "effect.finished", "effect.started", "effect.finished"]);
    expect(JSON.stringify(audit.events)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    const shown = `${places.work}/a\\u{202e}b\\u{9b}c\\u{200b}d`;
    expect(audit.events[0]?.verified).toMatchObject({
      directory: shown,
      program: { path: `${shown}/e\\u{2066}f` },
    });
    expect(audit.events.at(-1)?.details).toMatchObject({
      ending: "drifted",
      why: expect.stringContaining(shown),
    });
  });
});
