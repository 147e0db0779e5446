import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { WispError } from "../../../src/broker/request/errors.js";
import {
  type ResolvedCommand,
  refuseDrift,
  resolveCommand,
  type WantedCommand,
} from "../../../src/server/command/resolve.js";
import { writeProgram } from "../../support/commands.js";
import { tempDirectory } from "../../support/temp-home.js";

let root: string;
let directory: string;
let bin: string;

beforeEach(() => {
  root = tempDirectory();
  directory = join(root, "work");
  bin = join(root, "bin");
  mkdirSync(directory);
  mkdirSync(bin);
  writeProgram(bin, "tool", "#!/bin/sh\n");
});

function resolve(wanted: Partial<WantedCommand>, path = bin) {
  return resolveCommand({ argv: null, line: null, directory, ...wanted }, { PATH: path });
}

/** Right before it would run. */
function refuse(command: ResolvedCommand, path = bin): void {
  refuseDrift(command, { PATH: path });
}

function refusal(act: () => unknown): WispError {
  try {
    act();
  } catch (error) {
    if (error instanceof WispError) return error;
    throw error;
  }
  throw new Error("Nothing was refused.");
}

describe("the program of an argv", () => {
  it("is found in PATH, with what identifies the file and its directory", () => {
    const stats = statSync(join(bin, "tool"), { bigint: true });
    const here = statSync(directory, { bigint: true });
    expect(resolve({ argv: ["tool", "x"] })).toEqual({
      argv: ["tool", "x"],
      line: null,
      program: {
        path: join(bin, "tool"),
        device: String(stats.dev),
        inode: String(stats.ino),
        size: 10,
        mtime: String(stats.mtimeNs),
      },
      lineProgram: null,
      programChangedAt: String(stats.ctimeNs),
      directory,
      directoryIdentity: { device: String(here.dev), inode: String(here.ino) },
      state: null,
    });
  });

  it("is the first that can be executed along PATH", () => {
    const other = join(root, "other");
    mkdirSync(join(other, "tool"), { recursive: true });
    const third = join(root, "third");
    mkdirSync(third);
    writeFileSync(join(third, "tool"), "", { mode: 0o644 });
    const path = [join(root, "missing"), other, third, bin].join(":");
    expect(resolve({ argv: ["tool"] }, path).program.path).toBe(join(bin, "tool"));
  });

  it("is never taken from a relative entry of PATH", () => {
    writeProgram(directory, "git", "#!/bin/sh\n");
    const before = process.cwd();
    process.chdir(directory);
    try {
      for (const path of [".", "", `:${join(root, "missing")}`, "./"]) {
        expect(refusal(() => resolve({ argv: ["git"] }, path)).code, path).toBe("invalid_input");
      }
    } finally {
      process.chdir(before);
    }
    expect(resolve({ argv: ["./git"] }).program.path).toBe(join(directory, "git"));
  });

  it("with a slash is taken from the directory or from the root", () => {
    writeProgram(directory, "run.sh", "#!/bin/sh\n");
    expect(resolve({ argv: ["./run.sh"] }).program.path).toBe(join(directory, "run.sh"));
    expect(resolve({ argv: ["../bin/tool"] }).program.path).toBe(join(bin, "tool"));
    expect(resolve({ argv: [join(bin, "tool")] }).program.path).toBe(join(bin, "tool"));
  });

  it("of a line is bash", () => {
    const { program, argv, line } = resolve({ line: "echo x" });
    expect({ argv, line }).toEqual({ argv: null, line: "echo x" });
    expect(program.path).toMatch(/\/bash$/);
  });
});

describe("the directory", () => {
  it("is where a link leads when it is looked at, and stays that when the link is turned", () => {
    const [link, other] = [join(root, "link"), join(root, "other")];
    mkdirSync(other);
    symlinkSync(directory, link);
    const command = resolve({ argv: ["tool"], directory: link });
    expect(command).toEqual(resolve({ argv: ["tool"] }));
    expect(resolve({ argv: ["tool"], directory: `${link}/../work/.` })).toEqual(command);
    rmSync(link);
    symlinkSync(other, link);
    refuse(command);
    expect(resolve({ argv: ["tool"], directory: link }).directory).toBe(other);
  });
});

