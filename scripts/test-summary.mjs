/**
 * `node scripts/test-summary.mjs RESULTS STATUS [FAILED_STEP…]` prints, as its last line, `N passed, N failed`,
 * counted from the JSON report of vitest in the file RESULTS, and exits 1 when anything failed. STATUS is the exit
 * code of the tests. A step that failed beside the tests counts as one failure; so do tests that ended badly
 * without a failed test in the report, and a report that is missing: silence is not success.
 */
import { readFileSync } from "node:fs";

/**
 * @typedef {object} TestFile
 * @property {"passed" | "failed"} status
 * @property {readonly { status: string }[]} assertionResults
 *
 * @typedef {object} Report
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests skipped
 * @property {readonly TestFile[]} testResults
 */

const [resultsPath = "", status = "", ...failedSteps] = process.argv.slice(2);
const report = readReport(resultsPath);
const passed = report?.numPassedTests ?? 0;
const inReport = report === null ? 0 : report.numFailedTests + report.testResults.filter(isBroken).length;

const besides = failedSteps.map((step) => `failed: ${step}`);
if (inReport === 0 && (status !== "0" || passed === 0)) {
  besides.push(
    report === null ? "the tests left no results" : `${passed} tests passed, yet they ended with ${status}`,
  );
}

const failed = inReport + besides.length;
const lines = [...besides, `${report?.numPendingTests ?? 0} skipped`, `${passed} passed, ${failed} failed`];
process.stdout.write(`${lines.join("\n")}\n`);
process.exitCode = failed === 0 ? 0 : 1;

/**
 * A file that fails to load, or in a hook, fails without a failed test.
 * @param {TestFile} file
 */
function isBroken(file) {
  return file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed");
}

/**
 * @param {string} path
 * @returns {Report | null}
 */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    // No file or half a file: the tests did not come to their end, whatever the reason.
    return null;
  }
}
