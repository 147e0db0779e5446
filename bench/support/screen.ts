/** A program under a terminal of its own: what it draws and when, what is typed, and how it ends. */
import { spawn } from "node:child_process";
import { nowUs, sleep } from "./worker.js";

export interface Screen {
  /** The program's own: it takes the place of the shell that started it. */
  readonly pid: number;
  /** Resolves when `text` has been drawn since `forget`, with the time at which it came, as `nowUs`. */
  seen(text: string): Promise<number>;
  /** Forgets what was drawn; returns how many bytes that were. */
  forget(): number;
  /** Resolves once nothing has been drawn for a while. */
  quiet(): Promise<void>;
  type(text: string): void;
  /** Types `text` and waits for the end. Throws when that is none with 0. */
  leave(text: string): Promise<void>;
}

/** Longer than anything is put off before it is drawn. */
const quietMs = 150;
/** A program that draws nothing for so long never will. */
const longestMs = 60_000;

/** Starts `node` with `words`, 80 columns wide and 24 rows high. */
export async function startOnScreen(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Screen> {
  const line = [process.execPath, ...words].map(quoted).join(" ");
  const child = spawn(
    "script",
    ["-qec", `stty rows 24 cols 80; echo "pid $$ it is"; exec ${line}`, "/dev/null"],
    {
      env: { PATH: process.env.PATH ?? "", SHELL: "/bin/sh", TERM: "xterm-256color", ...environment },
      // Held open to the end: a terminal whose other side is closed hangs up.
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  let drawn = "";
  let bytes = 0;
  let drawnAt = nowUs();
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const watchers = new Set<() => void>();
  child.stdout.on("data", (chunk: Buffer) => {
    drawnAt = nowUs();
    drawn += chunk.toString("utf8");
    bytes += chunk.length;
    for (const watcher of [...watchers]) watcher();
  });

  function seen(text: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const fail = (why: string): void =>
        reject(new Error(`${line} ${why} before it drew ${text}: ${drawn.slice(-500)}`));
      const timer = setTimeout(() => fail("waited too long"), longestMs);
      const look = (): void => {
        if (!drawn.includes(text)) return;
        clearTimeout(timer);
        watchers.delete(look);
        resolve(drawnAt);
      };
      watchers.add(look);
      look();
      ended.then((code) => fail(`ended with ${code}`));
    });
  }

  await seen("it is");
  return {
    pid: Number(/pid (\d+)/.exec(drawn)?.[1]),
    seen,
    forget() {
      const before = bytes;
      drawn = "";
      bytes = 0;
      return before;
    },
    async quiet() {
      while (nowUs() - drawnAt < quietMs * 1_000) await sleep(quietMs / 3);
    },
    type: (text) => void child.stdin.write(text),
    async leave(text) {
      child.stdin.write(text);
      const code = await ended;
      if (code !== 0) throw new Error(`${line} ended with ${code}: ${drawn.slice(-500)}`);
    },
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