describe("what cannot run", () => {
  const refused: readonly (readonly [string, Partial<WantedCommand>, string, RegExp])[] = [
    ["a program that is not on PATH", { argv: ["nowhere"] }, "argv[0]", /no program "nowhere" on PATH/],
    ["a program that does not exist", { argv: ["./nowhere"] }, "argv[0]", /does not exist/],
    ["a directory as program", { argv: ["../bin"] }, "argv[0]", /is not a file/],
    ["a file that is not executable", { argv: ["../plain"] }, "argv[0]", /may not be .*executed/],
    ["a program below a file", { argv: ["../plain/x"] }, "argv[0]", /does not exist/],
    ["a link to itself", { argv: ["../loop"] }, "argv[0]", /cannot be used \(ELOOP\)/],
    [
      "a name without end",
      { argv: [`./${"x".repeat(5_000)}`] },
      "argv[0]",
      /cannot be used \(ENAMETOOLONG\)/,
    ],
    ["an empty name", { argv: [""] }, "argv[0]", /name a program/],
    ["no words", { argv: [] }, "argv[0]", /name a program/],
    ["neither words nor a line", {}, "argv", /exactly one/],
    ["words and a line", { argv: ["tool"], line: "x" }, "argv", /exactly one/],
    ["a NUL in a word", { argv: ["tool", "a", "b\0c"] }, "argv[2]", /NUL/],
    ["half a character in a word", { argv: ["tool", "\ud800"] }, "argv[1]", /surrogate/],
    ["a NUL in a line", { line: "echo a\0b" }, "line", /NUL/],
    ["half a character in a line", { line: "echo \udc00" }, "line", /surrogate/],
    ["a NUL in the directory", { argv: ["tool"], directory: "/a\0b" }, "directory", /NUL/],
    [
      "a directory that does not exist",
      { argv: ["tool"], directory: "/nowhere/x" },
      "directory",
      /does not exist/,
    ],
    ["a file as directory", { argv: ["tool"], directory: "/bin/sh" }, "directory", /is not a directory/],
    ["a relative directory", { argv: ["tool"], directory: "work" }, "directory", /absolute/],
  ];

  it.each(refused)("is refused: %s", (_what, wanted, argument, message) => {
    writeFileSync(join(root, "plain"), "", { mode: 0o644 });
    symlinkSync("loop", join(root, "loop"));
    const error = refusal(() => resolve(wanted));
    expect(error.code).toBe("invalid_input");
    expect(error.details).toEqual({ argument });
    expect(error.message.startsWith(`${argument}: `)).toBe(true);
    expect(error.message).toMatch(message);
    expect(error.message.length).toBeLessThan(1_000);
    expect(resolve({ argv: ["tool"] }).program.path).toBe(join(bin, "tool"));
  });
});

