/** The directory that the demo lives in and leaves nothing of. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A directory nobody else knows of; all paths are absolute. */
export interface ThrowAway {
  readonly path: string;
  /** What `WISP_HOME` names; not made yet, the server makes it with its first request. */
  readonly home: string;
  /** Where the commands run and leave their proofs. */
  readonly project: string;
  /** Removes all of it; idempotent. */
  remove(): void;
}

/** Makes it below the system's directory for temporary files, for this person alone. */
export function makeThrowAway(): ThrowAway {
  const path = mkdtempSync(join(tmpdir(), "wisp-demo-"));
  const project = join(path, "project");
  mkdirSync(project);
  return {
    path,
    home: join(path, "home"),
    project,
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}
