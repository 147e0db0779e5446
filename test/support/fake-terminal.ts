/** A terminal whose person is the test. */
import { tmpdir } from "node:os";
import type { Home } from "../../src/broker/channel/home.js";
import { type Clock, systemClock } from "../../src/broker/system/clock.js";
import type { Output, Terminal } from "../../src/cli/terminal.js";

export interface FakeTerminal extends Terminal {
  /** What stands on standard output, and on standard error. */
  printed(): string;
  said(): string;
  /** The questions that were asked, oldest first. */
  readonly questions: readonly string[];
  /** Answers the question that stands there, or the next one. Null ends the input. */
  type(line: string | null): void;
  /** Ctrl-C. */
  interrupt(): void;
}

export interface FakeTerminalOptions {
  /** Where it was started; that of temporary files where it is left out. */
  readonly directory?: string;
  /** The home that WISP_HOME names. */
  readonly home?: Home;
  readonly environment?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly canAnswer?: boolean;
  readonly isControlling?: boolean | null;
  readonly via?: Terminal["via"];
  /** Of both outputs. */
  readonly isTerminal?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

export function fakeTerminal(options: FakeTerminalOptions = {}): FakeTerminal {
  const {
    home,
    environment = {},
    clock = systemClock,
    canAnswer = true,
    isControlling = true,
    via = "cli",
    isTerminal = true,
    columns = 80,
    rows = 24,
    directory = tmpdir(),
  } = options;
  const texts = { out: "", err: "" };
  const output = (name: "out" | "err"): Output => ({
    isTerminal,
    columns,
    rows,
    write(text) {
      texts[name] += text;
    },
  });
  const questions: string[] = [];
  const typed: (string | null)[] = [];
  let reader: ((line: string | null) => void) | null = null;
  const interruption = new AbortController();
  return {
    environment: { ...(home === undefined ? {} : { WISP_HOME: home.path }), ...environment },
    directory,
    clock,
    via,
    canAnswer,
    isControlling,
    out: output("out"),
    err: output("err"),
    readLine(question, signal) {
      questions.push(question);
      const ready = typed.shift();
      if (ready !== undefined || signal.aborted) return Promise.resolve(ready ?? null);
      return new Promise((resolve) => {
        reader = resolve;
        signal.addEventListener("abort", () => resolve(null));
      });
    },
    interruption: () => interruption.signal,
    deviceName: () => "/dev/pts/7",
    printed: () => texts.out,
    said: () => texts.err,
    questions,
    type(line) {
      if (reader === null) typed.push(line);
      else reader(line);
      reader = null;
    },
    interrupt: () => interruption.abort(),
  };
}
