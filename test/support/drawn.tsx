/** What the face draws on a terminal of which nothing is real but its size. */
import { EventEmitter } from "node:events";
import { render } from "ink";
import { Face } from "../../src/tui/components/face.js";
import type { Look } from "../../src/tui/components/look.js";
import type { Screen } from "../../src/tui/screen/screen.js";

export const plainLook: Look = { colour: false };
export const colourLook: Look = { colour: true };

/** The rows of `screen` as Ink leaves them, escapes and all. */
export function drawn(screen: Screen, look: Look = plainLook): readonly string[] {
  let frame = "";
  const output = Object.assign(new EventEmitter(), {
    columns: screen.size.columns,
    rows: screen.size.rows + 1,
    write(text: string): boolean {
      frame = text;
      return true;
    },
  });
  const { unmount } = render(<Face screen={screen} look={look} />, {
    stdout: output as unknown as NodeJS.WriteStream,
    // Each frame as it is, whatever the environment.
    debug: true,
    patchConsole: false,
    exitOnCtrlC: false,
  });
  const rows = frame.split("\n");
  unmount();
  return rows;
}
