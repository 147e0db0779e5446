/**
 * Terminal rules. Data goes to standard output, talk to standard error. A question is asked on standard error and
 * answered on standard input, and only where that is a terminal: an agent's shell has none, and no flag or variable
 * changes this. Lines are read as the terminal hands them over, with its own editing and its own Ctrl-C, so no mode
 * is ever set that a crash would leave behind. No colour and no escape where the output is not a terminal.
 */
import { execFileSync } from "node:child_process";
import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { type Clock, errnoOf, systemClock, WispError } from "../broker/index.js";

/** What a verb may use of the process it runs in. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The working directory, absolute. Throws channel_unavailable where it was deleted. */
  readonly directory: string;
  readonly clock: Clock;
  /** Is standard input a terminal? Only then may this process answer. */
  readonly canAnswer: boolean;
  /** Is standard input the terminal that controls this process? Null where that cannot be told at once. */
  readonly isControlling: boolean | null;
  readonly out: Output;
  readonly err: Output;
  /**
   * Asks and reads one line that is typed after the question stands there, without its newline; null when the input
   * ended or `signal` was aborted. What was typed or pasted before was no answer to it and is dropped.
   */
  readLine(question: string, signal: AbortSignal): Promise<string | null>;
  /** Aborts with the next Ctrl-C, which then does not end the process; the one after it does. */
  interruption(): AbortSignal;
  /** The device of standard input, `/dev/pts/3`; null when it cannot be told. */
  deviceName(): string | null;
}

/** Standard output, or standard error. */
export interface Output {
  readonly isTerminal: boolean;
  /** Columns of the terminal; 80 where it does not say. */
  readonly columns: number;
  /** Writes `text`, which holds nothing a terminal would interpret but newlines and our own colours. */
  write(text: string): void;
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const err = outputTo(2);
  return {
    environment: process.env,
    get directory() {
      return workingDirectory();
    },
    clock: systemClock,
    get canAnswer() {
      return isTerminal(0);
    },
    get isControlling() {
      return isControlling();
    },
    out: outputTo(1),
    err,
    readLine: (question, signal) => readLine(question, signal, err),
    interruption,
    deviceName,
  };
}

function workingDirectory(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw lostDirectory(error);
  }
}

/** Whether a home lies in a project is judged from the working directory, so without one nothing is opened. */
export function lostDirectory(error: unknown): WispError {
  return new WispError("channel_unavailable", "The working directory does not exist any more.", {
    why: `Where this runs decides which home may be used (${errnoOf(error) ?? "no system error"}).`,
    fix: "Change to a directory that exists (cd), then run it again.",
    cause: error,
  });
}

/** `node:tty` knows for certain and loads all of the network, which most commands need not wait for. */
function isTerminal(descriptor: number): boolean {
  const device = deviceOf(descriptor);
  if (device === null) return false;
  return isLivingTerminal(device, descriptor) || isatty(descriptor);
}

/** Linux says in field 7 of /proc/self/stat which terminal that is; elsewhere a program would have to be run. */
function isControlling(): boolean | null {
  if (process.platform !== "linux") return null;
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    const controlling = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[4];
    return Number(controlling) === deviceOf(0);
  } catch {
    // No /proc: the server will look in its own way.
    return null;
  }
}

/** The number of the character device behind a descriptor; null when something else, or nothing, is there. */
function deviceOf(descriptor: number): number | null {
  try {
    const stats = fstatSync(descriptor);
    return stats.isCharacterDevice() ? stats.rdev : null;
  } catch {
    // Closed, so that nobody can answer there: whatever the reason, it is no terminal.
    return null;
  }
}

/**
 * On Linux a pseudo-terminal or a console is known by its device number, and that somebody still holds its other end
 * by its opening once more. False says nothing: then the system is asked.
 */
function isLivingTerminal(device: number, descriptor: number): boolean {
  const major = (device >>> 8) & 0xfff;
  const isTerminalNumber = (major >= 136 && major <= 143) || major === 4;
  if (process.platform !== "linux" || !isTerminalNumber) return false;
  try {
    const { O_RDONLY, O_NOCTTY, O_NONBLOCK } = constants;
    closeSync(openSync(`/proc/self/fd/${descriptor}`, O_RDONLY | O_NOCTTY | O_NONBLOCK));
    return true;
  } catch {
    // Hung up, or another person's.
    return false;
  }
}

const usualColumns = 80;

/** Written directly: `process.stdout` alone costs a command that prints three lines a twentieth of its start. */
function outputTo(descriptor: 1 | 2): Output {
  const stream = (): NodeJS.WriteStream => (descriptor === 1 ? process.stdout : process.stderr);
  let way: "direct" | "stream" | "closed" = "direct";
  function writeToStream(rest: Uint8Array): void {
    // Nobody reads on: then nobody needs the rest.
    if (way === "direct") stream().on("error", () => {});
    way = "stream";
    stream().write(rest);
  }
  return {
    get isTerminal() {
      return isTerminal(descriptor);
    },
    get columns() {
      return stream().columns || usualColumns;
    },
    write(text) {
      let rest: Uint8Array = Buffer.from(text, "utf8");
      try {
        while (way === "direct" && rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
      } catch (error) {
        const errno = errnoOf(error);
        // Somebody made it non-blocking and reads slowly: the stream knows how to wait.
        if (errno === "EAGAIN") return writeToStream(rest);
        // The reader has gone (`| head`), or nobody is there to hear a complaint about standard error.
        if (errno !== "EPIPE" && descriptor === 1) throw error;
        way = "closed";
      }
      if (way === "stream" && rest.length > 0) stream().write(rest);
    },
  };
}

/** Long enough for the loop to hand over what lies in the terminal already, too short to be noticed. */
const drainMs = 50;

function readLine(question: string, signal: AbortSignal, err: Output): Promise<string | null> {
  const { stdin } = process;
  return new Promise((resolve) => {
    let isAsked = false;
    let typed = "";
    const draining = systemClock.after(
      drainMs,
      () => {
        err.write(question);
        isAsked = true;
      },
      true,
    );
    function finish(line: string | null): void {
      draining.cancel();
      stdin.off("data", onData).off("end", onEnd).off("error", onEnd).pause();
      signal.removeEventListener("abort", onEnd);
      resolve(line);
    }
    function onData(chunk: string): void {
      if (!isAsked) return;
      typed += chunk;
      const end = typed.indexOf("\n");
      if (end !== -1) finish(typed.slice(0, end));
    }
    function onEnd(): void {
      err.write("\n");
      finish(null);
    }
    if (signal.aborted) return resolve(null);
    signal.addEventListener("abort", onEnd);
    stdin.setEncoding("utf8").on("data", onData).on("end", onEnd).on("error", onEnd).resume();
  });
}

function interruption(): AbortSignal {
  const controller = new AbortController();
  process.once("SIGINT", () => controller.abort());
  return controller.signal;
}

function deviceName(): string | null {
  try {
    return process.platform === "linux"
      ? readlinkSync("/proc/self/fd/0")
      : execFileSync("tty", { encoding: "utf8", stdio: ["inherit", "pipe", "ignore"] }).trim();
  } catch {
    // Only for whoever reads who answered: an answer without it counts the same.
    return null;
  }
}
