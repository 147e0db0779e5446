/** What a command shows and asks goes to standard error; where nobody sees that, nothing is answered. */
import { expect, it } from "vitest";
import { accept } from "../../src/cli/accept/main.js";
import { approve } from "../../src/cli/commands/approve.js";
import { doctor } from "../../src/cli/commands/doctor.js";
import type { Change } from "../../src/cli/config/change.js";
import { runConfig } from "../../src/cli/config/main.js";
import { keep } from "../../src/cli/fact-verbs.js";
import { keptVerbs } from "../../src/cli/kept-verbs.js";
import { forgetFact } from "../../src/cli/kinds/main.js";
import { answer } from "../../src/cli/question-verbs.js";
import type { Terminal } from "../../src/cli/terminal.js";
import { runVerb, type Verb } from "../../src/cli/verb.js";
import { approvalDraft } from "../support/builders.js";
import { fakeTerminal } from "../support/fake-terminal.js";
import { filedDraft, isWaiting } from "../support/filed.js";
import { factDraft, questionDraft } from "../support/request-kinds.js";
import { startOn, startVerb } from "../support/run-verb.js";
import { tempHome } from "../support/temp-home.js";
import { atTerminal } from "../support/witnesses.js";

function configures(change: Change) {
  return (terminal: Terminal) => runConfig({ verb: "change", change }, terminal, () => atTerminal);
}

it.each([
  ["wisp approvals approve", approve, approvalDraft(), []],
  [
    "wisp approvals approve with the word",
    approve,
    approvalDraft({ level: "dangerous" }),
    ["--confirm", "main"],
  ],
  ["wisp facts keep", keep, factDraft(), []],
  ["wisp questions answer", answer, questionDraft(), []],
] as const)("%s answers nothing where standard error is no terminal", async (_name, verb, draft, words) => {
  const { home, request } = filedDraft(draft);
  const blind = startVerb(verb, [request.id, ...words], { home, isTerminal: false });
  blind.terminal.type("1");
  const { exit, err } = await blind.ended;
  expect(exit).toBe(4);
  expect(err).toContain(`${verb.command} ${request.id}\n`);
  expect(blind.terminal.questions).toEqual([]);
  expect(isWaiting(home)).toBe(true);
  const seen = startVerb(verb, [request.id, ...words], { home });
  seen.terminal.type("1");
  expect((await seen.ended).exit).toBe(0);
});

it.each<[string, (terminal: Terminal) => Promise<number>]>([
  ["accept", (terminal) => accept(terminal, () => atTerminal)],
  ["config set approval.threshold high", configures({ typed: "approval.threshold", value: "high" })],
  ["config unset approval.threshold", configures({ typed: "approval.threshold", value: null })],
  ["facts forget abcdefgh", (terminal) => forgetFact("abcdefgh", terminal)],
  ["approvals clear", (terminal) => runVerb(keptVerbs.get("clear") as Verb, [], terminal)],
  [
    "doctor --ping",
    (terminal) =>
      doctor({ ping: true }, terminal, {
        desktop: "freedesktop",
        nodeNotifier: () => "",
        createNotifiers: () => [],
      }),
  ],
])("wisp %s asks nothing where standard error is no terminal", async (line, run) => {
  const blind = fakeTerminal({ home: tempHome(), isTerminal: false });
  const { exit, err } = await startOn(blind, run).ended;
  expect([exit, blind.questions]).toEqual([4, []]);
  expect(err).toContain(`wisp ${line}\n`);
  const seen = fakeTerminal({ home: tempHome() });
  seen.type("n");
  expect((await startOn(seen, run).ended).exit).not.toBe(4);
});
