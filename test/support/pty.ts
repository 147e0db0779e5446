/**
 * A program under a real terminal. Python's pty module makes it: node has none of its own, and a native addon would
 * need an install script.
 */
import { spawn, spawnSync } from "node:child_process";
import type { Writable } from "node:stream";
import { onTestFinished } from "vitest";

export interface PtyOptions {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly directory?: string;
  readonly columns?: number;
  readonly rows?: number;
  /** What lies in the terminal already when the program starts; ends in a newline. */
  readonly typedAhead?: string;
  /** Does the program descend from no process of this test? Then its ancestors are no client's. */
  readonly isApart?: boolean;
  /** Hears what a program of node says over IPC; with it, `send` speaks to the program. */
  readonly onMessage?: (message: object) => void;
}

export interface Pty {
  /** Everything the program printed so far, standard error included, with lines ending in a newline alone. */
  output(): string;
  /** Hands `listener` all that was printed, as it was, and whatever is from now on. */
  onOutput(listener: (text: string) => void): void;
  /** Resolves once `text` was printed; rejects with the output when the program ends without it. */
  seen(text: string): Promise<void>;
  /** Types `text`; a line ends with \n and Ctrl-C is \x03. */
  type(text: string): void;
  /** Gives the terminal another size, of which its program hears. */
  resize(columns: number, rows: number): void;
  /** The terminal is gone, as when its window is closed. Not where the program lives apart. */
  hangUp(): void;
  /** Sends `message` to a program that was started with `onMessage`. */
  send(message: object): void;
  /** The exit code; 128 and the signal's number for a program that a signal ended. */
  readonly ended: Promise<number>;
}

const found = spawnSync("python3", ["-c", "import pty, sys; print(sys.executable)"], { encoding: "utf8" });

/** Why no terminal can be made here, or null. Tests that need one are skipped with this reason. */
export const ptyMissing: string | null = found.status === 0 ? null : "python3 with its pty module is missing";

/** What is called python3 may be a script that looks for it, each time for longer than the program below takes to start. */
const python = found.stdout?.trim() || "python3";

/** Nothing but its own modules, which is all that the program below needs: looking for others takes most of the start. */
const bare = ["-I", "-S"];

/** Starts `words` with a terminal as its input, output and session, and ends it with the running test. */
export function startInPty(words: readonly string[], options: PtyOptions = {}): Pty {
  const { environment = process.env, directory = process.cwd(), typedAhead = "" } = options;
  const { columns = 80, rows = 24 } = options;
  const place = options.isApart === true ? "apart" : "below";
  const child = spawn(python, [...bare, "-c", bridge, place, `${rows} ${columns}`, typedAhead, ...words], {
    cwd: directory,
    env: { TERM: "xterm-256color", ...environment },
    stdio: ["pipe", "pipe", "inherit", options.onMessage === undefined ? "ignore" : "ipc", "pipe"],
  });
  child.on("message", (message) => options.onMessage?.(message as object));
  const sizes = child.stdio[4] as Writable;
  // Nobody hears of a new size where nothing runs any more.
  sizes.on("error", () => {});
  let output = "";
  let raw = "";
  const readers = new Set<(text: string) => void>();
  const listeners = new Set<() => void>();
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    raw += text;
    output += text.replaceAll("\r\n", "\n");
    for (const reader of readers) reader(text);
    for (const listener of [...listeners]) listener();
  });
  // A program that has ended closes the pipe under a test that still types.
  child.stdin?.on("error", () => {});
  const ended = new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? -1)));
  onTestFinished(() => {
    child.kill();
    // The end of it that lives apart hears only this.
    child.stdin?.destroy();
  });
  return {
    output: () => output,
    onOutput(reader) {
      reader(raw);
      readers.add(reader);
    },
    seen: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!output.includes(text)) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
        ended.then((code) => reject(new Error(`Ended with ${code} and never printed ${text}:\n${output}`)));
      }),
    type: (text) => void child.stdin?.write(text),
    resize: (toColumns, toRows) => void sizes.write(`${toRows} ${toColumns}\n`),
    hangUp: () => void child.kill("SIGKILL"),
    send: (message) => void child.send(message),
    ended,
  };
}

/**
 * Copies between its own pipes and the terminal until the program has closed it, then ends as the program did. What
 * was typed ahead is in the terminal before the program starts: a line is readable there once it is whole. The other
 * end of IPC is the program's alone, so that it is seen to close with the program. Apart means below a process whose
 * own parent has ended: the first process of the system has taken it in by the time the program starts.
 */
const bridge = `
import fcntl, os, pty, select, struct, sys, termios, time
is_apart, size, ahead, words = sys.argv[1] == "apart", sys.argv[2], sys.argv[3].encode(), sys.argv[4:]
def resize(terminal, size):
    rows, columns = (int(number) for number in size.split())
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
if is_apart:
    told, tell = os.pipe()
    if os.fork() != 0:
        os.close(tell)
        os.wait()
        sys.exit(int(os.read(told, 4) or b"1"))
    middle = os.getpid()
    if os.fork() != 0:
        os._exit(0)
    while os.getppid() == middle:
        time.sleep(0.001)
pid, terminal = pty.fork()
if pid == 0:
    os.close(4)
    resize(0, size)
    if ahead:
        select.select([0], [], [])
    os.execvp(words[0], words)
if "NODE_CHANNEL_FD" in os.environ:
    os.close(int(os.environ["NODE_CHANNEL_FD"]))
if ahead:
    os.write(terminal, ahead)
inputs = [0, 4, terminal]
while True:
    ready, _, _ = select.select(inputs, [], [])
    if terminal in ready:
        try:
            data = os.read(terminal, 65536)
        except OSError:
            data = b""
        if not data:
            break
        os.write(1, data)
    if 4 in ready:
        sizes = os.read(4, 65536).decode()
        for size in sizes.splitlines():
            resize(terminal, size)
        if not sizes:
            inputs.remove(4)
    if 0 in ready:
        data = os.read(0, 65536)
        if data:
            os.write(terminal, data)
        elif is_apart:
            sys.exit(1)
        else:
            inputs.remove(0)
_, status = os.waitpid(pid, 0)
code = os.waitstatus_to_exitcode(status)
code = code if code >= 0 else 128 - code
if is_apart:
    os.write(tell, str(code).encode())
sys.exit(code)
`;
