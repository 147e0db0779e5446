/** Plays the person at a client's dialog: the demo decides when it presses a button, and which. */
import type { Clock } from "../../broker/index.js";
import type { Narrator } from "./narrator.js";

/** The two that every form of ours has. */
export type Button = "approve" | "deny";

/** A dialog, and the hand that presses its buttons. */
export interface StandIn {
  /** For the client: called when the server asks for a dialog; resolves with the button that was pressed. */
  readonly dialog: (message: string) => Promise<Button>;
  /**
   * Presses a button of the dialog that is open or about to open, a moment later, so that it is seen. Throws an
   * Error when none opens. When the wait is `over` it has no effect.
   */
  press(button: Button, over: AbortSignal): Promise<void>;
}

/** Presses nothing until it is told to, and tells `narrator` what the dialog shows. */
export function createStandIn(clock: Clock, narrator: Narrator): StandIn {
  let isOpen = new AbortController();
  let pressed: (button: Button) => void = () => undefined;
  return {
    dialog(message) {
      narrator.step("dialog", `shows: ${message.split("\n")[0] ?? ""}`);
      isOpen.abort();
      return new Promise((resolve) => {
        pressed = resolve;
      });
    },
    async press(button, over) {
      await pause(clock, longestOpeningMs, AbortSignal.any([over, isOpen.signal]));
      if (!isOpen.signal.aborted && !over.aborted) throw new Error("The server asked for no dialog.");
      isOpen = new AbortController();
      await pause(clock, visibleMs, over);
      pressed(button);
    },
  };
}

/** A server asks in every way at once; this much later it will not ask here any more. */
const longestOpeningMs = 10_000;

/** As long as it takes to see that something waits. */
const visibleMs = 1_500;

/** Waits; returns at once when `over` is aborted. */
export function pause(clock: Pick<Clock, "after">, delayMs: number, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      timer.cancel();
      over.removeEventListener("abort", finish);
      resolve();
    };
    const timer = clock.after(delayMs, finish, true);
    over.addEventListener("abort", finish);
    if (over.aborted) finish();
  });
}
