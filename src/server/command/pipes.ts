/**
 * Pipes for the output of a command. What Node calls a pipe is a socket on Linux, and opening `/dev/stderr` or
 * `/dev/stdout` fails on a socket; scripts do that every day. So on Linux two named pipes are made, opened at both
 * ends, and removed before anything runs.
 */
import { execFile } from "node:child_process";
import { closeSync, constants, existsSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import type { Clock } from "../../broker/index.js";

/** Both outputs of one command, open at both ends. */
export interface Pipes {
  /** Our ends. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The command's ends: two descriptors. */
  readonly ends: readonly [number, number];
  /** To be called once the command has its ends: they then close when it and all that it started are gone. */
  releaseEnds(): void;
}

/** Never looked for on PATH: this program runs beside what was approved, and nobody was shown it. */
const places: readonly string[] = ["/usr/bin/mkfifo", "/bin/mkfifo"];

/** It takes a few milliseconds; after this long something is wrong with the machine, and the command is not kept. */
const longestMs = 2_000;

/**
 * Real pipes, or null where Node's own have to do. Never rejects. The first of `programs` that exists makes them;
 * it is killed when `signal` aborts.
 */
export async function openPipes(
  signal: AbortSignal,
  clock: Clock,
  programs: readonly string[] = places,
): Promise<Pipes | null> {
  const program = programs.find((path) => existsSync(path));
  if (process.platform !== "linux" || program === undefined) return null;
  const late = new AbortController();
  const timer = clock.after(longestMs, () => late.abort());
  try {
    const directory = mkdtempSync(join(tmpdir(), "wisp-"));
    try {
      const paths = [join(directory, "stdout"), join(directory, "stderr")] as const;
      const ending = { signal: AbortSignal.any([signal, late.signal]), killSignal: "SIGKILL" } as const;
      await promisify(execFile)(program, ["-m", "600", ...paths], { env: {}, ...ending });
      return openBoth(paths);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  } catch {
    // No room, no descriptors, no time: the command still runs, with Node's pipes.
    return null;
  } finally {
    timer.cancel();
  }
}

function openBoth([first, second]: readonly [string, string]): Pipes {
  const open: number[] = [];
  const openOne = (path: string, flags: number): number => {
    const file = openSync(path, flags | constants.O_NOFOLLOW);
    open.push(file);
    return file;
  };
  try {
    // Reading first and without blocking; with a reader there, opening for writing does not block either.
    const reading = constants.O_RDONLY | constants.O_NONBLOCK;
    const ours = [openOne(first, reading), openOne(second, reading)] as const;
    const ends = [openOne(first, constants.O_WRONLY), openOne(second, constants.O_WRONLY)] as const;
    return {
      stdout: streamOf(ours[0]),
      stderr: streamOf(ours[1]),
      ends,
      releaseEnds: once(() => closeAll(ends)),
    };
  } catch (error) {
    closeAll(open);
    throw error;
  }
}

function streamOf(file: number): Readable {
  return new Socket({ fd: file, readable: true, writable: false });
}

function closeAll(files: readonly number[]): void {
  for (const file of files) closeSync(file);
}

/** A descriptor that is closed twice may be somebody else's by then. */
function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}
