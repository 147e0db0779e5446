import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { objectionTo } from "../../src/broker/request/answer.js";
import { composeRequest } from "../../src/broker/request/binding.js";
import type { QuestionRequest } from "../../src/broker/request/request.js";
import { answerOf } from "../../src/face/answer.js";
import { askedFor, numberedOptions, promptFor, replyFrom, takenText, written } from "../../src/face/reply.js";
import { filingFacts } from "../support/builders.js";
import { fakeTerminal } from "../support/fake-terminal.js";
import { questionDraft } from "../support/request-kinds.js";

type Question = QuestionRequest["question"];

const questionOf = (overrides: Partial<Question> = {}): Question => questionDraft({}, overrides).question;
const values = (...chosen: readonly string[]) => ({
  kind: "content",
  content: { values: chosen, text: null },
});
const text = (typed: string) => ({ kind: "content", content: { values: null, text: typed } });
const several = { multiple: true };
const words = { allowText: true };
const open = { options: null, allowText: true };

describe("what is typed to answer a question", () => {
  it.each<[string, Partial<Question>, unknown]>([
    ["1", {}, values("pg")],
    ["  2 ", {}, values("lite")],
    ["02", {}, values("lite")],
    ["2,1", several, values("lite", "pg")],
    ["2, 1 ,", several, values("lite", "pg")],
    ["2 1", several, values("lite", "pg")],
    ["2", words, values("lite")],
    ["2 of them", words, text("2 of them")],
    ["2024, or later", words, text("2024, or later")],
    ["1, and 2 later", open, text("1, and 2 later")],
    ["  MySQL 8 ", words, text("MySQL 8")],
    ["42", open, text("42")],
    ["1,2", open, text("1,2")],
    ['"2"', words, text("2")],
    ['" 2 "', words, text("2")],
    ['"2024"', words, text("2024")],
    ['"2 and safari"', { multiple: true, allowText: true }, text("2 and safari")],
    ['""2""', words, text('"2"')],
    ['"SQLite"', words, text('"SQLite"')],
    ['"2" or "3"', words, text('"2" or "3"')],
    ['"2"', open, text('"2"')],
  ])("%j is an answer", (typed, overrides, reply) => {
    expect(replyFrom(typed, questionOf(overrides))).toEqual(reply);
  });

  it.each<[string, Partial<Question>, RegExp]>([
    ["", {}, /^nothing was typed$/],
    [" \t", open, /^nothing was typed$/],
    ["0", {}, /^there is no option 0; they are 1 to 2$/],
    ["3", words, /^there is no option 3; they are 1 to 2$/],
    ["99999999999999999999", {}, /^there is no option /],
    ["1,2", {}, /^it takes one number$/],
    ["1,1", several, /^1 stands there twice$/],
    ["1 01", several, /^1 stands there twice$/],
    ["PostgreSQL", {}, /^it takes a number$/],
    ["1,2 and safari", { multiple: true, allowText: true }, /^it begins with numbers of options: /],
    ["2 and safari", words, /^it begins with numbers of options: type numbers alone, or the text in quotes$/],
    ["1, no", several, /^it begins with numbers of options: type numbers alone$/],
    ['"2"', {}, /^it takes a number$/],
    ["pg", several, /^it takes one or several numbers, with commas between them$/],
    ["-1", {}, /^it takes a number$/],
    ["1.5", {}, /^it takes a number$/],
    [`${"é".repeat(2_048)}x`, open, /^an answer has at most 4096 bytes, and this one has 4097$/],
  ])("%j is none: %s", (typed, overrides, why) => {
    expect(replyFrom(typed, questionOf(overrides))).toEqual({
      kind: "wrong",
      why: expect.stringMatching(why),
    });
    expect(replyFrom("1", questionOf()).kind).toBe("content");
  });

  it("takes a text of 4,096 bytes, whatever it holds", () => {
    const long = "é".repeat(2_048);
    expect(written(long, questionOf(open))).toEqual(text(long));
  });

  it("whatever is typed, what comes of it is an answer that the question takes", () => {
    const seat = fakeTerminal();
    const shape = fc.record({ multiple: fc.boolean(), allowText: fc.boolean(), isOpen: fc.boolean() });
    const typing = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[0-9, "]{0,6}$/));
    fc.assert(
      fc.property(shape, typing, ({ multiple, allowText, isOpen }, typed) => {
        const overrides = isOpen ? { ...open, multiple: false } : { multiple, allowText };
        const request = composeRequest(questionDraft({}, overrides), filingFacts()) as QuestionRequest;
        const reply = replyFrom(typed, request.question);
        if (reply.kind === "wrong") return;
        const given = { decision: "answer", scope: null, note: null, ...reply.content } as const;
        expect(objectionTo(answerOf(request, given, "cli", seat), request)).toBeNull();
      }),
    );
  });
});

describe("a question before it is answered", () => {
  it.each<[Partial<Question>, string, string, string]>([
    [{}, "one of these", "a number", "Number"],
    [several, "one or several of these", "one or several numbers, with commas between them", "Numbers (1,2)"],
    [
      words,
      "one of these, or a text",
      'a number, or a text, where "2" in quotes is a text',
      'Number or text ("2" is a text)',
    ],
    [open, "a text", "a text", "Text"],
  ])("says what it takes, and how that is typed on a line: %j", (overrides, taken, asked, prompt) => {
    const question = questionOf(overrides);
    expect(takenText(question)).toBe(taken);
    expect(askedFor(question)).toBe(asked);
    expect(promptFor(question)).toBe(`${prompt}, Enter (empty: nothing): `);
  });

  it("has its options numbered, and shown", () => {
    const options = [
      { value: "a", label: "one\u202e", description: null },
      { value: "b", label: "one\u202e", description: "a\nb" },
    ];
    expect(numberedOptions({ options })).toEqual([
      { number: 1, label: "one\\u{202e}", description: null },
      { number: 2, label: "one\\u{202e}", description: "a\\u{a}b" },
    ]);
    expect(numberedOptions({ options: null })).toEqual([]);
  });
});
