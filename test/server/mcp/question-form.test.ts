import { describe, expect, test } from "vitest";
import type { QuestionRequest } from "../../../src/broker/request/request.js";
import type { Form, FormFacts } from "../../../src/server/mcp/elicitation.js";
import { questionDialogs } from "../../../src/server/mcp/question-form.js";
import { questionRequest } from "../../support/request-kinds.js";

const answering = "WISP_HOME=/srv/h wisp questions answer k7q2mx9d";
const facts: FormFacts = { home: null, elsewhere: { answering, why: null }, titles: "oneOf" };
const alone = { answering: null, why: "No terminal can answer this: so it is." };

type Question = Partial<QuestionRequest["question"]>;

function raised(question: Question = {}, over: Partial<FormFacts> = {}) {
  const request = questionRequest({}, question);
  const form = questionDialogs.form(request, { ...facts, ...over });
  if (typeof form === "string") throw new Error(form);
  return { request, form };
}

type Field = Readonly<Record<string, unknown>>;

function fieldsOf(form: Form): Readonly<Record<string, Field>> {
  return form.requestedSchema.properties as unknown as Readonly<Record<string, Field>>;
}

const freeText = { options: null, allowText: true };
const pg = { const: "1", title: "1. PostgreSQL" };
const lite = { const: "2", title: "2. SQLite" };
const none = { const: "decline", title: "I do not answer" };

describe("the form", () => {
  test("says whose words it shows, what the answer does, and where else one can be given", () => {
    const { request, form } = raised();
    expect(form.message).toBe(
      [
        "An agent asks you, in its own words:",
        "│ Which database?",
        "It offers, in its own words:",
        "│ 1. PostgreSQL",
        "│    — as in production",
        "│ 2. SQLite",
        "",
        "Choose one. Your answer goes to the agent; it allows nothing to run.",
        "An answer in this dialog counts as: dialog; one in a terminal counts as: terminal.",
        `Question ${request.id}. In a terminal: ${answering}`,
      ].join("\n"),
    );
  });

  test("of a single choice lists our own no first, and our numbers for what the agent offers", () => {
    const { form } = raised();
    expect(fieldsOf(form).choice).toMatchObject({ type: "string", oneOf: [none, pg, lite] });
    expect(form.requestedSchema.required).toEqual(["choice"]);
  });

  test("of several choices is a list of titled numbers, of which one at least is needed", () => {
    const { form } = raised({ multiple: true });
    expect(fieldsOf(form).choices).toMatchObject({
      type: "array",
      items: { anyOf: [pg, lite] },
      minItems: 1,
      maxItems: 2,
    });
    expect(form.requestedSchema.required).toEqual(["choices"]);
  });

  test("of a text is one required field, which holds no more than an answer may", () => {
    const { form } = raised(freeText);
    expect(fieldsOf(form)).toEqual({
      text: expect.objectContaining({ type: "string", minLength: 1, maxLength: 4_096 }),
    });
    expect(form.requestedSchema.required).toEqual(["text"]);
  });

  test.each([
    [false, ["choice", "text"]],
    [true, ["choices", "text"]],
  ])("of options with a text (several: %j) has both fields and requires neither", (multiple, fields) => {
    const { form } = raised({ multiple, allowText: true });
    expect(Object.keys(fieldsOf(form))).toEqual(fields);
    expect(form.requestedSchema.required).toEqual([]);
    expect(form.message).toContain("one of the two, not both");
  });

  test.each([
    ["a single choice", {}, false],
    ["a single choice with a text", { allowText: true }, false],
    ["several choices", { multiple: true }, true],
    ["several choices with a text", { multiple: true, allowText: true }, true],
    ["a text", freeText, true],
  ])("says how to give no answer unless an option does: %s", (_what, question, isSaid) => {
    const { form } = raised(question);
    expect(form.message.includes("If you do not want to answer, decline: the agent is told so.")).toBe(
      isSaid,
    );
    expect(JSON.stringify(form.requestedSchema).includes(none.title)).toBe(!isSaid);
  });

  test.each([{}, { multiple: true }, { allowText: true }, freeText])("has no default in %j", (question) => {
    expect(JSON.stringify(raised(question).form.requestedSchema)).not.toContain('"default"');
  });

  test("speaks to clients of 2025-06-18 in the titled options that they know", () => {
    const { choice } = fieldsOf(raised({}, { titles: "enumNames" }).form);
    expect(choice).toMatchObject({
      enum: ["decline", "1", "2"],
      enumNames: [none.title, pg.title, lite.title],
    });
    expect(choice).not.toHaveProperty("oneOf");
  });

  test("never goes to a client of 2025-06-18 for several choices, which it cannot show", () => {
    const request = questionRequest({}, { multiple: true });
    expect(questionDialogs.form(request, { ...facts, titles: "enumNames" })).toBe(
      "the client's dialog knows no choice of several",
    );
  });

  test("holds no value of the agent", () => {
    const options = [
      { value: "zebra-1", label: "A", description: null },
      { value: "zebra-2", label: "B", description: null },
    ];
    expect(JSON.stringify(raised({ options }).form)).not.toContain("zebra");
  });

  test("names the home that is not the default, and why no terminal can answer", () => {
    const { form } = raised({}, { home: "/srv/h", elsewhere: alone });
    expect(form.message).toContain("wisp home: /srv/h");
    expect(form.message).toContain(alone.why);
    expect(form.message).not.toContain("In a terminal");
    expect(form.message).toContain("An answer in this dialog counts as: dialog.");
  });

  test("keeps a question from writing what looks like our lines or like its options", () => {
    const text = "Which?\n\nIt offers, in its own words:\n1. MySQL\nQuestion zzzz9999.";
    const { form } = raised({ text });
    const forged = form.message.split("\n").filter((line) => /MySQL|zzzz9999/.test(line));
    expect(forged).toEqual(["│ 1. MySQL", "│ Question zzzz9999."]);
  });
});

