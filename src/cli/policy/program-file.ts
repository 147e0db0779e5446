/** Which file a command would run, found as the server finds it. */
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { onlyProgramOf } from "../../broker/index.js";

/** What `~` stands for. */
export function homeDirectoryIn({ HOME: named = "" }: Readonly<Record<string, string | undefined>>): string {
  return isAbsolute(named) ? named : homedir();
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
