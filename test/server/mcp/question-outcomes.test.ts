/**
 * Every ending of a question, each produced on the wire by every kind of client, with a dialog and without: what its
 * caller sees and what its receipt says. One table, which names every ending that there is.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { QuestionEnd } from "../../../src/broker/approval/questioner.js";
import { outcomes } from "../../../src/broker/request/outcome.js";
import type { QuestionRequest } from "../../../src/broker/request/request.js";
import { type ClientKind, clientKinds, type KindCall, type KindServer } from "../../support/client-kinds.js";
import { textOf } from "../../support/mcp-server.js";
import { PatientClock } from "../../support/patient-clock.js";
import type { ToolResult } from "../../support/raw-client.js";

/** A call that waits, after its dialog, where there is one, was answered. */
interface Waiting {
  readonly server: KindServer;
  readonly clock: PatientClock;
  readonly call: KindCall;
  /** What a person is asked; null where nothing is filed. */
  readonly request: QuestionRequest | null;
  readonly hasDialog: boolean;
}

interface Row {
  /** What stands in the configuration beside what every row has. */
  readonly config?: { readonly approval?: object; readonly questions?: object };
  /** What the dialog says. It is dismissed unless the row says otherwise: then everything else decides. */
  readonly reply?: unknown;
  /** The client's dialog alone asks. */
  readonly isUnfiled?: true;
  /** Why no client without a dialog sees it. */
  readonly notWithout?: string;
  /** Brings the ending about, and resolves with the result; with null where nobody is left to read one. */
  readonly end: (waiting: Waiting) => Promise<ToolResult | null>;
  /** Null where none is there. */
  readonly receipt: string | null;
}

const question = "Which database?";
const asked = {
  question,
  options: [
    { value: "pg", label: "PostgreSQL" },
    { value: "lite", label: "SQLite" },
  ],
};

const rows: Record<QuestionEnd["name"], Row> = {
  answered: {
    reply: { action: "accept", content: { choice: "1" } },
    receipt: "answered",
    async end({ server: { face }, call, request, hasDialog }) {
      if (!hasDialog) face.reply(filed(request), { values: ["pg"] });
      const result = await call.result();
      expect(result.structuredContent).toMatchObject({
        answer: { values: ["pg"] },
        via: hasDialog ? "elicitation" : "cli",
      });
      expect(textOf(result)).toMatch(/^pg\n/);
      return result;
    },
  },
  declined: {
    reply: { action: "decline" },
    receipt: "answered",
    async end({ server: { face }, call, request, hasDialog }) {
      if (!hasDialog) face.reply(filed(request), { decision: "decline", note: "ask Ann" });
      const result = await call.result();
      expect(textOf(result)).toMatch(/^Declined: the person does not want to answer/);
      return result;
    },
  },
  pending: {
    receipt: null,
    async end({ clock, call, request }) {
      clock.advance(45_000);
      const result = await call.result();
      expect(result.structuredContent?.request).toBe(filed(request).id);
      return result;
    },
  },
  not_obtained: {
    config: { approval: { outOfBand: false } },
    isUnfiled: true,
    notWithout: "it is a dialog that was the only way and was dismissed; without one asking fails",
    receipt: null,
    end: ({ call }) => call.result(),
  },
  timed_out: {
    config: { approval: { timeoutSeconds: 30 } },
    receipt: "timed_out",
    async end({ clock, call }) {
      clock.advance(30_000);
      return call.result();
    },
  },
  abandoned: {
    receipt: "abandoned",
    async end({ server: { roundTrip, served, settled }, call }) {
      call.cancel();
      await roundTrip();
      served.stop("over");
      await settled();
      expect(call.hasEnded()).toBe(false);
      return null;
    },
  },
  withdrawn: {
    receipt: "withdrawn",
    async end({ server: { served, settled }, call }) {
      served.stop("the server got SIGTERM");
      await settled();
      expect(call.hasEnded()).toBe(false);
      return null;
    },
  },
  failed: {
    receipt: "failed",
    async end({ server: { face, home }, call, request }) {
      const whole = filed(request);
      const path = join(home, "pending", `${whole.id}.question.json`);
      writeFileSync(path, JSON.stringify({ ...whole, question: { ...whole.question, text: "Which?" } }));
      face.reply(whole, { values: ["pg"], binding: "0".repeat(64) });
      return call.result();
    },
  },
  already_decided: {
    receipt: "answered",
    async end({ server, clock, call, request }) {
      const { id } = filed(request);
      clock.advance(45_000);
      await call.result();
      server.face.reply(filed(request), { values: ["pg"] });
      await expect.poll(() => server.face.receiptOf(id)?.outcome).toBe("answered");
      const first = await server.call({ request: id }, "read_answer").result();
      expect(first.structuredContent).toMatchObject({ outcome: "answered", answer: { values: ["pg"] } });
      return server.call({ request: id }, "read_answer").result();
    },
  },
  refused: {
    receipt: null,
    end: ({ server }) => server.call({ question: "" }, "ask_person").result(),
  },
};

