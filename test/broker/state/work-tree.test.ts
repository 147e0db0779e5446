import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { WispError } from "../../../src/broker/request/errors.js";
import { stagedIdentity } from "../../../src/broker/state/git-index.js";
import { workTreeState } from "../../../src/broker/state/work-tree.js";
import { type ResolvedCommand, refuseDrift } from "../../../src/server/command/resolve.js";
import { runCommand } from "../../../src/server/command/run.js";
import { commandSubject } from "../../../src/server/command/subject.js";
import { ofArgv, runParts, runToEnd, testEnvironment } from "../../support/commands.js";
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

function state(directory = root) {
  const [head, index] = workTreeState(directory) ?? [];
  return { head: head?.fingerprint, index: index?.fingerprint };
}

describe.skipIf(!hasGit)("the state of a git work tree", () => {
  it("is named, and the same in every directory of it", () => {
    startRepository();
    const deep = join(root, "a", "b");
    mkdirSync(deep, { recursive: true });
    expect(workTreeState(root)?.map(({ target }) => target)).toEqual([`HEAD of ${root}`, `index of ${root}`]);
    expect(workTreeState(deep)).toEqual(workTreeState(root));
  });

  it("is none outside of one, nor where .git is none of git's", () => {
    expect(workTreeState(root)).toBeNull();
    mkdirSync(join(root, ".git"));
    expect(workTreeState(root)).toBeNull();
    rmSync(join(root, ".git"), { recursive: true });
    writeFileSync(join(root, ".git"), "gitdir: /nowhere\n");
    expect(workTreeState(root)).toBeNull();
    writeFileSync(join(root, "file"), "");
    writeFileSync(join(root, ".git"), "gitdir: file\n");
    expect(workTreeState(root)).toBeNull();
    writeFileSync(join(root, ".git"), `gitdir: ${"./".repeat(2_100)}real\n`);
    expect(workTreeState(root)).toBeNull();
    rmSync(join(root, ".git"));
    startRepository();
    expect(workTreeState(root)).toHaveLength(2);
  });

  it("is none while its index is a link to itself", () => {
    startRepository();
    const path = join(root, ".git", "index");
    renameSync(path, `${path}.old`);
    symlinkSync("index", path);
    expect(workTreeState(root)).toBeNull();
    renameSync(`${path}.old`, path);
    expect(workTreeState(root)).toHaveLength(2);
  });

  it("has another HEAD after a commit, another branch, and none before the first", () => {
    git("init", "-b", "main");
    const unborn = state();
    startRepository();
    const first = state();
    git("commit", "--allow-empty", "-m", "second");
    const second = state();
    git("checkout", "-b", "other");
    const other = state();
    expect(new Set([unborn.head, first.head, second.head, other.head]).size).toBe(4);
    git("checkout", "main");
    expect(state()).toEqual(second);
    git("checkout", "--detach");
    expect(state().head).not.toBe(second.head);
  });

  it("does not change with where git keeps a branch", () => {
    startRepository();
    const before = state();
    git("pack-refs", "--all");
    expect(state()).toEqual(before);
    git("commit", "--allow-empty", "-m", "second");
    expect(state().head).not.toBe(before.head);
  });

  it.each([[[]], [["--index-version", "4"]]])(
    "has another index after each thing that is staged (%j)",
    (flags) => {
      startRepository();
      if (flags.length > 0) git("update-index", ...flags);
      const seen = [state().index];
      for (const [name, text] of [
        ["file", "two\n"],
        ["files", "one\n"],
        ["file-with-a-long-name", "one\n"],
      ] as const) {
        writeFileSync(join(root, name), text);
        expect(state().index).toBe(seen.at(-1));
        git("add", name);
        seen.push(state().index);
      }
      git("update-index", "--chmod=+x", "file");
      seen.push(state().index);
      git("rm", "--cached", "files");
      seen.push(state().index);
      git("update-index", "--skip-worktree", "file");
      seen.push(state().index);
      expect(new Set(seen).size).toBe(seen.length);
    },
  );

  it.each(["2", "4"])("does not change when git only remembers other times (version %s)", (version) => {
    startRepository();
    git("update-index", "--index-version", version);
    const before = state();
    const bytes = readFileSync(join(root, ".git", "index"));
    utimesSync(join(root, "file"), 1_000, 1_000);
    git("status");
    expect(readFileSync(join(root, ".git", "index")).equals(bytes)).toBe(false);
    expect(state()).toEqual(before);
  });

  it("is told by the whole index where that is not written as usual", () => {
    startRepository();
    const index = join(root, ".git", "index");
    const before = state();
    appendFileSync(index, "x");
    const appended = state();
    appendFileSync(index, "y");
    expect(new Set([before.index, appended.index, state().index]).size).toBe(3);
    for (const odd of [Buffer.alloc(0), Buffer.from("DIRC"), Buffer.alloc(64)]) {
      expect(stagedIdentity(odd)).toMatch(/^whole /);
    }
    git("read-tree", "HEAD");
    git("update-index", "--split-index");
    expect(stagedIdentity(readFileSync(index))).toMatch(/^whole /);
  });

  it("of a linked work tree is its own", () => {
    startRepository();
    const main = root;
    git("worktree", "add", "-b", "side", "../side");
    root = join(main, "..", "side");
    const before = state();
    expect(before).not.toEqual(state(main));
    git("commit", "--allow-empty", "-m", "here");
    expect(state().head).not.toBe(before.head);
    const other = state(main);
    writeFileSync(join(root, "file"), "two\n");
    git("add", "file");
    expect(state().index).not.toBe(before.index);
    expect(state(main)).toEqual(other);
  });

  it("is none while HEAD or index are pipes: nothing waits for an agent's", () => {
    startRepository();
    const path = join(root, ".git", "index");
    rmSync(path);
    execFileSync("mkfifo", [path]);
    expect(workTreeState(root)).toBeNull();
    rmSync(path);
    git("read-tree", "HEAD");
    expect(workTreeState(root)).toHaveLength(2);
  });
});

/** What every command is bound to. */
function programOf({ program, programChangedAt }: ResolvedCommand) {
  return { target: program.path, fingerprint: `changed ${programChangedAt}` };
}

describe.skipIf(!hasGit)("a command in a work tree", () => {
  it("is bound to it, and does not run once something else is staged; asked anew it does", async () => {
    startRepository();
    const command = ofArgv(root, ["touch", "ran"]);
    expect(commandSubject(command).subject.state).toEqual({
      bound: [programOf(command), ...(workTreeState(root) ?? [])],
    });
    writeFileSync(join(root, "file"), "two\n");
    refuseDrift(command, testEnvironment);
    git("add", "file");
    const refused = await runCommand(command, 60_000, runParts()).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(WispError);
    expect(refused).toMatchObject({
      code: "replay_drift",
      message: `What is checked out or staged in ${root} is not what was approved; nothing ran.`,
    });
    expect(existsSync(join(root, "ran"))).toBe(false);
    await runToEnd(ofArgv(root, ["touch", "ran"]));
    expect(existsSync(join(root, "ran"))).toBe(true);
  });

  it("outside of one is bound to its program alone, and does not run once there is one", async () => {
    const command = ofArgv(root, ["touch", "ran"]);
    expect(commandSubject(command).subject.state).toEqual({ bound: [programOf(command)] });
    startRepository();
    expect(() => refuseDrift(command, testEnvironment)).toThrow("is not what was approved");
    await runToEnd(ofArgv(root, ["touch", "ran"]));
    expect(existsSync(join(root, "ran"))).toBe(true);
  });
});
