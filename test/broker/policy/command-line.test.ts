/** The words of a simple line are those that bash runs. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandsOf, hasFileGlob } from "../../../src/broker/policy/command-line.js";
import { tempDirectory } from "../../support/temp-home.js";

/** Writes its own name and its words down with one call, so that two of a pipe do not mix theirs. */
const stub = `#!/bin/bash
printf -v all '%s\\036' "\${0##*/}" "$@"
printf '%s\\035' "$all" >>"$LOG"
`;

describe("the commands of a line", () => {
  it("are its words with quotes removed and ~ expanded, redirections left out", () => {
    const commands = commandsOf("ls ~ ~/a '~/b' \"c d\" 2>&1 | wc -l >/dev/null", "/home/p");
    expect(commands?.map(({ words }) => words)).toEqual([
      ["ls", "/home/p", "/home/p/a", "~/b", "c d"],
      ["wc", "-l"],
    ]);
  });

  it("are none of a complex line", () => {
    expect(commandsOf("echo $(id)", "/home/p")).toBeNull();
    expect(commandsOf("echo id", "/home/p")).not.toBeNull();
  });

  it("tell a glob from the same text in quotes", () => {
    const [glob] = commandsOf("rm src/* a[b]c", "/") ?? [];
    const [quoted] = commandsOf("rm 'src/*' 'a[b]c'", "/") ?? [];
    expect(glob?.words).toEqual(quoted?.words);
    expect(glob !== undefined && hasFileGlob(glob)).toBe(true);
    expect(quoted !== undefined && hasFileGlob(quoted)).toBe(false);
  });

  it("are the very words that bash runs", () => {
    const directory = tempDirectory();
    const programs = join(directory, "programs");
    mkdirSync(programs);
    for (const name of ["aa", "bb", "cc"]) {
      const path = join(programs, name);
      writeFileSync(path, stub);
      chmodSync(path, 0o755);
    }
    const log = join(directory, "log");
    const part = fc.constantFrom(
      "x",
      "~/y",
      "'a b'",
      '"c\'d"',
      "-f",
      "''",
      "~",
      "'*'",
      "a=b",
      "\\q",
      "2>&1",
      ">/dev/null",
      "$HOME",
      "{a,b}",
      "#",
      "a~",
    );
    const joiner = fc.constantFrom("; ", " && ", " | ", "\n", " ;", " & ");
    const command = fc
      .tuple(fc.constantFrom("aa", "bb", "cc", "'aa'"), fc.array(part, { maxLength: 4 }))
      .map(([name, words]) => [name, ...words].join(" "));
    const line = fc
      .array(fc.tuple(command, joiner), { minLength: 1, maxLength: 3 })
      .map((all) => all.flat().slice(0, -1).join(""));
    let judged = 0;
    fc.assert(
      fc.property(line, (text) => {
        const commands = commandsOf(text, "/home/p");
        if (commands === null) return;
        judged += 1;
        writeFileSync(log, "");
        spawnSync("/bin/bash", ["--noprofile", "--norc", "-c", text], {
          cwd: directory,
          env: { PATH: `${programs}:/usr/bin:/bin`, HOME: "/home/p", LOG: log },
          stdio: "ignore",
        });
        expect(ran(log)).toEqual(commands.map(({ words }) => words.join("\x1e")).sort());
      }),
      { numRuns: 300 },
    );
    expect(judged).toBeGreaterThan(30);
  }, 120_000);
});

/** What the stand-ins wrote down of their words; those of a pipe run at the same time, so in any order. */
function ran(log: string): readonly string[] {
  return readFileSync(log, "utf8")
    .split("\x1d")
    .filter((one) => one !== "")
    .map((one) => one.slice(0, -1))
    .sort();
}
