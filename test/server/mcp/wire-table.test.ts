/** What docs/errors.md says a client gets of each question and fact, and what it gets. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { FactAsked } from "../../../src/broker/approval/fact-keeper.js";
import type { QuestionEnd } from "../../../src/broker/approval/questioner.js";
import { factAskedResult } from "../../../src/server/mcp/fact-result.js";
import { questionResult } from "../../../src/server/mcp/question-result.js";
import { keptFact } from "../../support/facts.js";
import { factRequest } from "../../support/request-kinds.js";

const doctor = "wisp doctor";
const byNobody = { via: "server", assurance: null, verified: null } as const;
const nobody = { ...byNobody, note: null, request: null, seconds: 0 } as const;

function question(end: QuestionEnd) {
  return questionResult(end, {
    doctor,
    keepSeconds: 600,
    hasReadAnswer: true,
    isAnswered: false,
    misconfigured: null,
  });
}

function fact(asked: FactAsked) {
  return factAskedResult(asked, doctor);
}

const results = {
  "a person answered the question": question({
    ...nobody,
    name: "answered",
    content: { values: null, text: "yes" },
  }),
  "a person declined the question": question({ ...nobody, name: "declined", unseenMs: null }),
  "the question waits on": question({ ...nobody, name: "pending", expiresAt: null }),
  "too many questions of this connection wait": question({ ...nobody, name: "refused" }),
  "a person is asked whether to keep the fact": fact({
    kind: "waits",
    request: factRequest(),
    isJoined: false,
  }),
  "a person kept the fact already": fact({ kind: "kept", fact: keptFact() }),
  "a person dropped the fact": fact({ kind: "dropped", at: 0, isForGood: true }),
  "too many facts of this client wait": fact({ kind: "too many", waiting: 20, isOwn: true }),
};

test("the table of questions and facts on the wire says what a client gets", () => {
  const [, page = ""] = readFileSync("docs/errors.md", "utf8").split("### Questions and facts on the wire");
  const rows = page
    .slice(0, page.indexOf("##"))
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(2);
  const expected = Object.entries(results).map(([what, { structuredContent, isError = false }]) => {
    const { outcome, code } = structuredContent as { readonly outcome: string; readonly code?: string };
    return `| ${what} | \`${outcome}\` | ${code === undefined ? "–" : `\`${code}\``} | ${isError ? "yes" : "no"} |`;
  });
  expect(rows).toEqual(expected);
});
