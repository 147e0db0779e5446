import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { version } from "../../src/broker/version.js";

it("the version in the code is the one in package.json", () => {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(version).toBe(manifest.version);
});
