/** What is told to be typed works in another terminal: it names the home, quoted, and goes to an id without ado. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { homeAt } from "../../src/broker/channel/home.js";
import { approve } from "../../src/cli/commands/approve.js";
import { deny } from "../../src/cli/commands/deny.js";
import { doctor } from "../../src/cli/commands/doctor.js";
import { overview } from "../../src/cli/commands/overview.js";
import { pending } from "../../src/cli/commands/pending.js";
import { show } from "../../src/cli/commands/show.js";
import { wait } from "../../src/cli/commands/wait.js";
import { reportError } from "../../src/cli/report.js";
import type { Terminal } from "../../src/cli/terminal.js";
import { runVerb, type Verb } from "../../src/cli/verb.js";
import { approvalDraft } from "../support/builders.js";
import { fakeTerminal } from "../support/fake-terminal.js";
import { factDraft } from "../support/request-kinds.js";
import { openAsker, tempDirectory } from "../support/temp-home.js";

/**
 * The commands of `text` that have to do with what waits, with what stands before each; without those about the home of a
 * server that another test has alive, which doctor tells of: no blank stands in that, so it needs no quotes.
 */
const commandsIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?:WISP_HOME=(?:'[^']*'|\/\S*) )?wisp (?:approvals|doctor|facts)\b[^\n]*/g)]
    .map(([line]) => line)
    .filter((line) => !line.startsWith("WISP_HOME=/"));

type Run = (terminal: Terminal, ids: { readonly approval: string; readonly fact: string }) => Promise<number>;

const verb =
  (one: Verb, ...words: readonly string[]): Run =>
  (terminal) =>
    runVerb(one, words, terminal);

const runs: readonly (readonly [string, Run, { readonly canAnswer?: boolean }])[] = [
  ["pending", verb(pending), {}],
  ["wisp alone", (terminal) => overview(terminal), {}],
  ["approve without a terminal", verb(approve, "k7q2mx9d"), { canAnswer: false }],
  ["deny without a terminal", verb(deny, "k7q2mx9d"), { canAnswer: false }],
  ["an unknown id", verb(show, "zzzzzzzz"), {}],
  ["what is no id", verb(wait, "zz"), {}],
  ["junk", verb(show, "junk"), {}],
  ["another kind", (terminal, { fact }) => runVerb(approve, [fact], terminal), {}],
  ["a wrong word", (terminal, { approval }) => runVerb(approve, [approval, "--confirm", "no"], terminal), {}],
  ["doctor", (terminal) => doctor({}, terminal), {}],
  ["doctor --fix without a terminal", (terminal) => doctor({ fix: true }, terminal), { canAnswer: false }],
  ["a fault", async (terminal) => reportError(new Error("fault"), terminal), {}],
];

it.each(runs)(
  "%s names the home in every command to paste, and puts no -- before an id",
  async (_what, run, options) => {
    const directory = join(tempDirectory(), "a home");
    const home = homeAt(directory, false);
    const { channel } = openAsker(home);
    const ids = { approval: channel.file(approvalDraft(), []).id, fact: channel.file(factDraft(), []).id };
    for (let more = 0; more < 5; more += 1) channel.file(approvalDraft(), []);
    writeFileSync(join(home.pending, "junkjunk.request.json"), '{"a":1,"a":2}', { mode: 0o600 });
    mkdirSync(home.settled, { recursive: true, mode: 0o700 });
    const terminal = fakeTerminal({ home, environment: { WISP_LOG: "debug" }, columns: 200, ...options });
    await run(terminal, ids);
    const commands = commandsIn(terminal.printed() + terminal.said());
    expect(commands).not.toEqual([]);
    for (const command of commands) {
      expect(command).toMatch(new RegExp(`^WISP_HOME='${directory}' wisp `));
      expect(command).not.toContain(" -- ");
    }
  },
);
