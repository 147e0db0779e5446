/** A built program under a real terminal, and an emulator that shows what it draws. */
import { spawn } from "node:child_process";
import { setTimeout as later } from "node:timers/promises";
import headless from "@xterm/headless";

/**
 * @typedef {object} Screen
 * @property {(text: RegExp) => Promise<void>} until resolves once `text` is on a screen that stands still; rejects when that takes too long
 * @property {(keys: string) => Promise<void>} type types `keys` after the quiet that keys which decide need
 * @property {() => readonly string[]} rows without blanks at their ends
 * @property {() => string} sent everything that the program printed
 * @property {() => Promise<void>} close
 */

/** Longer than the half second of quiet that a key which decides needs. */
const quietMs = 1_000;
const mostMs = 60_000;
/** A screen that is to be captured has not changed for so long. Its clock changes it once a second. */
const pauseMs = 300;

/** @param {string} sent Has the last frame come to its end? */
function isWhole(sent) {
  return sent.lastIndexOf("\u001b[?2026h") <= sent.lastIndexOf("\u001b[?2026l");
}

/**
 * @param {readonly string[]} words
 * @param {{ columns: number, rows: number, environment: Readonly<Record<string, string>> }} options
 * @returns {Screen}
 */
export function startOnScreen(words, { columns, rows, environment }) {
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  const child = spawn("python3", ["-c", bridge, String(columns), String(rows), ...words], {
    env: environment,
    stdio: ["pipe", "pipe", "inherit"],
  });
  let sent = "";
  child.stdout.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
    sent += text;
    terminal.write(text);
  });
  const ended = new Promise((resolve) => child.on("close", resolve));

  const visible = () =>
    Array.from({ length: rows }, (_, row) => {
      const { active } = terminal.buffer;
      return active.getLine(active.baseY + row)?.translateToString(true) ?? "";
    });
  return {
    rows: visible,
    sent: () => sent,
    async until(text) {
      let before = -1;
      for (let waited = 0; waited < mostMs; waited += pauseMs) {
        await later(pauseMs);
        await new Promise((resolve) => terminal.write("", () => resolve(undefined)));
        const isStill = sent.length === before && isWhole(sent);
        if (isStill && text.test(visible().join("\n"))) return;
        before = sent.length;
      }
      throw new Error(`never showed ${text}:\n${visible().join("\n")}`);
    },
    async type(keys) {
      await later(quietMs);
      child.stdin.write(keys);
    },
    async close() {
      child.kill();
      await ended;
      terminal.dispose();
    },
  };
}

/** Copies between its pipes and a terminal of the size given, in which the program is the leader of its session. */
const bridge = `
import fcntl, os, pty, select, signal, struct, sys, termios
columns, rows, words = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    os.execvp(words[0], words)
signal.signal(signal.SIGTERM, lambda *_: os.kill(pid, signal.SIGTERM))
while True:
    ready, _, _ = select.select([0, terminal], [], [])
    if terminal in ready:
        try:
            data = os.read(terminal, 65536)
        except OSError:
            data = b""
        if not data:
            break
        os.write(1, data)
    if 0 in ready:
        data = os.read(0, 65536)
        if not data:
            break
        os.write(terminal, data)
os.waitpid(pid, 0)
`;
