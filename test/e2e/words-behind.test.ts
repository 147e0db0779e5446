/** What stands behind `--` reaches a verb as it was typed, and what it refuses ends as usage: with the built program. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runBare, wispOn, wispProgram } from "../support/built.js";
import { tempDirectory, tempHome } from "../support/temp-home.js";

const wisp = (...words: readonly string[]) => runBare(wispOn(tempHome(), ...words));

/** A project that denies one command alone, so that what was judged shows. */
function denying(rule: string): string {
  const directory = tempDirectory();
  mkdirSync(join(directory, ".wisp"));
  const content = JSON.stringify({ permissions: { deny: [rule] } });
  writeFileSync(join(directory, ".wisp", "policy.json"), content);
  return directory;
}

describe("wisp policy check", () => {
  it.each([
    ["git", "push", "--force"],
    ["ls", "-la"],
    ["git", "--help"],
    ["npm", "run", "build", "--json"],
    ["npm", "run", "--", "build"],
    ["tool", "--cwd", "/"],
  ])("judges these words as they were typed: %s %s %s %s", async (...typed) => {
    const words = typed.filter((word) => word !== undefined);
    const cwd = denying(`Bash(${words.join(" ")})`);
    const check = ["policy", "check", "--cwd", cwd];
    const { exit, out } = await wisp(...check, "--", ...words);
    expect([exit, out.split(" ")[0]]).toEqual([0, "deny:"]);
    expect((await wisp(...check, "--", words.join(" "))).out).toContain("deny: it is refused");
    const json = await wisp(...check, "--json", "--", ...words);
    expect(JSON.parse(json.out)).toMatchObject({ verdict: "deny" });
  });

  it("takes a line from standard input, but none without an end and none that is no text", async () => {
    const piped = (program: string) =>
      runBare([
        "bash",
        "-c",
        `${program} | WISP_HOME="$1" exec "$2" "$3" policy check -- -`,
        "bash",
        tempHome().path,
        process.execPath,
        wispProgram,
      ]);
    const endless = await piped("yes");
    expect([endless.exit, endless.out]).toEqual([2, ""]);
    expect(endless.err).toContain("longer than 131072 bytes");
    const bytes = await piped("printf 'ls \\377'");
    expect([bytes.exit, bytes.out]).toEqual([2, ""]);
    expect(bytes.err).toContain("not UTF-8");
    expect(await piped("printf 'ls\\n'")).toMatchObject({ exit: 0, err: "" });
  });
});

it("every verb of a group takes what stands behind -- for no flag", async () => {
  const audit = await wisp("audit", "show", "--", "-x");
  expect([audit.exit, audit.err]).toEqual([3, "No decision of -x stands in the audit log.\n"]);
  const config = await wisp("config", "get", "--", "--json");
  expect(config.err).not.toContain("There is no flag");
  expect(config.err).not.toContain("is missing");
  expect(await wisp("config", "get", "--", "approval.threshold")).toMatchObject({ exit: 0, out: "low\n" });
});

it("wisp completion ends with 2 where a shell is named that it does not know", async () => {
  const { exit, out, err } = await wisp("completion", "tcsh");
  expect([exit, out]).toEqual([2, ""]);
  expect(err).toContain("One of bash, zsh, fish, powershell is needed.");
  expect(await wisp("completion", "bash")).toMatchObject({ exit: 0, err: "" });
});
