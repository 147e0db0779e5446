/** The border between a sitting and the two ways in which the face shows itself. */
import type { InputEvent } from "./input.js";

/** How the face is there for a person: drawn on the screen, or said in lines. */
export interface Presence {
  /** Takes what the terminal sent. */
  hear(event: InputEvent): void;
  /** Shows everything anew: the terminal has another size, or something else was on it. */
  again(): void;
  /** Writes nothing any more. */
  close(): void;
}
