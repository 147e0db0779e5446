/**
 * Terminal rules. Data goes to standard output, talk to standard error. A question is asked on standard error and
 * answered on standard input, and only where that is a terminal: an agent's shell has none, and no flag or variable
 * changes this. Lines are read as the terminal hands them over, with its own editing and its own Ctrl-C, so no mode
 * is ever set that a crash would leave behind. No colour and no escape where the output is not a terminal.
 */
import { writeSync } from "node:fs";
import { errnoOf, systemClock } from "../broker/index.js";
import type { FaceVia } from "../face/answer.js";
import { isTerminal, processSeat, type Seat } from "../face/seat.js";
import { talked } from "./talk.js";

/** What a verb may use of the process it runs in. */
export interface Terminal extends Seat {
  /** The face that talks through it: answers name it. */
  readonly via: Exclude<FaceVia, "tui">;
  readonly out: Output;
  readonly err: Output;
  /** In plain chat: has the person left it, so that what they type next goes to a shell? */
  readonly isLeaving?: boolean;
  /**
   * Asks and reads one line that is typed after the question stands there, without its newline; null when the input
   * ended or `signal` was aborted. What was typed or pasted before was no answer to it and is dropped. With `isWhole` the
   * lines that come at once, as from a paste, are read together: what stands behind the first is left to nobody else.
   */
  readLine(question: string, signal: AbortSignal, isWhole?: boolean): Promise<string | null>;
  /** Aborts with the next Ctrl-C, which then does not end the process; the one after it does. */
  interruption(): AbortSignal;
}

/** Standard output, or standard error. */
export interface Output {
  readonly isTerminal: boolean;
  /** Columns of the terminal; 80 where it does not say. */
  readonly columns: number;
  /** Rows of the terminal; 24 where it does not say. */
  readonly rows: number;
  /** Writes `text`, which holds nothing a terminal would interpret but newlines and our own colours. */
  write(text: string): void;
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const err = outputTo(2);
  return Object.assign(processSeat(), {
    via: "cli" as const,
    out: outputTo(1),
    err,
    readLine: (question: string, signal: AbortSignal, isWhole = false) =>
      readLine(question, signal, err, isWhole),
    interruption,
  });
}

const usualColumns = 80;
const usualRows = 24;

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
  const output: Output = {
    get isTerminal() {
      return isTerminal(descriptor);
    },
    get columns() {
      return stream().columns || usualColumns;
    },
    get rows() {
      return stream().rows || usualRows;
    },
    write(text) {
      let rest: Uint8Array = Buffer.from(descriptor === 2 ? talked(output, text) : text, "utf8");
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
  return output;
}

/** Long enough for the loop to hand over what lies in the terminal already, too short to be noticed. */
const drainMs = 50;

function readLine(
  question: string,
  signal: AbortSignal,
  err: Output,
  isWhole: boolean,
): Promise<string | null> {
  const { stdin } = process;
  return new Promise((resolve) => {
    let isAsked = false;
    let isEnding = false;
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
      if (end === -1 || isEnding) return;
      isEnding = true;
      if (isWhole) systemClock.after(drainMs, () => finish(typed.replace(/\n$/, "")), true);
      else finish(typed.slice(0, end));
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
