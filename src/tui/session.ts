/** One sitting of a person before the full-screen face: from taking the terminal to giving it back. */
import type { Clock } from "../broker/index.js";
import type { Seat } from "../face/seat.js";
import { openFace } from "./open-face.js";
import type { Size } from "./screen/screen.js";
import type { Answer, Store } from "./store.js";
import { exits, reportError, tellUnread } from "./terminal/complain.js";
import { endNow, stopAll, watchEndings } from "./terminal/endings.js";
import { type InputEvent, listenTo } from "./terminal/input.js";
import { openLines, saidSize } from "./terminal/lines.js";
import { lineModes, type ModeParts, screenModes, writeNow, writeWithoutWaiting } from "./terminal/modes.js";
import type { Presence } from "./terminal/presence.js";

/** How the terminal is used. */
export type Manner =
  | { readonly kind: "drawn"; readonly isColoured: boolean }
  /** Does the terminal know marks around what is pasted? */
  | { readonly kind: "said"; readonly canMark: boolean };

/**
 * Opens the face on the terminal of this process and resolves with the exit code when the person leaves it. Everything
 * else that ends it ends the process. Throws channel_unsafe, channel_unavailable, with the terminal untouched.
 */
export async function sit(seat: Seat, manner: Manner): Promise<number> {
  const { clock, environment } = seat;
  const { stdin, stdout } = process;
  const open = await presenceOf(manner, clock);
  return await new Promise((resolve) => {
    writeWithoutWaiting(stdout);
    const undo: (() => void)[] = [];
    let presence: Presence | null = null;
    const modes = modesFor(manner, { write: writeNow, setRawMode: (isRaw) => void stdin.setRawMode(isRaw) });
    const store = openFace(seat, {
      size: sizeOf(stdout, manner),
      isLinear: manner.kind === "said",
      ring: () => writeNow("\u0007"),
      quit: () =>
        finish((unread) => {
          tellUnread(unread);
          resolve(exits.done);
        }),
    });

    /** The terminal first, then what writes to it, then what it was written from. */
    function finish(then: (unread: readonly Answer[]) => void): void {
      modes.leave();
      presence?.close();
      for (const stop of undo) stop();
      then(store.close());
    }
    function end(exit: number): void {
      finish(() => endNow(exit));
    }
    function fail(error: unknown): void {
      finish(() => endNow(reportError(error, environment)));
    }
    function showAgain(): void {
      store.dispatch({ kind: "resized", size: sizeOf(stdout, manner), at: clock.monotonic() });
      presence?.again();
    }
    function hear(event: InputEvent): void {
      if (event.kind === "key" && event.key.isControl && event.key.name === "z") stopAll();
      else presence?.hear(event);
    }

    undo.push(watchEndings({ modes, end, fail, onReturn: showAgain }));
    stdout.on("error", () => end(exits.hungUp));
    try {
      modes.enter();
    } catch {
      // It has hung up in this moment.
      return end(exits.hungUp);
    }
    presence = open(store, fail);
    const input = listenTo(stdin, {
      clock,
      // There is no time in it: what can be read now is read before.
      afterReading: setImmediate,
      onEvent: hear,
      onEnd: () => end(exits.hungUp),
    });
    undo.push(input.close, store.subscribe(input.watch));
    if (manner.kind === "drawn") {
      stdout.on("resize", showAgain);
      undo.push(() => stdout.off("resize", showAgain));
    }
  });
}

type OpenPresence = (store: Store, onError: (error: unknown) => void) => Presence;

/** What draws is loaded only to draw. */
async function presenceOf(manner: Manner, clock: Clock): Promise<OpenPresence> {
  const { stdout } = process;
  const write = (text: string, then?: () => void): void =>
    void stdout.write(text, (error) => {
      if (!error) then?.();
    });
  if (manner.kind === "said") return (store) => openLines(store, write, clock, () => stdout.columns || 80);
  const { openPicture } = await import("./picture.js");
  return (store, onError) =>
    openPicture(store, {
      look: { colour: manner.isColoured },
      columns: () => sizeOf(stdout, manner).columns,
      clock,
      write,
      whenWritten: (then) => write("", then),
      onError,
    });
}

function modesFor(manner: Manner, parts: ModeParts): ReturnType<typeof screenModes> {
  return manner.kind === "said" ? lineModes(parts, manner.canMark) : screenModes(parts);
}

/** A terminal that was given no size says 0. */
function sizeOf({ columns, rows }: NodeJS.WriteStream, { kind }: Manner): Size {
  return kind === "said" ? saidSize : { columns: columns || 80, rows: rows || 24 };
}
