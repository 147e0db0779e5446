/** .ci/run counts every step. Tried on a copy whose programs only end as the test says. */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { tempDirectory } from "../support/temp-home.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Ending {
  /** Exit codes by the first words of the command; 0 for the others. */
  readonly codes?: Readonly<Record<string, number>>;
  readonly isBusy?: boolean;
}

/** Ends as `CODES` says; the tests leave a report of one test that passed, and the summary is the real one. */
const standIn = `#!/bin/sh
command="\${0##*/} $*"
case "$command" in
  "npm test") echo '{"numPassedTests":1,"numFailedTests":0,"numPendingTests":0,"testResults":[]}' >"$TEST_RESULTS" ;;
  "node -e "*) exit "$BUSY" ;;
  "node scripts/test-summary.mjs "*) exec "$NODE" "$@" ;;
esac
IFS=,
for code in $CODES; do
  case "$command" in "\${code%=*}"*) exit "\${code##*=}" ;; esac
done
`;

function run({ codes = {}, isBusy = false }: Ending) {
  const directory = tempDirectory();
  for (const path of [".ci", "scripts"]) cpSync(join(root, path), join(directory, path), { recursive: true });
  mkdirSync(join(directory, "bin"));
  for (const name of ["npm", "node"]) {
    writeFileSync(join(directory, "bin", name), standIn);
    chmodSync(join(directory, "bin", name), 0o755);
  }
  const { status, stdout } = spawnSync(join(directory, ".ci/run"), {
    encoding: "utf8",
    env: {
      PATH: [join(directory, "bin"), process.env.PATH].join(delimiter),
      NODE: process.execPath,
      BUSY: isBusy ? "1" : "0",
      CODES: Object.entries(codes)
        .map(([command, code]) => `${command}=${code}`)
        .join(","),
    },
  });
  return { status, lastLine: stdout.trim().split("\n").at(-1), stdout };
}

const bench = "node dist/bench/main.mjs";

describe(".ci/run", () => {
  it("passes when every step does", () => {
    expect(run({})).toMatchObject({ status: 0, lastLine: "1 passed, 0 failed" });
  });

  it.each(["npm run typecheck", "npm run lint", "npm test", "node scripts/bundle-bench.mjs", bench])(
    "fails when %s does",
    (command) => {
      expect(run({ codes: { [command]: 1 } })).toMatchObject({ status: 1, lastLine: "1 passed, 1 failed" });
    },
  );

  it("fails when the packages cannot be installed, and tries nothing else", () => {
    const { status, stdout, lastLine } = run({ codes: { "npm ci": 1 } });
    expect({ status, lastLine }).toEqual({ status: 1, lastLine: "0 passed, 1 failed" });
    expect(stdout).not.toContain("typecheck");
  });

  it("excuses a busy machine for a bar that was missed", () => {
    const { status, stdout } = run({ codes: { [bench]: 1 }, isBusy: true });
    expect(status).toBe(0);
    expect(stdout).toContain("warning: the machine was busy");
  });

  it.each([2, 7, 130, 137])("excuses nothing for benchmarks that break: exit code %d", (code) => {
    expect(run({ codes: { [bench]: code }, isBusy: true })).toMatchObject({
      status: 1,
      lastLine: "1 passed, 1 failed",
    });
  });
});
