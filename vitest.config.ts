import { defineConfig } from "vitest/config";
import { memoryDisk } from "./test/support/memory-disk.js";

/** Before each file of tests. */
const setupFiles = ["test/support/no-banners.ts"];

/** Ink draws nothing but the last frame where one of these is set. Its look for them is not in our bundles (ADR 0017). */
const env = { CI: "0", CONTINUOUS_INTEGRATION: "0" };

/** Where unit tests write, unless somebody says where. The built programs write to a disk, as they do elsewhere. */
const { TMPDIR = memoryDisk() } = process.env;

/** Where to leave the results for .ci/run to count. */
const results = process.env.TEST_RESULTS;

/** What runs the built programs. */
const e2e = {
  setupFiles,
  globalSetup: ["test/support/whole-door.ts"],
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

/** The first two take all cores and start more processes than others leave room for; the third holds a face to half a second. */
const alone = ["many-clients", "race", "tui-many"].map((name) => `test/e2e/${name}.test.ts`);

export default defineConfig({
  test: {
    reporters: results ? ["default", ["json", { outputFile: results }]] : ["default"],
    coverage: { include: ["src/**"], thresholds: { "src/broker/**": { branches: 95 } } },
    // One after the other, in the order of their groups: each has another number of files that run at a time.
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/{broker,server,face,tui,cli,house}/**/*.test.{ts,tsx}"],
          setupFiles,
          env: TMPDIR === null ? env : { ...env, TMPDIR },
          isolate: false,
          maxWorkers: "100%",
          sequence: { groupOrder: 0 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...e2e,
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          exclude: alone,
          // Most of them wait most of the time.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...e2e,
          name: "e2e-alone",
          include: alone,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
