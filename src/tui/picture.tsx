/** The face as it is drawn on the screen. */
import { App } from "./app.js";
import type { Look } from "./components/look.js";
import type { Store } from "./store.js";
import { type Canvas, openCanvas } from "./terminal/canvas.js";
import type { Presence } from "./terminal/presence.js";

/** What the face is drawn with, and on. */
export interface PictureParts {
  readonly look: Look;
  /** Columns of the terminal now. */
  readonly columns: () => number;
  /** Writes a frame. */
  readonly write: (text: string) => void;
  /** Something could not be drawn. */
  readonly onError: (error: unknown) => void;
}

/** Draws the screen of `store`, and whatever changes of it. */
export function openPicture(store: Store, { look, columns, write, onError }: PictureParts): Presence {
  function open(): Canvas {
    return openCanvas(<App store={store} look={look} />, { columns: columns(), write, onError });
  }
  let canvas = open();
  return {
    hear: (event) => store.dispatch(event),
    again() {
      canvas.close();
      canvas = open();
    },
    close: () => canvas.close(),
  };
}
