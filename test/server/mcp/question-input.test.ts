import { describe, expect, test } from "vitest";
import { WispError } from "../../../src/broker/request/errors.js";
import { parseInput } from "../../../src/server/mcp/input.js";
import { questionInput, questionOf } from "../../../src/server/mcp/tools/question-input.js";

const two = [
  { value: "pg", label: "PostgreSQL" },
  { value: "lite", label: "SQLite" },
];
const labelled = (...labels: readonly string[]) =>
  labels.map((label, index) => ({ value: String(index), label }));

function refusal(given: unknown): string {
  try {
    parseInput(questionInput, given);
  } catch (error) {
    if (error instanceof WispError) return `${error.code} ${error.message}`;
    throw error;
  }
  return "taken";
}

const question = "Which database?";

describe("a question is taken", () => {
  test.each([
    [{ question }, { text: question, options: null, multiple: false, allowText: true }],
    [
      { question, allowText: true },
      { text: question, options: null, multiple: false, allowText: true },
    ],
    [
      { question, options: two },
      { multiple: false, allowText: false },
    ],
    [
      { question, options: two, allowText: true, multiple: true },
      { multiple: true, allowText: true },
    ],
  ])("%j", (given, asked) => {
    expect(questionOf(parseInput(questionInput, given), "/p")).toMatchObject({ ...asked, directory: "/p" });
  });

  test("with its options as they came, each with a description or none", () => {
    const options = [
      { value: "a", label: "A", description: "the first" },
      { value: "b", label: "B" },
    ];
    expect(questionOf(parseInput(questionInput, { question, options }), "/p").options).toEqual([
      { value: "a", label: "A", description: "the first" },
      { value: "b", label: "B", description: null },
    ]);
  });

  test("at each limit", () => {
    const options = [...Array(9).keys()].map((index) => ({
      value: `${index}${"v".repeat(199)}`,
      label: `${index}${"l".repeat(119)}`,
      description: "d".repeat(300),
    }));
    const given = { question: "\u{1f600}".repeat(1_000), options, thread: "t".repeat(64) };
    expect(refusal(given)).toBe("taken");
  });
});

describe("a question is refused with what is wrong and where", () => {
  test.each<readonly [string, unknown, string]>([
    ["none", {}, "question: "],
    ["a blank one", { question: " \n" }, "question: must not be blank"],
    ["one of 1,001 characters", { question: "x".repeat(1_001) }, "question: at most 1000 characters"],
    ["one of 1 MB", { question: "x".repeat(1_000_000) }, "question: at most 1000 characters"],
    ["one with NUL", { question: "a\0b" }, "question: holds a "],
    ["one option", { question, options: two.slice(1) }, "options: "],
    ["no option", { question, options: [] }, "options: "],
    ["ten options", { question, options: labelled(..."abcdefghij") }, "options: "],
    [
      "a long value",
      { question, options: [{ value: "v".repeat(201), label: "A" }, two[0]] },
      "options[0].value: at most 200",
    ],
    ["an empty value", { question, options: [{ value: "", label: "A" }, two[0]] }, "options[0].value: "],
    [
      "a long label",
      { question, options: [two[0], { value: "b", label: "l".repeat(121) }] },
      "options[1].label: at most 120",
    ],
    [
      "a blank label",
      { question, options: [two[0], { value: "b", label: " " }] },
      "options[1].label: must not be blank",
    ],
    [
      "a long description",
      { question, options: [{ ...two[0], description: "d".repeat(301) }, two[1]] },
      "options[0].description: at most 300",
    ],
    [
      "the same value twice",
      { question, options: [...two, { value: "pg", label: "Postgres" }] },
      "options[2].value: stands there before",
    ],
    [
      "the same label twice",
      { question, options: labelled("Yes", "No", "Yes") },
      "options[2].label: looks like a label before it",
    ],
    [
      "labels that differ in case",
      { question, options: labelled("Yes", "YES") },
      "options[1].label: looks like",
    ],
    [
      "labels that differ in blanks",
      { question, options: labelled("Yes", " Yes ") },
      "options[1].label: looks like",
    ],
    [
      "labels that differ in width",
      { question, options: labelled("Yes", "Ｙｅｓ") },
      "options[1].label: looks like",
    ],
    [
      "labels that differ in composition",
      { question, options: labelled("é", "e\u0301") },
      "options[1].label: looks like",
    ],
    [
      "neither options nor text",
      { question, allowText: false },
      "allowText: must be true where there are no options",
    ],
    ["several of nothing", { question, multiple: true }, "multiple: needs options"],
    ["a long thread", { question, thread: "t".repeat(65) }, "thread: at most 64"],
    ["an unknown argument", { question, timeoutSeconds: 1 }, 'unknown argument "timeoutSeconds"'],
    ["an answer of its own", { question, answer: "pg" }, 'unknown argument "answer"'],
    [
      "an unknown key of an option",
      { question, options: [{ ...two[0], default: true }, two[1]] },
      'unknown argument "default"',
    ],
  ])("%s", (_what, given, says) => {
    expect(refusal(given)).toContain("invalid_input");
    expect(refusal(given)).toContain(says);
    expect(refusal({ question })).toBe("taken");
  });
});
