import { defineConfig } from "vitest/config";

/** Before each file of tests. */
const setupFiles = ["test/support/no-banners.ts"];

/** Ink draws nothing but the last frame where one of these is set. Its look for them is not in our bundles (ADR 0017). */
const env = { CI: "0", CONTINUOUS_INTEGRATION: "0" };

/** Where to leave the results for .ci/run to count. */
const results = process.env.TEST_RESULTS;

export default defineConfig({
  test: {
    reporters: results ? ["default", ["json", { outputFile: results }]] : ["default"],
    coverage: { include: ["src/**"], thresholds: { "src/broker/**": { branches: 95 } } },
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/{broker,server,face,tui,cli,house}/**/*.test.{ts,tsx}"],
          setupFiles,
          env,
          isolate: false,
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          setupFiles,
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
