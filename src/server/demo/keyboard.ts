/**
 * The person at the demo's own terminal. Lines are read as the terminal hands them over, so no mode is ever set that
 * a crash would leave behind, and Enter alone never approves.
 */
import type { ApprovalRequest, Clock } from "../../broker/index.js";
import { answerTo, endingText, give } from "./answering.js";
import type { Stage } from "./ask.js";

/** The terminal that the demo was started on, as far as it is read. */
export interface Keyboard {
  /** The next line that is typed after `question` stands there; null when there is none any more, or on `signal`. */
  readLine(question: string, signal: AbortSignal): Promise<string | null>;
}

/** Lets the person answer `request` here until it is `over`; returns earlier when the keyboard was closed. */
export async function answerHere(
  request: ApprovalRequest,
  keyboard: Keyboard,
  stage: Stage,
  over: AbortSignal,
): Promise<void> {
  const { narrator } = stage;
  for (;;) {
    const typed = await keyboard.readLine("Or here: y approves, d denies, then Enter: ", over);
    if (typed === null) {
      if (!over.aborted) narrator.line("This keyboard is closed now; answer in another terminal, as above.");
      return;
    }
    const decision = decisionOf(typed);
    if (decision === null) narrator.line("That was neither y nor d; it still waits.");
    else {
      // The receipt of this very answer ends the wait: it must not end the look for it.
      const ending = await give(answerTo(request, decision, stage), request, stage, stage.signal);
      if (ending === "won") return;
      narrator.step("unused", `your ${decision}: ${endingText(ending)}`);
      if (ending !== "refused") return;
    }
  }
}

function decisionOf(typed: string): "approve" | "deny" | null {
  switch (typed.trim().toLowerCase()) {
    case "y":
      return "approve";
    case "d":
      return "deny";
    default:
      return null;
  }
}

/** The keyboard of a terminal; `ask` prints a question there. */
export function keyboardOf(
  stdin: NodeJS.ReadableStream,
  ask: (text: string) => void,
  clock: Pick<Clock, "after">,
): Keyboard {
  return {
    readLine: (question, signal) =>
      new Promise((resolve) => {
        let isAsked = false;
        let typed = "";
        // What lies in the terminal already was no answer to this question.
        const asking = clock.after(
          drainMs,
          () => {
            isAsked = true;
            ask(question);
          },
          true,
        );
        const finish = (line: string | null): void => {
          asking.cancel();
          stdin.off("data", onData).off("end", onEnd).off("error", onEnd).pause();
          signal.removeEventListener("abort", onEnd);
          resolve(line);
        };
        const onData = (chunk: Buffer | string): void => {
          if (!isAsked) return;
          typed += chunk.toString();
          const end = typed.indexOf("\n");
          if (end !== -1) finish(typed.slice(0, end));
        };
        const onEnd = (): void => {
          // The next line must not begin behind the question.
          if (isAsked) ask("\n");
          finish(null);
        };
        if (signal.aborted) return finish(null);
        signal.addEventListener("abort", onEnd);
        stdin.on("data", onData).on("end", onEnd).on("error", onEnd).resume();
      }),
  };
}

/** Long enough for the terminal to hand over what it holds, too short to be noticed. */
const drainMs = 50;
