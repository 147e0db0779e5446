import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { objectionTo } from "../../../src/broker/request/answer.js";
import { questionDialogs } from "../../../src/server/mcp/question-form.js";
import { answerTo } from "../../support/builders.js";
import { questionRequest } from "../../support/request-kinds.js";

const single = questionRequest();
const several = questionRequest({}, { multiple: true });
const either = questionRequest({}, { allowText: true });
const severalOrText = questionRequest({}, { multiple: true, allowText: true });
const free = questionRequest({}, { options: null, allowText: true });
const requests = { single, several, either, severalOrText, free };

type Name = keyof typeof requests;

const accept = (content: unknown) => ({ action: "accept", content });
const values = (...of: readonly string[]) => ({ kind: "answer", values: of, text: null });
const text = (words: string) => ({ kind: "answer", values: null, text: words });

describe("what was filled in answers", () => {
  test.each<readonly [Name, object, object]>([
    ["single", { choice: "1" }, values("pg")],
    ["single", { choice: "2" }, values("lite")],
    ["several", { choices: ["2"] }, values("lite")],
    ["several", { choices: ["2", "1"] }, values("lite", "pg")],
    ["either", { choice: "1" }, values("pg")],
    ["either", { choice: "1", text: "" }, values("pg")],
    ["either", { text: "MySQL" }, text("MySQL")],
    ["severalOrText", { choices: ["1"], text: "  " }, values("pg")],
    ["severalOrText", { choices: [], text: "MySQL" }, text("MySQL")],
    ["free", { text: " as it is\n" }, text(" as it is\n")],
    ["free", { text: "1" }, text("1")],
    ["free", { text: "€".repeat(1_365) }, text("€".repeat(1_365))],
  ])("%s: %j", (name, content, meaning) => {
    const said = questionDialogs.read(requests[name], accept(content));
    expect(said).toEqual(meaning);
    const given = answerTo(requests[name], {
      decision: "answer",
      scope: null,
      via: "elicitation",
      ...meaning,
    });
    const { kind: _kind, ...answer } = given as typeof given & { kind: string };
    expect(objectionTo(answer, requests[name])).toBeNull();
  });
});

describe("a no", () => {
  test.each<readonly [Name, unknown, object]>([
    ["single", { action: "decline" }, { kind: "decline" }],
    ["free", { action: "decline", content: { text: "a" } }, { kind: "decline" }],
    ["single", { action: "cancel" }, { kind: "dismissed" }],
    ["free", { action: "cancel", content: { text: "a" } }, { kind: "dismissed" }],
    ["single", accept({ choice: "decline" }), { kind: "deny" }],
    ["either", accept({ choice: "decline" }), { kind: "deny" }],
    ["either", accept({ choice: "decline", text: " " }), { kind: "deny" }],
  ])("to %s is %j", (name, reply, meaning) => {
    expect(questionDialogs.read(requests[name], reply)).toEqual(meaning);
  });

  test("is found without its request, and is none where an answer stands beside it", () => {
    expect(questionDialogs.noIn({ action: "decline" })).toBe("decline");
    expect(questionDialogs.noIn(accept({ choice: "decline" }))).toBe("deny");
    expect(questionDialogs.noIn(accept({ choice: "decline", text: "MySQL" }))).toBeNull();
    expect(questionDialogs.noIn({ action: "cancel" })).toBeNull();
    expect(questionDialogs.noIn("decline")).toBeNull();
  });
});

describe("nothing else answers", () => {
  test.each<readonly [Name, unknown]>([
    ["single", { choice: "0" }],
    ["single", { choice: "3" }],
    ["single", { choice: "01" }],
    ["single", { choice: "pg" }],
    ["single", { choice: "PostgreSQL" }],
    ["single", { choice: "" }],
    ["single", { choice: 1 }],
    ["single", { choice: ["1"] }],
    ["single", { choices: ["1"] }],
    ["single", { choice: "1", text: "" }],
    ["single", { choice: "1", more: true }],
    ["single", { text: "PostgreSQL" }],
    ["single", {}],
    ["single", null],
    ["single", "1"],
    ["several", { choices: [] }],
    ["several", { choices: ["1", "1"] }],
    ["several", { choices: ["1", "3"] }],
    ["several", { choices: ["decline"] }],
    ["several", { choices: ["1", "decline"] }],
    ["several", { choice: "1" }],
    ["several", { choices: "1" }],
    ["either", {}],
    ["either", { text: " \n" }],
    ["either", { choice: "1", text: "MySQL" }],
    ["either", { choice: "decline", text: "MySQL" }],
    ["severalOrText", { choices: ["1"], text: "MySQL" }],
    ["severalOrText", { choices: [] }],
    ["free", { text: "" }],
    ["free", { text: "\t" }],
    ["free", { text: 5 }],
    ["free", { text: "€".repeat(1_366) }],
    ["free", { text: "x".repeat(1_000_000) }],
    ["free", { text: "\ud800" }],
    ["free", { text: "a\0b" }],
    ["free", { choice: "1" }],
  ])("%s: %j", (name, content) => {
    expect(questionDialogs.read(requests[name], accept(content)).kind).toBe("invalid");
    expect(questionDialogs.read(single, accept({ choice: "1" })).kind).toBe("answer");
  });

  test("whatever comes, in any shape, is an answer that the request takes, or none", () => {
    const field = fc.oneof(
      fc.constantFrom("1", "2", "3", "decline", "", " ", "pg"),
      fc.array(fc.constantFrom("1", "2", "3", "decline")),
      fc.string(),
      fc.jsonValue(),
    );
    const content = fc.oneof(
      fc.record({ choice: field, choices: field, text: field, decision: field }, { requiredKeys: [] }),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(
        content,
        fc.constantFrom<Name>("single", "several", "either", "severalOrText", "free"),
        (given, name) => {
          const said = questionDialogs.read(requests[name], accept(given));
          if (said.kind !== "answer") return;
          const words = { values: said.values && [...said.values], text: said.text };
          const answer = answerTo(requests[name], {
            decision: "answer",
            scope: null,
            via: "elicitation",
            ...words,
          });
          expect(objectionTo(answer, requests[name])).toBeNull();
        },
      ),
    );
  });
});
