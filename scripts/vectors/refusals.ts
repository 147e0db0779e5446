/** Refusals of the vectors: what a server says to the face whose yes it did not take, and what says nothing. */
import { type Refusal, refusalFileName, shortfalls } from "../../src/broker/request/assurance.js";
import { answerHash } from "../../src/broker/request/binding.js";
import { requestFile, yes } from "./answers.js";
import { fixedBytes } from "./good-requests.js";
import { bytesOf, type VectorFile } from "./vector.js";

const hash = answerHash(yes);
const refusal: Refusal = { v: 1, id: yes.id, answer: hash, shortfall: "no_terminal" };
const text = JSON.stringify(refusal);

/** [name, text]; each lies where the refusal of the answer would. */
const bad: readonly (readonly [string, string | Uint8Array])[] = [
  [
    "other-answer",
    JSON.stringify({ ...refusal, answer: Buffer.from(fixedBytes("another answer")).toString("hex") }),
  ],
  ["other-request", JSON.stringify({ ...refusal, id: "zzzzzzzz" })],
  ["unknown-shortfall", JSON.stringify({ ...refusal, shortfall: "because" })],
  ["unknown-key", JSON.stringify({ ...refusal, why: "no_terminal" })],
  ["key-missing", JSON.stringify({ ...refusal, id: undefined })],
  ["newer", JSON.stringify({ ...refusal, v: 2 })],
  ["duplicate-key", text.replace('"shortfall":', '"shortfall":"within_client","shortfall":')],
  ["half", text.slice(0, 60)],
  ["bad-utf-8", Uint8Array.from([...bytesOf(text.slice(0, -1)), 0xff, 0x7d])],
];

export function refusalVectors(): readonly VectorFile[] {
  const shared = {
    as: "refusal",
    name: refusalFileName(hash),
    request: requestFile("approval-words"),
    answer: "valid/answer-approve.json",
  } as const;
  const good = shortfalls.map((shortfall): VectorFile => {
    const file = `valid/refusal-${shortfall.replace("_", "-")}.json`;
    return {
      vector: { file, ...shared, expect: "ok", code: "assurance_insufficient", shortfall },
      bytes: bytesOf(JSON.stringify({ ...refusal, shortfall })),
    };
  });
  const refused = bad.map(
    ([name, content]): VectorFile => ({
      vector: {
        file: `refused/refusal-${name}.json`,
        ...shared,
        expect: "it is not the refusal of this answer",
        code: "answer_refused",
      },
      bytes: typeof content === "string" ? bytesOf(content) : content,
    }),
  );
  return [...good, ...refused];
}
