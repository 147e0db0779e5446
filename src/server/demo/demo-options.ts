/** What every scene of the demo is handed. */
import type { ApprovalRequest } from "../../broker/index.js";
import type { Stage } from "./ask.js";
import type { Keyboard } from "./keyboard.js";

/** What a demo has to do with: a real server, its channel, and the person, where there is one. */
export interface DemoOptions extends Stage {
  /** How a client starts the server: its program and arguments. */
  readonly server: readonly string[];
  /** What the server's environment says besides. */
  readonly environment: Readonly<Record<string, string>>;
  /** The person at this terminal; null where there is none. */
  readonly keyboard: Keyboard | null;
  /** What to type in another terminal to approve request `id`. */
  readonly answeringLine: (id: string) => string;
  /** Types a line in a terminal made for it: what it printed, or null where none can be made. Used without a keyboard. */
  readonly typeElsewhere: (line: string, signal: AbortSignal) => Promise<string | null>;
}

/** Tells `where` an answer is waited for, then the line that gives it from another terminal. */
export function tellWhere(
  where: string,
  { id }: ApprovalRequest,
  { narrator, answeringLine }: DemoOptions,
): void {
  narrator.step("waiting", where);
  narrator.line(answeringLine(id));
}
