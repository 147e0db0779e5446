/**
 * The person at the demo's own terminal. Lines are read as the terminal hands them over, so no mode is ever set that
 * a crash would leave behind, and Enter alone never approves.
 */
import type { ApprovalRequest, Clock, Timer } from "../../broker/index.js";
import { answerTo, endingText, give } from "./answering.js";
import type { Stage } from "./ask.js";

/** The terminal that the demo was started on, as far as it is read. */
export interface Keyboard {
  /** The next line that is typed after `question` stands there; null when there is none any more, or on `signal`. */
  readLine(question: string, signal: AbortSignal): Promise<string | null>;
  /** Lends the terminal to the full-screen face until the person leaves it, or until `signal`. Never rejects. */
  openFace(signal: AbortSignal): Promise<void>;
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
    const typed = await keyboard.readLine(question, over);
    if (typed === null) {
      if (!over.aborted) narrator.line("This keyboard is closed now; answer in another terminal, as above.");
      return;
    }
    const meant = meaningOf(typed);
    if (meant === null) narrator.line("That was neither y nor d nor f; it still waits.");
    else if (meant === "face") {
      narrator.line("In it: y approves, d denies, q comes back here.");
      narrator.line("The client here is the demo, so the receipt says that you answered from within it.");
      await lendTerminal(keyboard, stage, over);
      if (over.aborted) return;
    } else {
      const decision = meant;
      // The receipt of this very answer ends the wait: it must not end the look for it.
      const ending = await give(answerTo(request, decision, stage), request, stage, stage.signal);
      if (ending === "won") return;
      narrator.step("unused", `your ${decision}: ${endingText(ending)}`);
      if (ending !== "refused") return;
    }
  }
}

const question = "Or here: y approves, d denies, f opens the full-screen face, then Enter: ";

/** Whoever answered in the face reads there how it ended, and leaves; somebody who walked away is not waited for. */
async function lendTerminal(keyboard: Keyboard, { clock, signal }: Stage, over: AbortSignal): Promise<void> {
  const enough = new AbortController();
  const timers: Timer[] = [];
  const onOver = (): void => void timers.push(clock.after(mostAfterMs, () => enough.abort(), true));
  over.addEventListener("abort", onOver, { once: true });
  try {
    await keyboard.openFace(AbortSignal.any([signal, enough.signal]));
  } finally {
    over.removeEventListener("abort", onOver);
    for (const timer of timers) timer.cancel();
  }
}

const mostAfterMs = 60_000;

function meaningOf(typed: string): "approve" | "deny" | "face" | null {
  switch (typed.trim().toLowerCase()) {
    case "y":
      return "approve";
    case "d":
      return "deny";
    case "f":
      return "face";
    default:
      return null;
  }
}

/** The lines of a terminal; `ask` prints a question there. */
export function linesOf(
  stdin: NodeJS.ReadableStream,
  ask: (text: string) => void,
  clock: Pick<Clock, "after">,
): Pick<Keyboard, "readLine"> {
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
