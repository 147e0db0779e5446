/** What docs/chat.md says is what the program does. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { longestNote } from "../../../src/broker/request/answer.js";
import { longestLine } from "../../../src/cli/chat/incoming.js";
import { aliveLine } from "../../../src/cli/chat/outgoing.js";
import { slashHelp } from "../../../src/face/slash.js";
import { approvalRequest } from "../../support/builders.js";
import { fakeInbox, receiptOf } from "../../support/fake-inbox.js";
import { fact, frontEndOf, type Message, question, won } from "../../support/front-end.js";

const page = readFileSync(new URL("../../../docs/chat.md", import.meta.url), "utf8");

/** The lines of the example, each with whether the front end writes it. */
const example = (/```text\n([\s\S]*?)```/.exec(page)?.[1] ?? "")
  .trim()
  .split("\n")
  .map((line) => ({ isWritten: line.startsWith("> "), message: JSON.parse(line.slice(2)) as Message }));

/** The fields of each type in the table below `heading`. */
function tableOf(heading: string): ReadonlyMap<string, readonly string[]> {
  const [, section = ""] = page.split(`### ${heading}\n`);
  const [table = ""] = section.split("\n### ");
  const fields = new Map<string, string[]>();
  let types: readonly string[] = [];
  for (const [, type = "", names = ""] of table.matchAll(/^\| (`[^|]*`|) ?\| ([^|]*)\|/gm)) {
    if (type !== "") types = [...type.matchAll(/`(\w+)`/g)].map((match) => match[1] ?? "");
    const named = [...names.matchAll(/`(\w+)`/g)].map((match) => match[1] ?? "");
    for (const one of types) fields.set(one, [...(fields.get(one) ?? []), ...named]);
  }
  fields.delete("type");
  return fields;
}

describe("the example of docs/chat.md", () => {
  it("is what is said and answered", async () => {
    const request = approvalRequest({}, { id: "k7q2mx9d" });
    const dangerous = approvalRequest(
      { level: "dangerous" },
      { id: "d4nger2x", createdAt: request.createdAt + 1 },
    );
    const inbox = fakeInbox([request, dangerous]);
    const { news, says, turn } = frontEndOf(inbox);
    const read: Message[] = [];
    const hear = (): void => void read.push(...news());
    for (const { isWritten, message } of example) {
      if (isWritten) says(message);
      if (message.type === "answer" && message.id === request.id) inbox.ends(won(request));
      if (message.type === "withdrawn")
        inbox.leaves(dangerous, { receipt: receiptOf(dangerous), proof: "proved" });
      await turn();
      hear();
    }
    const expected = example.filter(({ isWritten }) => !isWritten).map(({ message }) => message);
    expect(expected.length).toBeGreaterThan(5);
    expect(read).toEqual(expected.map((message) => expectation(message)));
  });
});

/** The message itself, but of its request only what is shown. */
function expectation(message: Message): unknown {
  const { request, ...rest } = message;
  return request === undefined ? rest : { ...rest, request: expect.objectContaining(request) };
}

describe("the tables of docs/chat.md", () => {
  it("name every field of every message, and no other", async () => {
    const grave = { level: "dangerous", scopes: ["once", "session"] } as const;
    const accepted = approvalRequest({ ...grave, scopes: [...grave.scopes] });
    const [refused, ended] = [approvalRequest(), approvalRequest()];
    const inbox = fakeInbox([accepted, refused, ended, fact(), question()]);
    const { news, says, turn } = frontEndOf(inbox);
    says({ type: "hello", effects: ["approve", "keep-facts", "answer-questions"] });
    const yes = { decision: "approve", scope: "always", word: "main" };
    says({ type: "answer", id: accepted.id, ...yes }, { type: "answer", id: refused.id });
    inbox.ends(won(accepted));
    inbox.says(["policy.json: one"]);
    inbox.leaves(ended, null);
    await turn();
    const sent = new Map([...news(), aliveLine as Message].map((message) => [message.type, message]));
    const fields = [...sent].map(([type, message]) => [
      type,
      Object.keys(message)
        .filter((key) => key !== "type")
        .sort(),
    ]);
    const table = [...tableOf("What you read")].map(([type, names]) => [type, [...names].sort()]);
    expect(Object.fromEntries(fields)).toEqual(Object.fromEntries(table));
  });

  it("name every field that is read", () => {
    expect(Object.fromEntries(tableOf("What you write"))).toEqual({
      hello: ["effects"],
      answer: ["id", "decision", "scope", "rule", "word", "note", "values", "text"],
    });
  });

  it("name every slash command", () => {
    const [, plain = ""] = page.split("## For a person");
    const heads = slashHelp.map((line) => line.split(/\s/)[0] ?? "");
    for (const head of heads) expect(plain).toContain(`\`${head}`);
  });

  it("give the limits that hold", () => {
    expect(page).toContain(`at most ${longestLine.toLocaleString("en")} bytes`);
    expect(page).toContain(`at most ${longestNote.toLocaleString("en")} UTF-16 units`);
  });
});
