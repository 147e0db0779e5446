/** Where the person's own files lie: what `~` stands for, the same for rules, for commands and for every face. */
import { userInfo } from "node:os";
import { isAbsolute } from "node:path";

/** HOME where it is an absolute path; else as a shell without HOME has it, by the account; `/` where nothing says it. */
export function homeDirectoryOf({ HOME = "" }: Readonly<Record<string, string | undefined>>): string {
  return isAbsolute(HOME) ? HOME : (accountDirectory() ?? "/");
}

/** What this machine has written down for the account; null where that is nothing, or no absolute path. */
export function accountDirectory(): string | null {
  try {
    const { homedir } = userInfo();
    return isAbsolute(homedir) ? homedir : null;
  } catch {
    // The account is not written down on this machine, as in some containers.
    return null;
  }
}