function filed(request: QuestionRequest | null): QuestionRequest {
  if (request === null) throw new Error("Nothing was filed.");
  return request;
}

/** A call that waits for whatever the row does. */
async function wait(kind: ClientKind, hasDialog: boolean, row: Row): Promise<Waiting> {
  const clock = new PatientClock();
  const { approval, ...others } = row.config ?? {};
  const config = { approval: { unseenAnswerMs: 0, ...approval }, ...others };
  const server = await kind.start(hasDialog, { clock, config });
  // From here on the SDK's first version validates every result against the published schema.
  if (kind.name.startsWith("SDK")) await server.roundTrip();
  const call = server.call(asked, "ask_person");
  if (hasDialog) await call.dialog();
  else await call.waits();
  const request = row.isUnfiled === true ? null : server.face.question();
  const waiting = { server, clock, call, request, hasDialog };
  if (!hasDialog) return waiting;
  call.reply(row.reply ?? { action: "cancel" });
  // In the 2026 era the call is back by then, and held.
  const isOver = () => server.face.audit().some(({ kind: one }) => one === "dialog.ended");
  if (row.reply === undefined) await expect.poll(isOver).toBe(true);
  return waiting;
}

const cells = clientKinds.flatMap((kind) =>
  [true, false].map((hasDialog) => ({
    kind,
    hasDialog,
    who: `${kind.name}, ${hasDialog ? "with" : "without"} a dialog`,
  })),
);

/** They are what was asked for, or nobody said no. */
const noErrors = ["answered", "declined", "pending"];

describe.each(cells)("by a client ($who)", ({ kind, hasDialog }) => {
  const seen = Object.entries(rows).filter(([, row]) => hasDialog || row.notWithout === undefined);

  test.each(seen)("a question that ends as %s says so to everybody", async (name, row) => {
    const waiting = await wait(kind, hasDialog, row);
    const result = await row.end(waiting);
    if (result !== null) {
      const { outcome, code = null } = result.structuredContent ?? {};
      expect({ outcome, code, isError: result.isError ?? false }).toEqual({
        outcome: name,
        code: codeOf(name),
        isError: !noErrors.includes(name),
      });
    }
    const { request, server } = waiting;
    const receipt = request === null ? null : server.face.receiptOf(request.id);
    if (name !== "refused") expect(receipt?.outcome ?? null).toBe(row.receipt);
    expect(JSON.stringify(server.face.audit())).not.toMatch(/"pg"|Which database/);
  });
});

function codeOf(name: string): string | null {
  if (name === "refused") return "invalid_input";
  return name === "answered" || name === "declined" ? null : outcomes[name as "pending"].code;
}

test("without a dialog nobody sees what only a dialog brings about, and everything else", () => {
  const withDialogOnly = Object.entries(rows).flatMap(([name, { notWithout }]) =>
    notWithout === undefined ? [] : [name],
  );
  expect(withDialogOnly).toEqual(["not_obtained"]);
});
