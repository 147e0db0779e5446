/** The built full-screen face within tmux, which is a terminal of its own and keeps what scrolls away. */
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Home } from "../../src/broker/channel/home.js";
import { approvalDraft } from "../support/builders.js";
import { openAsker, openFace, tempDirectory, tempHome } from "../support/temp-home.js";
import { tuiProgram } from "../support/tui.js";

const isMissing = spawnSync("tmux", ["-V"]).status !== 0;
const long = { timeout: 30_000 };

/** The face in a window of `columns` by `rows`; the server of tmux ends with the running test. */
function openIn(home: Home, columns: number, rows: number) {
  const socket = join(tempDirectory(), "tmux");
  const tmux = (...words: readonly string[]): string =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...words], {
      encoding: "utf8",
      // An account without a shell of its own has tmux start nothing.
      env: {
        PATH: process.env.PATH,
        SHELL: "/bin/sh",
        TERM: "xterm-256color",
        LANG: "C.UTF-8",
        HOME: home.path,
      },
    });
  onTestFinished(() => void spawnSync("tmux", ["-S", socket, "kill-server"]));
  const program = `WISP_HOME='${home.path}' '${process.execPath}' '${tuiProgram}'; echo left with $?; exec sleep 600`;
  tmux("new-session", "-d", "-x", String(columns), "-y", String(rows), `echo above; ${program}`);
  const rowsOf = (...words: readonly string[]): readonly string[] =>
    tmux("capture-pane", "-p", ...words)
      .trimEnd()
      .split("\n");
  return {
    rows: () => rowsOf(),
    /** From the first row that tmux still has. */
    everything: () => rowsOf("-S", "-"),
    seen: (text: string) => expect.poll(() => rowsOf().join("\n"), long).toContain(text),
    type: (text: string) => void tmux("send-keys", "-l", text),
    resize: (toColumns: number, toRows: number) =>
      void tmux("resize-window", "-x", String(toColumns), "-y", String(toRows)),
    caret: () => tmux("display-message", "-p", "#{cursor_flag} #{cursor_x} #{cursor_y}").trim(),
  };
}

it.skipIf(isMissing)(
  `within tmux shows one whole frame at each size, its caret where the text is, and nothing when it is left${isMissing ? ": tmux is missing" : ""}`,
  async () => {
    const home = tempHome();
    const { channel } = openAsker(home);
    channel.file(approvalDraft({ expiresAt: Date.now() + 600_000 }), []);
    const face = openIn(home, 60, 20);
    await face.seen("┃ git push origin main");
    const isFramed = (columns: number): boolean => {
      const card = face.rows().filter((row) => /^[╭│╰]/.test(row));
      const tops = card.filter((row) => row.startsWith("╭"));
      return tops.length === 1 && card.every((row) => /[╮│╯]$/.test(row) && row.length === columns - 1);
    };
    await expect.poll(() => isFramed(60), long).toBe(true);
    for (const [columns, rows] of [
      [100, 30],
      [80, 24],
      [120, 24],
      // As it began: tmux keeps rows of whatever another size leaves behind at the end.
      [60, 20],
    ] as const) {
      face.resize(columns, rows);
      await expect.poll(() => isFramed(columns), long).toBe(true);
      expect(face.everything().filter((row) => row.includes("Run a command?"))).toHaveLength(1);
    }
    face.type("/help 漢字");
    await face.seen("› /help 漢字");
    const row = face.rows().findIndex((text) => text.startsWith("› /help"));
    await expect.poll(() => face.caret(), long).toBe(`1 ${"› /help ".length + 4} ${row}`);
    face.type("\u001b");
    await face.seen("(/ for a command)");
    face.type("q");
    await face.seen("left with 0");
    expect(face.everything()).toEqual(["above", "left with 0"]);
    expect(openFace(home).pending().requests).toHaveLength(1);
  },
);
