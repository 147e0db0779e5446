/** The file system as a test wants it seen. Counts what is looked at below a directory while something runs: a count stands for time, and no busy machine changes it. */
import fs, { type PathLike } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

export interface Looks {
  /** Files that were opened. */
  opened: number;
  /** Names that were asked about: `stat`, `lstat`. */
  asked: number;
  /** Directories that were listed. */
  listed: number;
}

/** Runs `run` while no file below `directory` can be opened for that reason. `run` must not await. */
export function whileUnopenable(directory: string, errno: string, run: () => void): void {
  const { openSync } = fs;
  Object.assign(fs, {
    openSync(path: PathLike, ...rest: [flags: number, mode?: number]): number {
      if (typeof path === "string" && path.startsWith(`${directory}/`)) {
        throw Object.assign(new Error(errno), { code: errno });
      }
      return openSync(path, ...rest);
    },
  });
  syncBuiltinESMExports();
  try {
    run();
  } finally {
    Object.assign(fs, { openSync });
    syncBuiltinESMExports();
  }
}

/** What `run` does below `directory`. One at a time; `run` must not await. */
export function looksBelow(directory: string, run: () => void): Looks {
  const looks: Looks = { opened: 0, asked: 0, listed: 0 };
  const real = {
    openSync: fs.openSync,
    statSync: fs.statSync,
    lstatSync: fs.lstatSync,
    readdirSync: fs.readdirSync,
  };
  const counting =
    <T extends (path: PathLike, ...rest: never[]) => unknown>(call: T, what: keyof Looks) =>
    (path: PathLike, ...rest: never[]): unknown => {
      if (typeof path === "string" && (path === directory || path.startsWith(`${directory}/`)))
        looks[what] += 1;
      return call(path, ...rest);
    };
  Object.assign(fs, {
    openSync: counting(real.openSync as never, "opened"),
    statSync: counting(real.statSync as never, "asked"),
    lstatSync: counting(real.lstatSync as never, "asked"),
    readdirSync: counting(real.readdirSync as never, "listed"),
  });
  syncBuiltinESMExports();
  try {
    run();
    return looks;
  } finally {
    Object.assign(fs, real);
    syncBuiltinESMExports();
  }
}
