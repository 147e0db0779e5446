/** What the demo says: plain lines, each step with the time since its scene began. */
import { type Clock, shownText } from "../../broker/index.js";

/** Every text is made safe to print here; callers hand over what they got as they got it. */
export interface Narrator {
  /** A heading; the times of the steps below it count from here. */
  scene(title: string): void;
  /** One thing that happened just now: `  0.31 s  filed     request k7q2mx9d`. */
  step(name: string, text: string): void;
  /** A line of its own, from the first column and never folded: a command to paste, or a sentence. */
  line(text: string): void;
}

/** `columns` is the width of the terminal that `write` writes to; null where it is none, and nothing is folded. */
export function createNarrator(
  clock: Pick<Clock, "monotonic">,
  write: (text: string) => void,
  columns: number | null,
): Narrator {
  let beganAt = clock.monotonic();
  return {
    scene(title) {
      beganAt = clock.monotonic();
      write(`\n${shownText(title)}\n`);
    },
    step(name, text) {
      const seconds = ((clock.monotonic() - beganAt) / 1_000).toFixed(2).padStart(6);
      const label = `${seconds} s  ${name.padEnd(widestName)}  `;
      const safe = shownText(text);
      const lines = columns === null ? [safe] : folded(safe, columns - label.length);
      write(`${label}${lines.join(`\n${" ".repeat(label.length)}`)}\n`);
    },
    line(text) {
      write(`${shownText(text)}\n`);
    },
  };
}

const widestName = "answered".length;

/** Broken at blanks; a longer word stays whole. */
function folded(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
