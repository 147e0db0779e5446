/**
 * Whole runs of a program: what it printed, how it ended, and what CPU it took from start to end. The time is that of
 * bash's `time`, which is the kernel's account of the process, to the millisecond.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Run {
  readonly argv: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Run it on a terminal of its own, where a person would be asked. */
  readonly onTerminal?: boolean;
  /** What the output must hold, both streams together. */
  readonly says: readonly string[];
}

/** Runs to the end; milliseconds of CPU. Throws when it does not exit with 0 or does not say what it must. */
export async function cpuMsOfRun(run: Run): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "wisp-bench-"));
  try {
    const report = join(directory, "time");
    const timed = ["bash", "-c", timing, "bash", report, ...run.argv];
    const { status, output } = await outputOf(
      run.onTerminal === true ? onTerminal(timed) : timed,
      run,
      directory,
    );
    if (status !== 0 || !run.says.every((text) => output.includes(text))) {
      throw new Error(`${run.argv.join(" ")} ended with ${status} and said: ${output.slice(0, 500)}`);
    }
    return sumOf(readFileSync(report, "utf8"));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Keeps the program's own standard error apart from the report of `time`, and its exit status. */
const timing = `TIMEFORMAT='%3U %3S'; report=$1; shift; { time "$@" 2>&3; } 3>&2 2>"$report"`;

function onTerminal(argv: readonly string[]): readonly string[] {
  return ["script", "-qec", argv.map(quoted).join(" "), "/dev/null"];
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function outputOf(
  [program = "", ...words]: readonly string[],
  { environment }: Run,
  directory: string,
): Promise<{ readonly status: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      cwd: directory,
      env: { PATH: process.env.PATH ?? "", TERM: "xterm", ...environment },
      // Held open to the end: a terminal whose other side is closed hangs up.
      stdio: ["pipe", "pipe", "pipe"],
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, output: Buffer.concat(chunks).toString("utf8") }));
  });
}

/** Seconds of the program's own code and of the kernel for it, as two numbers. */
function sumOf(report: string): number {
  const [own, kernel] = report.trim().split(" ").map(Number);
  if (own === undefined || kernel === undefined) throw new Error(`No time was told: ${report}`);
  return (own + kernel) * 1_000;
}
