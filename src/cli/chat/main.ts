/**
 * `wisp chat`: a face in lines, for any terminal and for other programs. A program of its own, so that the verbs that
 * people wait for do not carry it.
 */

import { reportError } from "../report.js";
import type { Terminal } from "../terminal.js";
import { startFrontEnd } from "./start-front-end.js";
import { startPlain } from "./start-plain.js";

/** How it talks. */
export type ChatMode = "plain" | "json";

/** Goes on until whoever is there leaves. Tells what went wrong and returns the exit code. */
export async function chat(mode: ChatMode, terminal: Terminal): Promise<number> {
  try {
    return await (mode === "plain" ? startPlain(terminal) : startFrontEnd(terminal));
  } catch (error) {
    // Told here, where the class of our own errors is that of what throws them: each bundle has one.
    return reportError(error, terminal);
  }
}
