/** Where what is written to a path comes to stand. */
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { landingOf } from "../../../src/broker/policy/path-look.js";

test("nobody can tell where something comes to stand below what is no directory, or behind a link in a circle", () => {
  const root = mkdtempSync(join(realpathSync(tmpdir()), "wisp-look-"));
  try {
    writeFileSync(join(root, "file"), "x");
    symlinkSync("round", join(root, "round"));
    for (const name of ["file/x", "file/x/y", "round", "round/x"])
      expect(landingOf(join(root, name)), name).toBeNull();
    expect(landingOf(join(root, "new/x"))).toBe(join(root, "new/x"));
    expect(landingOf("/")).toBe("/");
  } finally {
    rmSync(root, { recursive: true });
  }
});
