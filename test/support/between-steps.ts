/** A disk on which something happens right before a step on one path: others change it while it is looked at, or it fails. */
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

/** What can be looked for. */
export type Step = "lstat" | "open" | "readdir" | "readlink" | "realpath";
type Call = (path: unknown, ...rest: unknown[]) => Promise<unknown>;

/**
 * Runs `run` while `happens` comes before each `step` on `path`; what it throws is what the step fails with. One at a time,
 * and no other test may run beside it.
 */
export async function rightBefore<T>(
  step: Step,
  path: string,
  happens: () => void,
  run: () => Promise<T>,
): Promise<T> {
  const calls = promises as unknown as Record<Step, Call>;
  const real = calls[step];
  calls[step] = async (given, ...rest) => {
    if (String(given) === path) happens();
    return await real(given, ...rest);
  };
  syncBuiltinESMExports();
  try {
    return await run();
  } finally {
    calls[step] = real;
    syncBuiltinESMExports();
  }
}

/** A step that fails so. */
export function failsWith(errno: string): () => never {
  return () => {
    throw Object.assign(new Error(errno), { code: errno });
  };
}
