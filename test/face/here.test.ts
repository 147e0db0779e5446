import { expect, it } from "vitest";
import { assurances } from "../../src/broker/request/request.js";
import { hereText } from "../../src/face/here.js";

const atTerminal = "; less from within a client";
const elsewhere = ": standard input is not the terminal that controls this command";

it.each<[(typeof assurances)[number], string, string]>([
  ["file", "terminal", "file"],
  ["dialog", "terminal", "file, not enough"],
  ["terminal", "terminal", "file, not enough"],
  ["signed", "terminal, not enough", "file, not enough"],
])("where %s is needed, an answer from here is %s at a terminal and %s elsewhere", (required, at, other) => {
  expect(hereText(required, { canAnswer: true, isControlling: true })).toBe(`${at}${atTerminal}`);
  const untold = `${at}, standard input not seen${atTerminal}`;
  expect(hereText(required, { canAnswer: true, isControlling: null })).toBe(untold);
  expect(hereText(required, { canAnswer: true, isControlling: false })).toBe(`${other}${elsewhere}`);
});

it.each(assurances)("where %s is needed, nothing can be answered without a terminal", (required) => {
  for (const isControlling of [true, false, null]) {
    expect(hereText(required, { canAnswer: false, isControlling })).toBe(
      "no answer: standard input is no terminal",
    );
  }
});
