/**
 * The prompt of plain chat. Invariants: nothing is drawn over a half-typed line, and lines that come together are never
 * read as commands, for a block that is pasted must not answer what nobody has seen. The terminal edits by itself again
 * while a command runs, so whatever a command asks is asked as everywhere else.
 */
import { clearScreenDown, createInterface, cursorTo, type Interface } from "node:readline";
import type { Clock } from "../../broker/index.js";
import type { Lines, Typed } from "./lines.js";

/** What the prompt is drawn on and typed at. */
export interface PromptParts {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly clock: Clock;
  /** Whole lines that a half-typed one may become. */
  readonly complete: (line: string) => readonly string[];
  /** Aborts when Ctrl-C reached the process by a signal. */
  readonly interrupted: AbortSignal;
  /**
   * Does the terminal understand how a line is drawn anew? Where it does not, it edits its lines itself: nothing is
   * completed, and since what is half-typed cannot be seen, nothing is printed before a line is whole.
   */
  readonly canDraw: boolean;
}

const prompt = "wisp> ";

/**
 * A paste comes in pieces, but faster than anybody types; and what lies in the terminal already is handed over in this
 * time. Too short to be noticed.
 */
const togetherMs = 50;

/** Opens nothing before the first line is asked for, and leaves the terminal as it was between two of them. */
export function promptLines(parts: PromptParts): Lines {
  const { input, output, clock, canDraw, interrupted } = parts;
  let history: string[] = [];
  let reader: Interface | null = null;
  let isEntered = false;
  let onEmpty = (): void => {};

  function open(): Interface {
    const completer = (line: string): [string[], string] => [[...parts.complete(line)], line];
    const opened = createInterface({ input, output, terminal: canDraw, prompt, history, completer });
    opened.on("history", (lines) => {
      history = lines;
    });
    return opened;
  }

  function read(): Promise<Typed> {
    const one = open();
    reader = one;
    isEntered = false;
    return new Promise((resolve) => {
      let entered: string[] = [];
      const gather = (line: string): void => {
        entered.push(line);
        isEntered = true;
        if (entered.length === 1) clock.after(togetherMs, judge, true);
      };
      const judge = (): void => {
        if (reader !== one) return;
        const said = entered.filter((line) => line.trim() !== "");
        const count = said.length + (one.line.trim() === "" ? 0 : 1);
        const [text] = said;
        if (text !== undefined) finish(count === 1 ? { kind: "line", text } : { kind: "several", count });
        else {
          entered = [];
          isEntered = false;
          one.prompt(true);
          onEmpty();
        }
      };
      const finish = (typed: Typed): void => {
        if (reader !== one) return;
        reader = null;
        input.off("keypress", onKey);
        interrupted.removeEventListener("abort", onInterrupted);
        one.close();
        if (typed.kind !== "line" && typed.kind !== "several") output.write("\n");
        resolve(typed);
      };
      // The line has taken the key in already: it listens first.
      const onKey = (): void => onEmpty();
      const onInterrupted = (): void => finish({ kind: "interrupted" });
      one.on("line", gather).on("SIGINT", onInterrupted);
      one.on("close", () => finish({ kind: "end" }));
      input.on("keypress", onKey);
      interrupted.addEventListener("abort", onInterrupted);
      one.prompt();
      onEmpty();
    });
  }

  return {
    async next(isFresh) {
      const left = isFresh ? await dropEarlier(parts) : null;
      if (left !== null) return left;
      if (interrupted.aborted) return { kind: "interrupted" };
      // Ctrl-D at a question of a command has ended the input for good.
      return input.readableEnded ? { kind: "end" } : await read();
    },
    get isEmpty() {
      return canDraw && reader !== null && !isEntered && reader.line === "";
    },
    interject(print) {
      cursorTo(output, 0);
      clearScreenDown(output);
      print();
      reader?.prompt();
    },
    onEmpty(listener) {
      onEmpty = listener;
    },
  };
}

const controlC = "\u0003";
const controlD = "\u0004";

/** Takes what was typed ahead out of the terminal, half a line included; only what leaves counts. Null otherwise. */
function dropEarlier({ input, clock, canDraw }: PromptParts): Promise<Typed | null> {
  return new Promise((resolve) => {
    let left: Typed | null = null;
    const drop = (chunk: string | Uint8Array): void => {
      const text = String(chunk);
      if (text.includes(controlC)) left = { kind: "interrupted" };
      else if (text.includes(controlD)) left ??= { kind: "end" };
    };
    // Half a line is handed over only by a terminal that does not edit it.
    if (canDraw) input.setRawMode(true);
    input.setEncoding("utf8").on("data", drop).resume();
    clock.after(
      togetherMs,
      () => {
        input.off("data", drop).pause();
        if (canDraw && (left !== null || input.readableEnded)) input.setRawMode(false);
        resolve(left);
      },
      true,
    );
  });
}
