/** The command that a person pastes into another terminal to answer. */
import { realpathSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { wispLine } from "../command/wisp-line.js";

/** Where this very program is, for a line that works in another shell. */
export interface Installed {
  /** The built `wisp`, absolute. */
  readonly program: string;
  /** The Node that runs it, absolute. */
  readonly node: string;
  /** The person's `PATH`. */
  readonly path: string;
}

/** One line for a shell in which `WISP_HOME` need not be set. */
export function answeringLine(home: string, id: string, installed: Installed): string {
  return wispLine(["approvals", "approve", id], home, wispWords(installed));
}

/** How a person starts this very `wisp`: by a short name only where that name means this program. */
function wispWords({ program, node, path }: Installed): readonly string[] {
  if (isOnPath("wisp", program, path)) return ["wisp"];
  return [isOnPath("node", node, path) ? "node" : node, program];
}

/** Does `name`, typed in a shell with this `path`, start `file`? */
function isOnPath(name: string, file: string, path: string): boolean {
  for (const directory of path.split(delimiter)) {
    const found = isAbsolute(directory) ? realOrNull(join(directory, name)) : null;
    if (found !== null) return found === realOrNull(file);
  }
  return false;
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    // Not there, or not for us to see: a shell goes on looking, too.
    return null;
  }
}
