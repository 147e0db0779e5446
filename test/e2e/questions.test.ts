/** A question with the built programs: an agent asks over stdio, and a person answers in a terminal of their own. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { eras } from "../support/fact-server.js";
import { test } from "../support/person.js";
import { asksPerson, ownPlaces, serve, startServed } from "../support/served.js";

const options = [
  { value: "pg-secret", label: "PostgreSQL" },
  { value: "lite-secret", label: "SQLite" },
];
const choice = { question: "Which database?", options };
const text = { question: "Which region?" };

describe.each(eras)("in the %s era", (era) => {
  test("what a person answers in a terminal is told, at the level of a terminal, and is in no log", async ({
    person,
  }) => {
    const served = await (era === "2025" ? serve(ownPlaces()) : startServed(ownPlaces()));
    const { client } = served.server;
    for (const [asked, line, answer] of [
      [choice, "2", { values: ["lite-secret"] }],
      [text, "my-secret", { text: "my-secret" }],
    ] as const) {
      const call = await asksPerson(served, asked, era);
      const request = served.face.question();
      await person.replies(served.home, request, line);
      const { structuredContent, isError } = await client.resultOf(call);
      expect(isError ?? false).toBe(false);
      expect(structuredContent).toMatchObject({ outcome: "answered", request: request.id, answer });
      expect(served.face.receiptOf(request.id)).toMatchObject({
        ...{ outcome: "answered", decision: "answer", via: "cli" },
        verified: { terminal: true, ancestry: true },
      });
    }
    const last = await asksPerson(served, { question: "Whose fault?" }, era);
    await person.types(
      served.home,
      "questions",
      "decline",
      served.face.question().id,
      "--note",
      "not-a-secret",
    );
    const { structuredContent, isError } = await client.resultOf(last);
    expect([structuredContent?.outcome, isError ?? false]).toEqual(["declined", false]);
    const answered = served.face.audit().filter(({ kind }) => kind === "question.answered");
    expect(answered.map(({ details }) => [details.decision, details.assurance])).toEqual([
      ["answer", "terminal"],
      ["answer", "terminal"],
      ["decline", "terminal"],
    ]);
    expect(readFileSync(join(served.home, "audit", "log.jsonl"), "utf8")).not.toMatch(/secret/);
  });
});
