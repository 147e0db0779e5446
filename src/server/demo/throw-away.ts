/** The directory that the demo lives in and leaves nothing of. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demoPrefix } from "../../broker/index.js";

/** A directory nobody else knows of; all paths are absolute. */
export interface ThrowAway {
  readonly path: string;
  /** What `WISP_HOME` names; a configuration is all that is in it, the server makes the rest with its first request. */
  readonly home: string;
  /** Where the commands run and leave their proofs. */
  readonly project: string;
  /** Removes all of it; idempotent. */
  remove(): void;
}

/** Who tries the demo looks at it; the tests run it on machines whose desktop is somebody else's. */
const configuration = { notify: { enabled: false } };

/** Makes it below the system's directory for temporary files, for this person alone. */
export function makeThrowAway(): ThrowAway {
  const path = mkdtempSync(join(tmpdir(), demoPrefix));
  const project = join(path, "project");
  const home = join(path, "home");
  mkdirSync(project);
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, "config.json"), JSON.stringify(configuration), { mode: 0o600 });
  return {
    path,
    home,
    project,
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}
