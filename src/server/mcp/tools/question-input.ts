/** What `ask_person` and `read_answer` take. Text limits are in characters. */
import * as z from "zod";
import { folded, type QuestionRequest, shownText } from "../../../broker/index.js";
import { filledInput, textInput } from "../input.js";

const fewestOptions = 2;
const mostOptions = 9;

const option = z.strictObject({
  value: textInput(200).min(1).describe("What the answer says where this is chosen."),
  label: filledInput(120).describe("What the person reads."),
  description: textInput(300).optional().describe("What choosing it means, in one sentence."),
});

/** A field that is not listed refuses the call. */
export const questionInput = z
  .strictObject({
    question: filledInput(1_000).describe(
      "What you need to know, with what the person needs to answer it. One question.",
    ),
    options: z
      .array(option)
      .min(fewestOptions)
      .max(mostOptions)
      .optional()
      .describe("What can be chosen, where you know it. No two values and no two labels may be alike."),
    multiple: z.boolean().default(false).describe("May several options be chosen?"),
    allowText: z
      .boolean()
      .optional()
      .describe("May the person write an answer of their own? Default: only where there are no options."),
    thread: textInput(64).optional().describe("A short label for the task this belongs to."),
  })
  .superRefine(({ options, multiple, allowText }, check) => {
    if (options === undefined && allowText === false) {
      check.addIssue({
        code: "custom",
        path: ["allowText"],
        message: "must be true where there are no options",
      });
    }
    if (options === undefined && multiple) {
      check.addIssue({ code: "custom", path: ["multiple"], message: "needs options" });
    }
    for (const [index, { value, label }] of (options ?? []).entries()) {
      const before = (options ?? []).slice(0, index);
      if (before.some((other) => other.value === value)) {
        check.addIssue({ code: "custom", path: ["options", index, "value"], message: "stands there before" });
      }
      if (before.some((other) => likeness(other.label) === likeness(label))) {
        const message = "looks like a label before it";
        check.addIssue({ code: "custom", path: ["options", index, "label"], message });
      }
    }
  });

/** Arguments that were checked. */
export type QuestionInput = z.infer<typeof questionInput>;

/** The question that they ask, from a server that was started in `directory`. */
export function questionOf(
  { question, options, multiple, allowText }: QuestionInput,
  directory: string,
): QuestionRequest["question"] {
  return {
    text: question,
    options: options?.map(({ value, label, description = null }) => ({ value, label, description })) ?? null,
    multiple,
    allowText: allowText ?? options === undefined,
    directory,
  };
}

/** A person tells labels apart by what they see of them. */
function likeness(label: string): string {
  return folded(shownText(label.normalize("NFKC")));
}

/** Whatever stands there that is not the id of a question of this client is answered in one way. */
export const readAnswerInput = z.strictObject({
  request: textInput(64).describe("The id that ask_person gave with `pending`."),
});