const option = (label: string, description: string | null = null) => ({ value: label, label, description });
const unshown: readonly (readonly [string, Question])[] = [
  ["longer than 1,500 characters", { ...freeText, text: "x".repeat(1_501) }],
  ["of more than 25 lines", { ...freeText, text: "x\n".repeat(25) }],
  ["with an escape", { ...freeText, text: "Delete \u202egpj.exe?" }],
  ["with an escape in a label", { options: [option("a\u001b[2J"), option("b")] }],
  ["with an escape in a description", { options: [option("a", "\u0007"), option("b")] }],
  ["with a label of two lines", { options: [option("a\n2. c"), option("b")] }],
];

describe("a question that the dialog cannot show in full", () => {
  test.each(unshown)("%s offers only to decline or to answer in wisp", (_what, question) => {
    const { request, form } = raised(question);
    expect(fieldsOf(form)).toEqual({
      decision: {
        type: "string",
        title: `Answer to question ${request.id}`,
        oneOf: [none, { const: "answer_in_wisp", title: `Answer in wisp: ${answering}` }],
      },
    });
    expect(form.message).toContain(
      `This dialog cannot show all of it, so it cannot answer it. Answer in wisp: ${answering}\n`,
    );
    expect(form.message.split(answering)).toHaveLength(2);
    expect(form.message.split("\n").at(-1)).toBe(`Question ${request.id}.`);
    expect([...form.message].filter((one) => one !== "\n" && /\p{Cc}|\u202e/u.test(one))).toEqual([]);
  });

  test.each(unshown)("%s is not shown where no terminal can answer it", (_what, question) => {
    const request = questionRequest({}, question);
    expect(questionDialogs.form(request, { ...facts, elsewhere: alone })).toBe(
      "the client's dialog cannot show all of the question",
    );
  });

  test.each(unshown)("%s takes no answer to a form that it did not show", (_what, question) => {
    const request = questionRequest({}, question);
    const read = (content: object) => questionDialogs.read(request, { action: "accept", content }).kind;
    expect([{ choice: "1" }, { text: "a" }, { choices: ["1"] }].map(read)).toEqual([
      "invalid",
      "invalid",
      "invalid",
    ]);
    expect(read({ decision: "answer_in_wisp" })).toBe("dismissed");
    expect(read({ decision: "decline" })).toBe("deny");
  });
});
