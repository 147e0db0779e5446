/** Git repositories for tests: nothing of this account's git counts in them. */
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Is git installed? */
export const hasGit = spawnSync("git", ["--version"]).status === 0;

const environment = {
  PATH: process.env.PATH,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.invalid",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.invalid",
};

/** Makes a repository of `directory` with one commit of one file; `flags` are of `git init`. */
export function startRepositoryIn(directory: string, ...flags: readonly string[]): void {
  gitIn(directory, "init", "-b", "main", ...flags);
  writeFileSync(join(directory, "file"), "one\n");
  gitIn(directory, "add", "file");
  gitIn(directory, "commit", "-m", "first");
}

/** Runs git in `directory` with `words`; throws where it fails. */
export function gitIn(directory: string, ...words: readonly string[]): void {
  execFileSync("git", words, { cwd: directory, env: environment, stdio: "ignore" });
}
