/** Facts and questions in the built `wisp chat` under a real terminal, plain and with a front end. */
import { readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Home } from "../../src/broker/channel/home.js";
import { type Draft, type Request, requestFileName } from "../../src/broker/request/request.js";
import { settleAnswers } from "../support/answering.js";
import { chatOn, leave, onTerminal, prompted } from "../support/chat-pty.js";
import { factState, leftFact } from "../support/fact-trip.js";
import { replyPrompt } from "../support/person.js";
import { type Pty, ptyMissing } from "../support/pty.js";
import { factDraft, questionDraft } from "../support/request-kinds.js";
import { openAsker, openFace, tempHome } from "../support/temp-home.js";
import { recordsOf } from "../support/trip.js";

const missing = ptyMissing === null ? "" : ` (skipped: ${ptyMissing})`;
const long = { timeout: 30_000 };
const evil = "x\u001b[2J\u001b]52;c;eA==\u0007\u009b1A\u202e\u200b\b z";
const hello = { type: "hello", effects: ["keep-facts", "answer-questions"] };
const open = questionDraft({}, { options: null, allowText: true });
const kept = { isWaiting: false, hasSlot: false, standing: "kept", told: "keep" };

const evilFact = factDraft({
  ...{ thread: evil, says: evil, client: { name: evil, version: evil } },
  fact: { ...factDraft().fact, name: evil, value: evil, source: evil, directory: `/${evil}` },
});
const evilQuestion = questionDraft(
  { thread: evil, client: { name: evil, version: evil } },
  { text: evil, options: ["a", "b"].map((value) => ({ value, label: evil, description: evil })) },
);

/** Requests of a server of this process, which takes answers. */
function serving(...drafts: readonly Draft[]) {
  const home = tempHome();
  const { channel } = openAsker(home);
  const requests = drafts.map((draft) => channel.file(draft, []));
  settleAnswers(channel);
  return { home, requests };
}

/** A fact whose server lives and looks at nothing. */
function silent() {
  const home = tempHome();
  return { home, request: openAsker(home).channel.file(factDraft(), []) };
}

/** Changes what the fact of `factDraft` says, behind its server's back. */
function alter(home: Home, request: Request): void {
  const file = join(home.pending, requestFileName(request));
  writeFileSync(file, readFileSync(file, "utf8").replaceAll("npm test", "npm publish"));
}

/** The prompt of a question stands there for the `count`th time. */
async function asked(pty: Pty, count: number): Promise<void> {
  await expect.poll(() => pty.output().split(replyPrompt).length - 1, long).toBe(count);
}

/** What readline draws its line with, and our colours. */
const own = new RegExp(`${String.fromCharCode(27)}\\[(\\d*[GJKC]|[\\d;]*m)`, "g");

function expectNoControls(pty: Pty): void {
  expect(pty.output().replace(own, "")).not.toMatch(/(?![\r\n])[\p{Cc}\p{Cf}]/u);
}

describe.skipIf(ptyMissing !== null)(`facts and questions in plain chat${missing}`, () => {
  it("are decided there, and no answer is sent cut, in part, or as several lines", async () => {
    const { home, requests } = serving(factDraft(), open);
    const [fact, question] = requests.map(({ id }) => id);
    const pty = await chatOn(home);
    pty.type(`/facts keep ${fact} global\r`);
    await pty.seen("Type y and Enter to keep it");
    pty.type("y\r");
    await pty.seen("kept (global, terminal");
    await prompted(pty);
    pty.type(`/questions answer ${question}\r`);
    await asked(pty, 1);
    pty.type(`${"x".repeat(1_048_576)}\n`);
    await pty.seen("may have cut this one");
    await asked(pty, 2);
    pty.type("one\ntwo\nthree\n");
    await pty.seen("several lines came at once");
    await asked(pty, 3);
    pty.type("MySQL\n");
    await pty.seen(': "MySQL"');
    await leave(pty);
    for (const id of [fact, question]) {
      expect(openFace(home).receipt(id ?? "")).toMatchObject({ outcome: "answered", via: "chat" });
    }
  });

  it("no byte of a hostile one is interpreted by the terminal", async () => {
    const { home, requests } = serving(evilFact, evilQuestion);
    const [fact, question] = requests.map(({ id }) => id);
    const pty = await chatOn(home);
    pty.type(`/facts keep ${fact}\r`);
    await pty.seen("Type y and Enter to keep it");
    pty.type("y\r");
    await pty.seen("kept (project, terminal");
    await prompted(pty);
    pty.type(`/questions answer ${question}\r`);
    await asked(pty, 1);
    pty.type("2\r");
    await pty.seen("answered (terminal");
    await leave(pty);
    expectNoControls(pty);
  });

  it("an altered fact, and one that vanished, is neither kept nor dropped", async () => {
    const { home, request } = silent();
    const pty = await chatOn(home);
    await pty.seen("Facts: ");
    alter(home, request);
    for (const verb of ["keep", "drop"]) {
      await prompted(pty);
      pty.type(`/facts ${verb} ${request.id}\r`);
      await expect
        .poll(() => pty.output().split("Not answered: ").length - 1, long)
        .toBe(verb === "keep" ? 1 : 2);
    }
    expect(openFace(home).slot(request.id).kind).toBe("free");
    await prompted(pty);
    unlinkSync(join(home.pending, requestFileName(request)));
    await pty.seen(`ended: ${request.id}`);
    await prompted(pty);
    pty.type(`/facts keep ${request.id}\r`);
    await pty.seen("No request");
    await leave(pty);
    expect(pty.output()).not.toMatch(/^(kept|dropped)/m);
  });

  it("a fact whose server is gone is carried out by the chat that answers", async () => {
    const { home, request } = await leftFact();
    const pty = await chatOn(home, { isApart: true });
    pty.type(`/facts keep ${request.id}\r`);
    await pty.seen("kept (project, its server is gone");
    await leave(pty);
    expect(factState(home, request)).toEqual(kept);
    expect(recordsOf(home, "fact.answered", request.id)).toMatchObject([{ session: "chat" }]);
  });
});

