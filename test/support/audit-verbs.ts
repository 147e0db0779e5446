/** `wisp audit` in this process, on a log that it wrote. */
import type { Home } from "../../src/broker/channel/home.js";
import { auditVerbs } from "../../src/cli/audit-verbs.js";
import { auditLogAt } from "./audit-logs.js";
import { FakeClock } from "./fake-clock.js";
import type { FakeTerminalOptions } from "./fake-terminal.js";
import { type Ran, startVerb } from "./run-verb.js";
import { type Sketch, sketched } from "./sketched.js";
import { madeHome } from "./temp-home.js";

/** A home with a log. */
export interface WrittenLog {
  readonly home: Home;
  readonly clock: FakeClock;
  /** Adds to it, at the time of the clock. */
  append(...events: readonly Sketch[]): Promise<void>;
  /** Runs `wisp audit` with these words: through a pipe, unless they say otherwise. */
  run(words: readonly string[], options?: FakeTerminalOptions): Promise<Ran>;
}

/** Writes these events into the log of a new home. */
export async function written(...events: readonly Sketch[]): Promise<WrittenLog> {
  const home = madeHome();
  const clock = new FakeClock();
  const append = async (...more: readonly Sketch[]): Promise<void> => {
    const log = auditLogAt(home.path, { clock });
    await log.append(more.map(sketched), "plain");
    await log.close();
  };
  await append(...events);
  return {
    home,
    clock,
    append,
    run: (words, options = piped) => auditVerb(home, words, { clock, ...options }),
  };
}

const piped = { canAnswer: false, isTerminal: false };

/** Runs `wisp audit` with these words. */
export function auditVerb(
  home: Home,
  [name = "", ...rest]: readonly string[],
  options: FakeTerminalOptions = piped,
): Promise<Ran> {
  const verb = auditVerbs.get(name);
  if (verb === undefined) throw new Error(`There is no ${name}.`);
  return startVerb(verb, rest, { home, ...options }).ended;
}
