/** The face as it is drawn on the screen. */
import type { Clock } from "../broker/index.js";
import { App } from "./app.js";
import type { Look } from "./components/look.js";
import type { Screen } from "./screen/screen.js";
import type { Store } from "./store.js";
import { type Canvas, openCanvas } from "./terminal/canvas.js";
import type { Presence } from "./terminal/presence.js";

/** What the face is drawn with, and on. */
export interface PictureParts {
  readonly look: Look;
  /** Columns of the terminal now. */
  readonly columns: () => number;
  readonly clock: Clock;
  /** Writes a frame. */
  readonly write: (text: string) => void;
  /** Calls `then` when the terminal has taken all that was written. */
  readonly whenWritten: (then: () => void) => void;
  /** Something could not be drawn. */
  readonly onError: (error: unknown) => void;
}

/** Longer than ink keeps a frame that is made before it writes it: until the next turn. */
const writingMs = 5;

/** Draws the screen of `store`, and whatever changes of it, and tells the store when that stands on the terminal. */
export function openPicture(store: Store, parts: PictureParts): Presence {
  const { look, columns, clock, write, whenWritten, onError } = parts;
  /** All that had happened by then is in the next frame. */
  let madeAt = Number.NEGATIVE_INFINITY;

  function onMade(screen: Screen): void {
    if (screen === store.screen()) madeAt = clock.monotonic();
  }
  function onFrame(): void {
    const until = madeAt;
    const tell = (): void => store.dispatch({ kind: "drawn", until, at: clock.monotonic() });
    // Counted from when ink has begun to wait, so that its own timer is the first.
    queueMicrotask(() => clock.after(writingMs, () => whenWritten(tell)));
  }
  function open(): Canvas {
    const app = <App store={store} look={look} onMade={onMade} />;
    return openCanvas(app, { columns: columns(), write, onFrame, onError });
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