describe("what was approved", () => {
  function expectDrift(changed: string, change: () => void): void {
    const command = resolve({ argv: ["tool"] });
    refuse(command);
    change();
    const error = refusal(() => refuse(command));
    expect(error.code).toBe("replay_drift");
    expect(error.details).toMatchObject({ changed });
    // The same call asks afresh and is then for what stands there now.
    writeProgram(bin, "tool", "#!/bin/sh\n");
    mkdirSync(directory, { recursive: true });
    refuse(resolve({ argv: ["tool"] }));
  }

  it("is not a file that took the program's place", () => {
    expectDrift("program", () => {
      const twin = writeProgram(root, "twin", "#!/bin/sh\n");
      const stats = statSync(join(bin, "tool"));
      utimesSync(twin, stats.atime, stats.mtime);
      renameSync(twin, join(bin, "tool"));
    });
  });

  it("is not the same file with other contents", () => {
    expectDrift("program", () => writeFileSync(join(bin, "tool"), "#!/bin/sh\nrm -rf /\n"));
  });

  it("is not the same file written again at another time", () => {
    expectDrift("program", () => {
      writeFileSync(join(bin, "tool"), "#!/bin/zz\n");
      utimesSync(join(bin, "tool"), 1, 1);
    });
  });

  it("is not the same file edited in place with its size and time made the same again", () => {
    const tool = join(bin, "tool");
    utimesSync(tool, 1, 1);
    const before = statSync(tool, { bigint: true });
    expectDrift("program", () => {
      // The system counts these times in steps of its own: edit until it noticed.
      while (statSync(tool, { bigint: true }).ctimeNs === before.ctimeNs) {
        writeFileSync(tool, "#!/bin/zz\n");
        utimesSync(tool, 1, 1);
      }
      const after = statSync(tool, { bigint: true });
      expect([after.ino, after.size, after.mtimeNs]).toEqual([before.ino, before.size, before.mtimeNs]);
    });
  });

  it("is still a directory in which files came and went meanwhile", () => {
    const command = resolve({ argv: ["tool"] });
    writeFileSync(join(directory, "new"), "");
    rmSync(join(directory, "new"));
    refuse(command);
  });

  it("is not a program that is gone, or that lost its permission", () => {
    expectDrift("program", () => rmSync(join(bin, "tool")));
    expectDrift("program", () => {
      rmSync(join(bin, "tool"));
      mkdirSync(join(bin, "tool"));
      rmSync(join(bin, "tool"), { recursive: true });
    });
    const command = resolve({ argv: ["tool"] });
    chmodSync(join(bin, "tool"), 0o644);
    expect(refusal(() => refuse(command)).code).toBe("replay_drift");
  });

  it("is not a link that leads elsewhere by now", () => {
    const other = writeProgram(root, "other", "#!/bin/sh\n");
    rmSync(join(bin, "tool"));
    symlinkSync(other, join(bin, "tool"));
    expectDrift("program", () => {
      rmSync(join(bin, "tool"));
      symlinkSync(writeProgram(root, "evil", "#!/bin/sh\n"), join(bin, "tool"));
    });
  });

  it("is not another directory under the same name", () => {
    expectDrift("directory", () => {
      renameSync(directory, join(root, "moved"));
      mkdirSync(directory);
    });
  });

  it("is not a directory whose name leads to it through a link by now", () => {
    expectDrift("directory", () => {
      renameSync(directory, join(root, "moved"));
      symlinkSync(join(root, "moved"), directory);
    });
  });

  it("is not a directory that is gone or became a file", () => {
    expectDrift("directory", () => rmSync(directory, { recursive: true }));
    const command = resolve({ argv: ["tool"] });
    rmSync(directory, { recursive: true });
    writeFileSync(directory, "");
    expect(refusal(() => refuse(command)).details).toMatchObject({ changed: "directory" });
  });
});

describe("a line of one simple command", () => {
  it("is bound to the file that its first word leads to", () => {
    const lineProgram = resolve({ argv: ["tool"] });
    expect(resolve({ line: "tool --now" }).lineProgram).toEqual({
      program: lineProgram.program,
      programChangedAt: lineProgram.programChangedAt,
    });
    expect(resolve({ line: "cd .." }).lineProgram).toBeNull();
    expect(resolve({ line: "tool && tool" }).lineProgram).toBeNull();
    expect(resolve({ argv: ["tool"] }).lineProgram).toBeNull();
  });

  it.each<readonly [string, () => void]>([
    ["is another file", () => renameSync(writeProgram(root, "twin", "#!/bin/sh\n"), join(bin, "tool"))],
    ["was written anew", () => writeFileSync(join(bin, "tool"), "#!/bin/sh\nrm -rf /\n")],
    ["is gone", () => rmSync(join(bin, "tool"))],
  ])("is not approved any more once that %s", (_what, change) => {
    const command = resolve({ line: "tool --now" });
    refuse(command);
    change();
    expect(refusal(() => refuse(command))).toMatchObject({
      code: "replay_drift",
      details: { changed: "program", path: join(bin, "tool") },
    });
    writeProgram(bin, "tool", "#!/bin/sh\n");
    refuse(resolve({ line: "tool --now" }));
  });

  it("is not approved any more once another file is found before that one, or the first at all", () => {
    const before = join(root, "before");
    const path = `${before}:${bin}`;
    mkdirSync(before);
    const [command, unknown] = ["tool --now", "other"].map((line) => resolve({ line }, path));
    if (command === undefined || unknown === undefined) return expect.fail("There are two.");
    refuse(command, path);
    refuse(unknown, path);
    writeProgram(before, "tool", "#!/bin/sh\n");
    writeProgram(before, "other", "#!/bin/sh\n");
    for (const one of [command, unknown]) expect(refusal(() => refuse(one, path)).code).toBe("replay_drift");
    refuse(resolve({ line: "tool --now" }, path), path);
  });
});
