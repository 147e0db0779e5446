/** A disk on which something happens right before a step on one path: others change it while it is looked at, or it fails. */
import fs from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const waited = ["lstat", "open", "readdir", "readlink", "realpath"] as const;
const atOnce = [
  "linkSync",
  "lstatSync",
  "mkdirSync",
  "openSync",
  "readdirSync",
  "readFileSync",
  "renameSync",
  "statSync",
  "unlinkSync",
] as const;

/** What can be done to a path. */
export type Step = (typeof waited)[number] | (typeof atOnce)[number];

type Call = (path: unknown, ...rest: unknown[]) => unknown;

/**
 * Runs `run` while `happens` comes before each `step` on `path`; what it throws is what the step fails with. One at a time,
 * and no other test may run beside it.
 */
export async function rightBefore<T>(
  step: Step,
  path: string,
  happens: () => void,
  run: () => T | Promise<T>,
): Promise<T> {
  return await whileStepIs(
    step,
    path,
    (go) => {
      happens();
      return go();
    },
    run,
  );
}

/** Runs `run` while each `step` on `path` gives `value`, whatever is there. */
export async function whileGiven<T>(
  step: Step,
  path: string,
  value: unknown,
  run: () => T | Promise<T>,
): Promise<T> {
  return await whileStepIs(step, path, () => value, run);
}

async function whileStepIs<T>(
  step: Step,
  path: string,
  become: (go: () => unknown) => unknown,
  run: () => T | Promise<T>,
): Promise<T> {
  const calls = (isWaited(step) ? promises : fs) as unknown as Record<Step, Call>;
  const real = calls[step];
  const taken = (given: unknown, ...rest: readonly unknown[]): unknown => {
    const go = (): unknown => real(given, ...rest);
    return String(given) === path ? become(go) : go();
  };
  calls[step] = isWaited(step) ? async (...given) => await taken(...given) : taken;
  syncBuiltinESMExports();
  try {
    return await run();
  } finally {
    calls[step] = real;
    syncBuiltinESMExports();
  }
}

function isWaited(step: Step): boolean {
  return (waited as readonly string[]).includes(step);
}

/** A step that fails so. */
export function failsWith(errno: string): () => never {
  return () => {
    throw Object.assign(new Error(errno), { code: errno });
  };
}

/** The same that happens once, however often its step comes. */
export function once(happens: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) {
      isDone = true;
      happens();
    }
  };
}
