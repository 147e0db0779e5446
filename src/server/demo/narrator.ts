/** What the demo says: plain lines, each step with the time since its scene began. */
import { type Clock, shownText } from "../../broker/index.js";

/** Every text is made safe to print here; callers hand over what they got as they got it. */
export interface Narrator {
  /** A heading; the times of the steps below it count from here. */
  scene(title: string): void;
  /** One thing that happened just now: `  0.31 s  filed     request k7q2mx9d`. */
  step(name: string, text: string): void;
  /** A line of its own, from the first column: a command to paste, or a sentence. */
  line(text: string): void;
}

export function createNarrator(clock: Pick<Clock, "monotonic">, write: (text: string) => void): Narrator {
  let beganAt = clock.monotonic();
  return {
    scene(title) {
      beganAt = clock.monotonic();
      write(`\n${shownText(title)}\n`);
    },
    step(name, text) {
      const seconds = ((clock.monotonic() - beganAt) / 1_000).toFixed(2).padStart(6);
      write(`${seconds} s  ${name.padEnd(widestName)}  ${shownText(text)}\n`);
    },
    line(text) {
      write(`${shownText(text)}\n`);
    },
  };
}

const widestName = "answered".length;
