/** Runs a verb in this process, on a terminal whose person is the test. */
import type { Terminal } from "../../src/cli/terminal.js";
import { runVerb, type Verb } from "../../src/cli/verb.js";
import { type FakeTerminal, type FakeTerminalOptions, fakeTerminal } from "./fake-terminal.js";

export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly terminal: FakeTerminal;
  readonly ended: Promise<Ran>;
}

/** Starts `verb`; by default with everything on a terminal. */
export function startVerb(verb: Verb, words: readonly string[], options: FakeTerminalOptions = {}): Running {
  return startOn(fakeTerminal(options), (terminal) => runVerb(verb, words, terminal));
}

/** Starts anything that talks through a terminal and ends with an exit code. */
export function startOn(terminal: FakeTerminal, run: (terminal: Terminal) => Promise<number>): Running {
  const ended = run(terminal).then((exit) => ({ exit, out: terminal.printed(), err: terminal.said() }));
  return { terminal, ended };
}
