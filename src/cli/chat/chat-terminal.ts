/** The terminal of plain chat, which its verbs talk through. */
import type { Terminal } from "../terminal.js";

/**
 * `own` as plain chat has it: answers name chat, and whatever Ctrl-C interrupts, it leaves, as does the end of the input at
 * a question of a verb. From then on what is typed goes to a shell.
 */
export function chatTerminal(own: Terminal, interrupted: AbortSignal): Terminal {
  let isEnded = false;
  return {
    ...own,
    via: "chat",
    interruption: () => interrupted,
    get isLeaving() {
      return isEnded || interrupted.aborted;
    },
    async readLine(question, signal, isWhole) {
      const line = await own.readLine(question, signal, isWhole);
      // Null is also what a question reads whose request ended meanwhile: then the chat goes on.
      if (line === null && !signal.aborted) isEnded = true;
      return line;
    },
  };
}
