import { expect, it } from "vitest";
import { assurances } from "../../src/broker/request/request.js";
import { hereText } from "../../src/cli/here.js";

const atTerminal = "; less if its server finds this command within a client's own processes";
const elsewhere = ": standard input is not the terminal that controls this command";

it.each<[(typeof assurances)[number], string, string]>([
  ["file", "terminal", "file"],
  ["dialog", "terminal", "file, not enough"],
  ["terminal", "terminal", "file, not enough"],
  ["signed", "terminal, not enough", "file, not enough"],
])("where %s is needed, an answer from here is %s at a terminal and %s elsewhere", (required, at, other) => {
  for (const isControlling of [true, null]) {
    expect(hereText(required, { canAnswer: true, isControlling })).toBe(`${at}${atTerminal}`);
  }
  expect(hereText(required, { canAnswer: true, isControlling: false })).toBe(`${other}${elsewhere}`);
});

it.each(assurances)("where %s is needed, nothing can be answered without a terminal", (required) => {
  for (const isControlling of [true, false, null]) {
    expect(hereText(required, { canAnswer: false, isControlling })).toBe(
      "no answer: standard input is no terminal",
    );
  }
});
