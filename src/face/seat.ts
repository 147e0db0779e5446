/**
 * Where a person sits: what every face may use of the process it runs in, and how this process sees its own standard
 * input. Nothing here can be switched off: an agent's shell has no terminal, and no flag or variable changes that.
 */
import { execFileSync } from "node:child_process";
import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync } from "node:fs";
import { isatty } from "node:tty";
import { type Clock, errnoOf, systemClock, WispError } from "../broker/index.js";

/** What a face may use of its process, beside what it draws on. */
export interface Seat {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The working directory, absolute. Throws channel_unavailable where it was deleted. */
  readonly directory: string;
  readonly clock: Clock;
  /** Is standard input a terminal? Only then may this process answer. */
  readonly canAnswer: boolean;
  /** Is standard input the terminal that controls this process? Null where that cannot be told at once. */
  readonly isControlling: boolean | null;
  /** The device of standard input, `/dev/pts/3`; null when it cannot be told. */
  deviceName(): string | null;
}

/** What is needed of a seat to sweep, and to look at whoever sits there. */
export type SweepingSeat = Pick<Seat, "clock" | "deviceName">;

/** The seat of this process; each property looks when it is read. */
export function processSeat(): Seat {
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
    deviceName,
  };
}

/** Whether a home lies in a project is judged from the working directory, so without one nothing is opened. */
export function lostDirectory(error: unknown): WispError {
  return new WispError("channel_unavailable", "The working directory does not exist any more.", {
    why: `Where this runs decides which home may be used (${errnoOf(error) ?? "no system error"}).`,
    fix: "Change to a directory that exists (cd), then run it again.",
    cause: error,
  });
}

/** Is a terminal behind `descriptor`? `node:tty` knows for certain and loads all of the network, which most commands need not wait for. */
export function isTerminal(descriptor: number): boolean {
  const device = deviceOf(descriptor);
  if (device === null) return false;
  return isLivingTerminal(device, descriptor) || isatty(descriptor);
}

function workingDirectory(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw lostDirectory(error);
  }
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
