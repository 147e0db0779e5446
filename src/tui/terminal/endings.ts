/**
 * Ways in which the face ends or stops that no key of its own asks for: signals, errors that nobody caught, job control.
 * Invariant: the terminal is put back before anything else is done or said.
 */
import { constants } from "node:os";
import { isatty } from "node:tty";
import type { Modes } from "./modes.js";

/** What is done about each way of ending. */
export interface EndingParts {
  readonly modes: Modes;
  /** Ends the program with this code; the terminal is put back already. */
  readonly end: (exit: number) => void;
  /** Tells of something that nobody caught, and ends the program; the terminal is put back already. */
  readonly fail: (error: unknown) => void;
  /** The face has the terminal again, after a stop: what stands there is not its own. */
  readonly onReturn: () => void;
}

/** What ends a program that does nothing about it, as far as anything can be done about it. */
const deadly: readonly NodeJS.Signals[] = [
  "SIGTERM",
  "SIGHUP",
  "SIGINT",
  "SIGQUIT",
  "SIGABRT",
  "SIGALRM",
  "SIGVTALRM",
  "SIGXCPU",
  "SIGUSR2",
  "SIGIO",
  "SIGPWR",
  "SIGSTKFLT",
];

/** Watches for them until what is returned is called. */
export function watchEndings({ modes, end, fail, onReturn }: EndingParts): () => void {
  const onSignal = (signal: NodeJS.Signals): void => {
    modes.leave();
    // As a shell counts the end of a program by a signal.
    end(128 + constants.signals[signal]);
  };
  const onUncaught = (error: unknown): void => {
    modes.leave();
    fail(error);
  };
  const onContinue = (): void => {
    modes.enter();
    onReturn();
  };
  function onStop(): void {
    modes.leave();
    process.off("SIGTSTP", onStop);
    // Without a handler this stops the process here; where nobody could continue it, the system ignores it.
    process.kill(process.pid, "SIGTSTP");
    process.on("SIGTSTP", onStop);
    onContinue();
  }
  const leave = (): void => modes.leave();
  // Otherwise Node would open a port for a debugger, which answers what it likes, and write of it over the screen.
  process.on("SIGUSR1", () => {});
  for (const signal of deadly) process.on(signal, onSignal);
  process.on("SIGTSTP", onStop).on("SIGCONT", onContinue);
  process.on("uncaughtException", onUncaught).on("unhandledRejection", onUncaught);
  process.on("exit", leave);
  return () => {
    for (const signal of deadly) process.off(signal, onSignal);
    process.off("SIGTSTP", onStop).off("SIGCONT", onContinue);
    process.off("uncaughtException", onUncaught).off("unhandledRejection", onUncaught);
    process.off("exit", leave);
  };
}

/**
 * Ends the program with `exit`, by SIGHUP where the terminal is gone: Node gives it back its modes at each exit of its own
 * and, where it cannot, aborts and leaves a core, with all that was on the screen.
 */
export function endNow(exit: number): void {
  if (isatty(0)) process.exit(exit);
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
  // Whoever started it may ignore that one.
  process.kill(process.pid, "SIGKILL");
}

/** Stops the program and whatever it was started with, as the terminal itself would for Ctrl-Z. */
export function stopAll(): void {
  process.kill(0, "SIGTSTP");
}
