import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { WispError } from "../../../src/broker/request/errors.js";
import { fingerprintGit } from "../../../src/broker/state/work-tree.js";
import { gitIn, hasGit, startRepositoryIn } from "../../support/git-trees.js";
import { tempDirectory } from "../../support/temp-home.js";

let root: string;
beforeEach(() => {
  root = join(tempDirectory(), "work");
  mkdirSync(root);
});

function git(...words: readonly string[]): void {
  gitIn(root, ...words);
}

function startRepository(...flags: readonly string[]): void {
  startRepositoryIn(root, ...flags);
}

describe.skipIf(!hasGit)("the fingerprint of a git work tree", () => {
  it("sees a commit, what is staged, and nothing of what a status refreshes", () => {
    startRepository();
    const before = fingerprintGit(root);
    expect(before.map(({ target }) => target)).toEqual([`HEAD of ${root}`, `index of ${root}`]);
    writeFileSync(join(root, "file"), "one\n");
    git("status");
    expect(fingerprintGit(root)).toEqual(before);
    writeFileSync(join(root, "file"), "two\n");
    git("add", "file");
    const [head, index] = fingerprintGit(root);
    expect(head).toEqual(before[0]);
    expect(index).not.toEqual(before[1]);
    git("commit", "-m", "second");
    expect(fingerprintGit(root)[0]).not.toEqual(head);
  });

  it("sees through the index of a repository that uses SHA-256, as of any other", () => {
    startRepository("--object-format=sha256");
    const before = fingerprintGit(root);
    // Git writes the index anew for the times alone.
    execFileSync("touch", ["-d", "2001-01-01", join(root, "file")]);
    git("update-index", "--refresh");
    expect(fingerprintGit(root)).toEqual(before);
    writeFileSync(join(root, "file"), "two\n");
    git("add", "file");
    expect(fingerprintGit(root)[1]).not.toEqual(before[1]);
  });

  it("is that there is none, until one appears", () => {
    const before = fingerprintGit(root);
    expect(before).toHaveLength(1);
    expect(fingerprintGit(root)).toEqual(before);
    expect(fingerprintGit(join(root, "missing"))).toHaveLength(1);
    startRepository();
    expect(fingerprintGit(root).map(({ target }) => target)).not.toContain(before[0]?.target);
  });

  it("is of the tree that a link leads to, and another one when the link turns", () => {
    startRepository();
    const link = join(root, "..", "link");
    symlinkSync("work", link);
    const before = fingerprintGit(link);
    expect(before).toEqual(fingerprintGit(root));
    const other = join(root, "..", "other");
    mkdirSync(other);
    gitIn(other, "init");
    rmSync(link);
    symlinkSync("other", link);
    expect(fingerprintGit(link).map(({ target }) => target)).toEqual([
      `HEAD of ${other}`,
      `index of ${other}`,
    ]);
  });

  it("is refused while it cannot be read, and is there again when it can", () => {
    startRepository();
    const index = join(root, ".git", "index");
    renameSync(index, `${index}.kept`);
    mkdirSync(index);
    const look = () => fingerprintGit(root);
    expect(look).toThrow(WispError);
    expect(look).toThrow(/cannot be read/);
    rmSync(index, { recursive: true });
    renameSync(`${index}.kept`, index);
    expect(look()).toHaveLength(2);
  });
});

/** What a repository can say that makes git run a program of its own, with words of git that show it does. */
const traps: readonly (readonly [string, (program: string) => string, readonly string[]])[] = [
  ["core.fsmonitor", (program) => `[core]\n\tfsmonitor = ${program}\n`, ["status"]],
  ["core.hooksPath", (program) => `[core]\n\thooksPath = ${join(program, "..")}\n`, ["checkout", "main"]],
  [
    "a filter",
    (program) => `[filter "trap"]\n\tclean = ${program}\n\trequired = false\n`,
    ["add", "--renormalize", "file"],
  ],
  ["an alias", (program) => `[alias]\n\ttrap = !${program}\n`, ["trap"]],
  ["textconv", (program) => `[diff "trap"]\n\ttextconv = ${program}\n`, ["diff", "HEAD~1"]],
];

describe.skipIf(!hasGit)("a hostile repository", () => {
  it.each(traps)(
    "runs nothing by %s, written in its configuration or in a file that this includes",
    (_, configured, words) => {
      startRepository();
      writeFileSync(join(root, "file"), "two\n");
      writeFileSync(join(root, ".gitattributes"), "file filter=trap diff=trap\n");
      git("commit", "-am", "second");
      const hooks = join(root, "hooks");
      const ran = join(root, "ran");
      const program = join(hooks, "post-checkout");
      mkdirSync(hooks);
      writeFileSync(program, `#!/bin/sh\ntouch '${ran}'\n`);
      chmodSync(program, 0o700);
      writeFileSync(join(root, "included"), configured(program));
      appendFileSync(join(root, ".git", "config"), `[include]\n\tpath = ${join(root, "included")}\n`);
      const before = fingerprintGit(root);
      expect(before).toHaveLength(2);
      expect(existsSync(ran)).toBe(false);
      appendFileSync(join(root, ".git", "config"), configured(program));
      expect(fingerprintGit(root)).toEqual(before);
      expect(existsSync(ran)).toBe(false);
      // The trap is one: git itself falls into it.
      try {
        git(...words);
      } catch {
        // What the program prints is none of what git expects of it.
      }
      expect(existsSync(ran)).toBe(true);
    },
  );
});
