/** Real clients are tried apart from the other tests, and one after the other. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["*.test.ts"],
    reporters: ["verbose"],
    fileParallelism: false,
  },
});
