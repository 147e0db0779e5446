/** The page of screens is what the built program shows. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { ptyMissing } from "../support/pty.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const limitMs = 240_000;

it.skipIf(ptyMissing !== null)(
  `docs/screens.md is what a terminal shows today${ptyMissing === null ? "" : `: ${ptyMissing}`}`,
  { timeout: limitMs },
  () => {
    const { stdout, stderr } = spawnSync(process.execPath, ["scripts/capture-screens.mjs", "--print"], {
      cwd: root,
      encoding: "utf8",
      timeout: limitMs,
    });
    expect(stderr).toBe("");
    expect(stdout).toBe(readFileSync(`${root}/docs/screens.md`, "utf8"));
  },
);
