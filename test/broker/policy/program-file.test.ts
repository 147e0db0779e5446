/** What a yes for longer is bound to of a program's file. */
import {
  chmodSync,
  mkdirSync,
  realpathSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { judgedCommand, programAt, programOf } from "../../../src/broker/policy/find-program.js";
import { isProgramOpen } from "../../../src/broker/policy/program-file.js";
import { tempDirectory } from "../../support/temp-home.js";

function identityAt(path: string): string | null {
  return judgedCommand({ argv: [path], line: path, directory: "/" }, programAt(path)).programIdentity;
}

function scene() {
  const root = tempDirectory();
  const directory = join(root, "project");
  const elsewhere = join(root, "elsewhere");
  mkdirSync(directory);
  mkdirSync(elsewhere);
  const program = join(directory, "deploy");
  writeFileSync(program, "#!/bin/sh\necho one\n", { mode: 0o755 });
  return { directory, elsewhere, program };
}

it("is another one after any change, also one that was made to look as before", async () => {
  const { elsewhere, program } = scene();
  const when = new Date(1_000_000);
  utimesSync(program, when, when);
  const before = identityAt(program);
  expect(identityAt(program)).toBe(before);
  const change = (doing: () => void) => async () => {
    const was = identityAt(program);
    doing();
    // A file system may count in steps of several milliseconds.
    await expect
      .poll(() => {
        utimesSync(program, when, when);
        return identityAt(program);
      })
      .not.toBe(was);
  };
  await change(() => writeFileSync(program, "#!/bin/sh\necho two\n"))();
  await change(() => chmodSync(program, 0o700))();
  await change(() => {
    const other = join(elsewhere, "deploy");
    writeFileSync(other, "#!/bin/sh\necho two\n", { mode: 0o700 });
    renameSync(other, program);
  })();
  const now = identityAt(program);
  expect(now).toMatch(/^device \d+ inode \d+ size 19 mtime \d+ ctime \d+$/);
  expect(identityAt(program)).toBe(now);
  expect(identityAt(join(elsewhere, "none"))).toBeNull();
});

it("is open where it lies in the directory or below it, by any way that leads there, and where this account may write it", () => {
  const { directory, elsewhere, program } = scene();
  const link = join(elsewhere, "link");
  symlinkSync(program, link);
  const place = join(elsewhere, "place");
  symlinkSync(directory, place);
  const system = realpathSync("/bin/sh");
  const linked = join(directory, "sh");
  symlinkSync(system, linked);
  expect(isProgramOpen(program, directory)).toBe(true);
  expect(isProgramOpen(link, directory)).toBe(true);
  expect(isProgramOpen(program, place)).toBe(true);
  expect(isProgramOpen(linked, directory)).toBe(true);
  expect(isProgramOpen(program, elsewhere)).toBe(true);
  expect(isProgramOpen(join(elsewhere, "none"), elsewhere)).toBe(true);
  expect(isProgramOpen("/bin/sh", directory)).toBe(false);
  expect(isProgramOpen(system, elsewhere)).toBe(false);
});

it("is open where another account owns it and this one may write it", () => {
  const { elsewhere, program } = scene();
  expect(isProgramOpen(program, elsewhere)).toBe(true);
  const euid = vi.spyOn(process as { geteuid(): number }, "geteuid").mockReturnValue(4_000_000_000);
  try {
    expect(isProgramOpen(program, elsewhere)).toBe(true);
    expect(isProgramOpen("/bin/sh", elsewhere)).toBe(false);
    expect(euid).toHaveBeenCalled();
  } finally {
    euid.mockRestore();
  }
});

it("is none for a command without words, and for a name where no place is given to look for it", () => {
  const command = { line: "", directory: "/" };
  expect(programOf({ ...command, argv: [] }, { PATH: "/bin" })).toBeNull();
  expect(programOf({ ...command, argv: ["sh"] }, {})).toBeNull();
  expect(programOf({ ...command, argv: ["sh"] }, { PATH: "bin:/nowhere:/bin" })).toMatchObject({
    program: { path: "/bin/sh" },
  });
});
