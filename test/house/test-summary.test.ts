/** The last line of .ci/run is honest. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../../scripts/test-summary.mjs", import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "wisp-summary-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What vitest writes of a run with these tests in one file; `isBroken` when a hook or an import threw. */
function reportOf({ passed = 0, failed = 0, skipped = 0, isBroken = false }): string {
  const assertionResults = [
    ...Array(passed).fill({ status: "passed" }),
    ...Array(failed).fill({ status: "failed" }),
    ...Array(skipped).fill({ status: "skipped" }),
  ];
  return JSON.stringify({
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: skipped,
    testResults: [{ status: failed > 0 || isBroken ? "failed" : "passed", assertionResults }],
  });
}

function summaryOf(report: string | null, ...args: readonly string[]) {
  const path = join(directory, "results.json");
  rmSync(path, { force: true });
  if (report !== null) writeFileSync(path, report);
  const run = spawnSync(process.execPath, [program, path, ...args], { encoding: "utf8" });
  return { lastLine: run.stdout.trim().split("\n").at(-1), code: run.status };
}

describe("summary of a test run", () => {
  it.each([
    ["all passed", reportOf({ passed: 3, skipped: 1 }), ["0"], "3 passed, 0 failed", 0],
    ["a test failed", reportOf({ passed: 3, failed: 2 }), ["1"], "3 passed, 2 failed", 1],
    [
      "a file failed outside its tests",
      reportOf({ passed: 3, isBroken: true }),
      ["1"],
      "3 passed, 1 failed",
      1,
    ],
    ["an error came after all passed", reportOf({ passed: 3 }), ["1"], "3 passed, 1 failed", 1],
    ["no test ran", reportOf({}), ["0"], "0 passed, 1 failed", 1],
    ["no report was left", null, ["0"], "0 passed, 1 failed", 1],
    ["half a report was left", reportOf({ passed: 3 }).slice(0, 20), ["1"], "0 passed, 1 failed", 1],
    ["a step beside them failed", reportOf({ passed: 3 }), ["0", "lint"], "3 passed, 1 failed", 1],
    ["all failed", reportOf({ failed: 1 }), ["1", "lint", "bench"], "0 passed, 3 failed", 1],
  ])("when %s, it counts so and ends so", (_when, report, args, lastLine, code) => {
    expect(summaryOf(report, ...args)).toEqual({ lastLine, code });
  });
});
