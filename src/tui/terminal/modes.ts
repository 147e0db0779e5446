/**
 * The modes of the terminal. Invariant: `leave` puts back everything that `enter` changed, by one write that is done when
 * it returns, however often and from wherever it is called; so it comes first in every way in which the program ends.
 */
import { writeSync } from "node:fs";
import { errnoOf } from "../../broker/index.js";

/** What is changed of the terminal while the face is open. */
export interface Modes {
  /** Takes the terminal; also again, where another program may have changed it meanwhile. */
  enter(): void;
  /** Puts everything back. Does nothing the second time. */
  leave(): void;
}

/** How the modes are set. */
export interface ModeParts {
  /** Writes to the terminal before it returns. Never throws. */
  readonly write: (text: string) => void;
  /** Keys come as they are pressed, unechoed, and make no signals. May throw where the terminal is gone. */
  readonly setRawMode: (isRaw: boolean) => void;
}

/** With it the terminal keeps where its caret was. Not asked for twice: that would keep another place. */
const alternateScreen = "\u001b[?1049h";

/**
 * What another program may have left behind, which would colour the frame or draw it elsewhere: attributes, origin mode,
 * scroll region, line drawing, insertion. No wraparound: what this terminal draws wider than we count is cut off, and
 * cannot come to stand over the labels of the next row. Keys as they were before there were protocols for them. Hidden
 * caret, marks around what is pasted, news of the focus.
 */
const cleanScreen =
  "\u001b[=0u\u001b[>4;0m\u001b[0m\u001b[?6l\u001b[r\u001b(B\u000f\u001b[4l\u001b[?7l\u001b[?25l\u001b[?2004h\u001b[?1004h";

/** The same in reverse, after the end of a frame that was cut off. The region is reset before the caret goes back to its place. */
const giveScreenBack =
  "\u001b[?2026l\u001b[?1004l\u001b[?2004l\u001b[?7h\u001b[0m\u001b[r\u001b[?1049l\u001b[0m\u001b[?25h";

/** The modes of a terminal that is drawn on. */
export function screenModes(parts: ModeParts): Modes {
  return modesOf(parts, [alternateScreen, cleanScreen], giveScreenBack);
}

/** The modes of a terminal that lines are added to: marks around what is pasted where it `canMark`, and no other escape. */
export function lineModes(parts: ModeParts, canMark: boolean): Modes {
  return canMark ? modesOf(parts, ["", "\u001b[?2004h"], "\u001b[?2004l") : modesOf(parts, ["", ""], "");
}

/** `once` is written where the terminal was not taken already, `always` after it in any case. */
function modesOf(
  { write, setRawMode }: ModeParts,
  [once, always]: readonly [once: string, always: string],
  giveBack: string,
): Modes {
  let isTaken = false;
  return {
    enter() {
      // Node sets no mode that it believes to be set, and who ran meanwhile may have set another.
      if (isTaken) setRawMode(false);
      setRawMode(true);
      write(isTaken ? always : `${once}${always}`);
      isTaken = true;
    },
    leave() {
      if (!isTaken) return;
      isTaken = false;
      write(giveBack);
      try {
        setRawMode(false);
      } catch {
        // The terminal has hung up: it has no modes any more.
      }
    },
  };
}

/** What Node keeps of a stream to a terminal. */
interface Handled {
  readonly _handle?: { readonly fd?: number; setBlocking?(isBlocking: boolean): number };
}

/**
 * Has what is written to `stream` wait where the terminal takes nothing, instead of this whole program: stopped in a
 * write it would hear of no signal. Node has opened the terminal anew, so that this changes it for nobody else.
 */
export function writeWithoutWaiting(stream: NodeJS.WriteStream): void {
  (stream as Handled)._handle?.setBlocking?.(false);
}

/** The terminal is full: it is tried again after a millisecond, and not for ever. */
const mostTries = 500;

/** Writes `text` to the standard output before it returns, as far as the terminal takes it within half a second. */
export function writeNow(text: string): void {
  // The same as 1, but for that it does not wait.
  const descriptor = (process.stdout as Handled)._handle?.fd ?? 1;
  let rest: Uint8Array = Buffer.from(text, "utf8");
  for (let tries = 0; rest.length > 0 && tries < mostTries; tries += 1) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      // Hung up, or closed: nobody sees it any more.
      if (errnoOf(error) !== "EAGAIN") return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
