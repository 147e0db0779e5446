/** Which file a command would run and where, found as the server finds it. */
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { onlyProgramOf } from "../../broker/index.js";

/** What `~` stands for. */
export function homeDirectoryIn({ HOME: named = "" }: Readonly<Record<string, string | undefined>>): string {
  return isAbsolute(named) ? named : homedir();
}

/** Where `directory` really is; as it is written where nothing can run in it. */
export function directoryAt(directory: string): string {
  try {
    return realpathSync.native(directory);
  } catch {
    // It does not exist, or cannot be entered: the server would refuse the call.
    return directory;
  }
}

/** Of an argv, or of a line of one plain command; null for all other lines, and where there is no such file. */
export function onlyProgram(
  argv: readonly string[] | null,
  line: string,
  directory: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | null {
  const name = argv === null ? onlyProgramOf(line, homeDirectoryIn(environment)) : (argv[0] ?? null);
  if (name === null || name === "") return null;
  if (name.includes("/")) return programAt(resolve(directory, name));
  for (const entry of (environment.PATH ?? "").split(delimiter)) {
    const found = isAbsolute(entry) ? programAt(join(entry, name)) : null;
    if (found !== null) return found;
  }
  return null;
}

function programAt(path: string): string | null {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? path : null;
  } catch {
    // Nothing that could run is there.
    return null;
  }
}