describe.skipIf(ptyMissing !== null)(`facts and questions of a front end on a terminal${missing}`, () => {
  it("are decided by lines that come together; what was not offered, or was cut, is refused", async () => {
    const { home, requests } = serving(evilFact, evilQuestion, open);
    const [fact, question, text] = requests.map(({ id }) => id);
    const { pty, messages, says } = await onTerminal(home);
    says(hello);
    await expect.poll(() => messages().length, long).toBe(4);
    says(
      { type: "answer", id: fact, decision: "keep", scope: "always" },
      { type: "answer", id: question, decision: "answer", values: [evil] },
      { type: "answer", id: question, decision: "answer", values: ["b"] },
    );
    await expect.poll(() => messages().length, long).toBe(7);
    expect(messages().slice(4)).toEqual(
      expect.arrayContaining([
        { type: "accepted", id: fact },
        expect.objectContaining({ type: "refused", id: question, code: "invalid_input" }),
        { type: "accepted", id: question },
      ]),
    );
    says({ type: "answer", id: text, decision: "answer", text: "x".repeat(1_048_576) });
    await expect
      .poll(() => messages().at(-1), long)
      .toMatchObject({ type: "refused", code: "invalid_input" });
    says({ type: "answer", id: text, decision: "answer", text: "MySQL" });
    await expect.poll(() => messages().at(-1), long).toEqual({ type: "accepted", id: text });
    expect(pty.output()).toMatch(/^[\x20-\x7e\n]*$/);
    expect(openFace(home).receipt(fact ?? "")).toMatchObject({ decision: "keep", via: "chat" });
    expect(openFace(home).receipt(question ?? "")).toMatchObject({ decision: "answer", via: "chat" });
  });

  it("an altered fact, and one that vanished, is neither kept nor dropped", async () => {
    const { home, request } = silent();
    alter(home, request);
    const { messages, says } = await onTerminal(home);
    says(hello);
    await expect.poll(() => messages().length, long).toBe(2);
    for (const decision of ["keep", "drop"]) says({ type: "answer", id: request.id, decision });
    await expect.poll(() => messages().length, long).toBe(4);
    expect(messages().slice(2)).toMatchObject([
      { type: "refused", code: "request_altered" },
      { type: "refused", code: "request_altered" },
    ]);
    expect(openFace(home).slot(request.id).kind).toBe("free");
    unlinkSync(join(home.pending, requestFileName(request)));
    await expect.poll(() => messages().at(-1), long).toMatchObject({ type: "withdrawn", id: request.id });
    says({ type: "answer", id: request.id, decision: "keep" });
    await expect.poll(() => messages().at(-1), long).toMatchObject({ type: "refused", id: request.id });
  });

  it("a fact whose server is gone is carried out by the chat that answers", async () => {
    const { home, request } = await leftFact();
    const { messages, says } = await onTerminal(home, { isApart: true });
    says(hello);
    await expect.poll(() => messages().length, long).toBe(2);
    says({ type: "answer", id: request.id, decision: "keep" });
    await expect.poll(() => messages().at(-1), long).toEqual({ type: "accepted", id: request.id });
    await expect.poll(() => factState(home, request), long).toEqual(kept);
    expect(recordsOf(home, "fact.answered", request.id)).toMatchObject([{ session: "chat" }]);
  });
});
