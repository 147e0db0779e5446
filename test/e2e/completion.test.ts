/** The script that `wisp completion bash` prints, in a real bash: what TAB would offer, and what it would never run. */
import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import type { Home } from "../../src/broker/channel/home.js";
import { approvalDraft, commandSubject } from "../support/builders.js";
import { wispProgram } from "../support/built.js";
import { openAsker, tempDirectory, tempHome } from "../support/temp-home.js";

/**
 * Takes the words as bash would split them, the last being the one at the cursor, and prints what would be offered. `wisp` is
 * the built program, by a function: nothing of this name need be installed.
 */
const harness = `
wisp() { "$NODE" "$PROGRAM" "$@"; }
source <(wisp completion bash)
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*"
_wisp
(( \${#COMPREPLY[@]} )) && printf '%s\\n' "\${COMPREPLY[@]}"
complete -p wisp >&2
`;

async function offered(home: Home, ...words: readonly string[]): Promise<readonly string[]> {
  const directory = tempDirectory();
  const script = join(directory, "harness.bash");
  writeFileSync(script, harness);
  const env = { PATH: process.env.PATH, HOME: directory, WISP_HOME: home.path, NODE: process.execPath };
  const { stdout, stderr } = await promisify(execFile)("bash", ["--norc", script, "wisp", ...words], {
    env: { ...env, PROGRAM: wispProgram },
    cwd: directory,
  });
  expect(stderr).toBe("complete -F _wisp wisp\n");
  return stdout.split("\n").filter((line) => line !== "");
}

it("offers commands, flags, scopes and what waits", async () => {
  const home = tempHome();
  const { channel } = openAsker(home);
  const { id } = channel.file(approvalDraft(), []);
  expect(await offered(home, "appr")).toEqual(["approvals"]);
  expect(await offered(home, "approvals", "de")).toEqual(["deny"]);
  expect(await offered(home, "doctor", "--f")).toEqual(["--fix"]);
  expect(await offered(home, "facts", "keep", "--scope", "=", "gl")).toEqual(["global"]);
  expect(await offered(home, "facts", "keep", "--scope", "=")).toEqual(["project", "global", "everywhere"]);
  expect(await offered(home, "approvals", "deny", "")).toEqual([id]);
  expect(await offered(home, "approvals", "deny", id.slice(0, 4))).toEqual([id]);
});

it("runs nothing of what an agent wrote, nor of what stands half-typed", async () => {
  const home = tempHome();
  const mark = join(tempDirectory(), "ran");
  const line = `echo $(touch ${mark}) \`touch ${mark}\` > ${mark}`;
  const draft = approvalDraft({ subject: commandSubject({ line }), says: line });
  const { id } = openAsker(home).channel.file(draft, []);
  expect(await offered(home, "approvals", "deny", "")).toEqual([id]);
  for (const typed of [
    `$(touch ${mark})`,
    `\`touch ${mark}\``,
    `>${mark}`,
    `;touch ${mark}`,
    `"$(touch ${mark})`,
  ]) {
    expect(await offered(home, "approvals", "deny", id, "--note", typed)).toEqual([]);
    expect(await offered(home, "approvals", typed, "")).toEqual([]);
  }
  expect(existsSync(mark)).toBe(false);
});
