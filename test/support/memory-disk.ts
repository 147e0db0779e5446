/**
 * A directory that lies in memory. Tests write small files by the thousand and have each synced: on a disk that took a sixth
 * of the time of the tests of the server, and more where others sync, too.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where Linux has one; everybody may write there, as in /tmp. */
const shared = "/dev/shm";

/** Many times what the tests have there at any moment. Containers often give it 64 MiB. */
const leastBytes = 2 ** 30;

/** Its path. Null where there is none, or it is too small, or does not let programs that a test writes run. */
export function memoryDisk(): string | null {
  try {
    const { bavail, bsize } = statfsSync(shared);
    return bavail * bsize >= leastBytes && letsProgramsRun() ? shared : null;
  } catch {
    // Not there, or not for us: the usual directory does.
    return null;
  }
}

function letsProgramsRun(): boolean {
  const directory = mkdtempSync(join(shared, "wisp-runs-"));
  try {
    const program = join(directory, "program");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o700 });
    return spawnSync(program).status === 0;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
