/** The demo's own terminal, lent to the full-screen face: a program of its own, as a person starts it. */
import { spawn } from "node:child_process";

/**
 * Starts `words` on this terminal, with `environment` beside that of this process. Resolves when it has ended, whatever it
 * came to: it puts the terminal back itself, also when `signal` ends it.
 */
export function lendTo(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const [program = "", ...args] = words;
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const child = spawn(program, args, { stdio: "inherit", env: { ...process.env, ...environment }, signal });
    // It could not be started, or was told to end: what follows asks again, or is over.
    child.on("error", () => undefined);
    child.on("close", () => resolve());
  });
}
