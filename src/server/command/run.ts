/**
 * Runs an approved command. Invariant: what is started is the file, the words and the directory that were shown,
 * checked right before; without a shell for an argv, in a process group and session of its own, so that it has no
 * terminal and can be ended whole.
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { type Clock, errnoOf } from "../../broker/index.js";
import { type Capture, captureOf, type KeptOutput, type OutputStore } from "./capture.js";
import type { Environment } from "./environment.js";
import { openPipes, type Pipes } from "./pipes.js";
import { type ResolvedCommand, refuseDrift } from "./resolve.js";
import { type Ending, supervise } from "./supervise.js";
import { type HeldDirectory, holdDirectory } from "./working-directory.js";

/** Most JSON bytes of each text, so that a whole result stays far below what clients refuse (1,000,000). */
export const outputLimits = { stdout: 100_000, stderr: 50_000 } as const;

/** What running takes beside the command itself. */
export interface RunParts {
  readonly clock: Clock;
  /** Ends the command when it aborts. */
  readonly signal: AbortSignal;
  readonly environment: Environment;
  /** Where outputs go that are too long to show. */
  readonly store: OutputStore;
  /** The mask for files the command makes: the one the server was started with. Null leaves the server's own. */
  readonly umask: number | null;
  /** Called once when it has started: from then on it may have done something. */
  readonly onStarted: () => void;
  /** The process groups that run; the caller ends what is left when it exits. */
  readonly groups: Set<number>;
}

/** What became of an approved command. */
export type CommandResult = RanCommand | UnstartedCommand;

/** It started; whatever it did before it ended is done. */
export interface RanCommand {
  /** Why it ended: by itself or by somebody else's signal, because its time was over, or because the caller left. */
  readonly ending: "exited" | "timed_out" | "cancelled";
  /** Null when it was ended by a signal, or could not be ended. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Is a part of either text missing in its middle? */
  readonly truncated: boolean;
  readonly durationMs: number;
  /** Where the whole of a truncated text is. */
  readonly outputFiles: { readonly stdout: KeptOutput | null; readonly stderr: KeptOutput | null };
}

/** It is certain that nothing ran. */
export type UnstartedCommand =
  /** The caller had left already. */
  | { readonly ending: "abandoned" }
  /** The system refused; `errno` is its word for why (`EACCES`, …). */
  | { readonly ending: "not_started"; readonly errno: string };

/**
 * Runs `command` for at most `timeoutMs` and resolves with how it ended. Rejects with replay_drift when program or
 * directory are not the approved ones any more; then nothing ran.
 */
export async function runCommand(
  command: ResolvedCommand,
  timeoutMs: number,
  parts: RunParts,
): Promise<CommandResult> {
  if (parts.signal.aborted) return { ending: "abandoned" };
  const pipes = await openPipes(parts.signal, parts.clock);
  try {
    if (parts.signal.aborted) return { ending: "abandoned" };
    // From here to the start nothing waits, so that little can change between the look and the use.
    const startedIn = holdDirectory(command.directory, command.directoryIdentity);
    try {
      refuseDrift(command, parts.environment);
      return await runChecked(command, timeoutMs, parts, { pipes, startedIn });
    } finally {
      startedIn.release();
    }
  } finally {
    pipes?.releaseEnds();
    pipes?.stdout.destroy();
    pipes?.stderr.destroy();
  }
}

/** What a child takes over from this process when it starts. */
interface Handed {
  readonly pipes: Pipes | null;
  readonly startedIn: HeldDirectory;
}

async function runChecked(
  command: ResolvedCommand,
  timeoutMs: number,
  parts: RunParts,
  handed: Handed,
): Promise<CommandResult> {
  const { clock, signal, store, groups, onStarted } = parts;
  const { pipes } = handed;
  const startedAt = clock.monotonic();
  const child = start(command, parts, handed);
  pipes?.releaseEnds();
  handed.startedIn.release();
  if (typeof child === "string") return notStarted(command, child, parts);
  if (child.pid === undefined) return notStarted(command, await spawnErrorOf(child), parts);
  onStarted();
  const stdout = captureOf("stdout", outputLimits.stdout, store);
  const stderr = captureOf("stderr", outputLimits.stderr, store);
  const streams = [
    captured(pipes?.stdout ?? child.stdout, stdout),
    captured(pipes?.stderr ?? child.stderr, stderr),
  ].filter((stream) => stream !== null);
  groups.add(child.pid);
  try {
    const ending = await supervise({ child, id: child.pid, streams, timeoutMs, clock, signal });
    return resultOf(ending, stdout, stderr, clock.monotonic() - startedAt);
  } finally {
    groups.delete(child.pid);
  }
}

/** The child, or the system's word for why there is none. */
function start(
  { argv, line, program }: ResolvedCommand,
  { environment, umask }: RunParts,
  { pipes, startedIn }: Handed,
): ChildProcess | string {
  // No start-up file may run before the line that was shown.
  const words = argv ?? ["bash", "--noprofile", "--norc", "-c", line ?? ""];
  // A child takes the mask over while it is being started; nothing else happens in between.
  const ours = umask === null ? null : process.umask(umask);
  try {
    return spawn(program.path, words.slice(1), {
      argv0: words[0],
      cwd: startedIn.path,
      env: environment,
      detached: true,
      stdio: ["ignore", ...(pipes?.ends ?? (["pipe", "pipe"] as const))],
    });
  } catch (error) {
    return errnoOf(error) ?? "unknown error";
  } finally {
    if (ours !== null) process.umask(ours);
  }
}

async function spawnErrorOf(child: ChildProcess): Promise<string> {
  const error = await new Promise<unknown>((resolve) => child.once("error", resolve));
  return errnoOf(error) ?? "unknown error";
}

function captured(stream: Readable | null, capture: Capture): Readable | null {
  stream?.on("data", (chunk: Buffer) => capture.write(chunk));
  return stream;
}

/** Between the last look and the start somebody may have been faster: then that is why. */
function notStarted(command: ResolvedCommand, errno: string, { environment }: RunParts): UnstartedCommand {
  refuseDrift(command, environment);
  return { ending: "not_started", errno };
}

function resultOf(ending: Ending, stdout: Capture, stderr: Capture, durationMs: number): RanCommand {
  const out = stdout.finish();
  const err = stderr.finish();
  return {
    ending: endingOf(ending.stopped),
    exitCode: ending.exitCode,
    signal: ending.signal,
    stdout: out.text,
    stderr: err.text,
    truncated: out.isTruncated || err.isTruncated,
    durationMs: Math.round(durationMs),
    outputFiles: { stdout: out.kept, stderr: err.kept },
  };
}

function endingOf(stopped: Ending["stopped"]): RanCommand["ending"] {
  switch (stopped) {
    case "timed_out":
    case "cancelled":
      return stopped;
    case "left_behind":
    case null:
      return "exited";
    default:
      return stopped satisfies never;
  }
}
