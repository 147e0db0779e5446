/** A terminal for the stand-in, where the demo was started without one: answers count from a terminal alone. */
import { spawn } from "node:child_process";

/** What the terminal is made with. */
export interface TerminalOptions {
  readonly platform: NodeJS.Platform;
  /** Variables of what runs in it; `PATH` is where the program is looked for that makes it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Ends what runs in it. */
  readonly signal: AbortSignal;
}

/**
 * Runs `line` in a shell at a terminal of its own. Resolves once that has ended, with what it printed; null where no
 * terminal could be made, or on `signal`.
 */
export function runInTerminal(line: string, options: TerminalOptions): Promise<string | null> {
  const { platform, environment, signal } = options;
  const [program = "", ...args] = terminalWords(line, platform);
  return new Promise((resolve) => {
    // Its input stays open: some versions end what they run at the end of it.
    const child = spawn(program, args, { env: { ...environment, SHELL: "/bin/sh" }, signal });
    let printed = "";
    let hasFailed = false;
    const hear = (chunk: Buffer): void => {
      printed = `${printed}${chunk.toString("utf8")}`.slice(-mostPrinted);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.stdin.on("error", () => undefined);
    child.on("error", () => {
      hasFailed = true;
    });
    child.on("close", () => resolve(hasFailed ? null : printed));
  });
}

const mostPrinted = 2_000;

/** `script` of util-linux takes a line; that of the BSDs, which macOS has, takes words. */
function terminalWords(line: string, platform: NodeJS.Platform): readonly string[] {
  return platform === "linux"
    ? ["script", "-qc", line, "/dev/null"]
    : ["script", "-q", "/dev/null", "/bin/sh", "-c", line];
}
