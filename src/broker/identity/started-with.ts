/** What processes were started with: their words and their home. Looked at, compared, and never written down. */
import { readFileSync } from "node:fs";

/** How one system is asked. */
export interface StartSource {
  /** The words of process `pid`; empty where that cannot be seen. */
  words(pid: number): readonly string[];
  /** What its environment said of `name` when it started; "" where it said nothing, null where that cannot be seen. */
  variable(pid: number, name: string): string | null;
  /** Does this system tell any of it? */
  readonly isTold: boolean;
}

/** Where Linux says it; elsewhere nothing is told, since the tool that would prints whole environments. */
export const systemStarts: StartSource = {
  words: (pid) => textsIn(`/proc/${pid}/cmdline`) ?? [],
  variable(pid, name) {
    const texts = textsIn(`/proc/${pid}/environ`);
    if (texts === null) return null;
    const found = texts.find((text) => text.startsWith(`${name}=`));
    return found === undefined ? "" : found.slice(name.length + 1);
  },
  isTold: process.platform === "linux",
};

function textsIn(path: string): readonly string[] | null {
  if (process.platform !== "linux") return null;
  try {
    return readFileSync(path, "utf8").split("\0").slice(0, -1);
  } catch {
    // Gone, or somebody else's: nothing of it shows.
    return null;
  }
}
