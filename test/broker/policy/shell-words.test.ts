/** What works inside the shell is let through by nothing. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { harmlessWords, shellWords } from "../../../src/broker/policy/shell-words.js";
import { acceptedHome } from "../../support/policy-home.js";
import { ruleInForce } from "../../support/remembered.js";

const bash = "/bin/bash";

describe("a line with a word that works inside the shell", () => {
  test.each([
    "printf -v 'a[$(touch x)]' y",
    "test -v 'a[$(touch x)]'",
    "'[' -v 'a[$(touch x)]' ']'",
    "printf -v PATH %s /elsewhere; git status",
    "git status; printf x",
    "git status && 'cd' x",
    "cd x && git status",
    "export PATH=x; git status",
    "hash -p x git; git status",
    "alias git=x\ngit status",
    "read -a 'a[$(touch x)]'",
    "mapfile -C x -c 1 a",
    "trap 'git status' EXIT",
    "eval git status",
    "command git status",
    "exec git status",
    ". x",
    "source x",
    "let a=1",
    "unset 'a[$(touch x)]'",
    "git status | read x",
  ])("is allowed by no rule and by no threshold, and nothing of it is remembered: %j", async (line) => {
    const home = await acceptedHome({
      allow: ["Bash", "Bash(printf *)", "Bash(cd *)", `Bash('${line.split(" ")[0]}' *)`],
    });
    const verdict = home.line(line);
    expect(verdict, line).toMatchObject({ name: "ask", offers: [], remembered: null });
    expect(["once", "session"]).toContain(verdict.maxScope);
    const open = await acceptedHome({ deny: ["Bash(x)"] }, { settings: { threshold: "dangerous" } });
    expect(open.line(line).name).toBe("ask");
    expect(open.line("git status")).toMatchObject({ name: "allow" });
    expect(home.line("git status")).toMatchObject({ name: "allow" });
  });

  it("is answered by nothing that is remembered", async () => {
    const home = await acceptedHome({ deny: ["Bash(x)"] });
    const anyProgram = { program: null, programIdentity: null };
    home.remembered.push(
      ruleInForce({ ...anyProgram, rule: "Bash(printf *)" }),
      ruleInForce({ ...anyProgram, id: "cdefghjk", rule: "Bash(ls *)" }),
    );
    expect(home.line("printf x")).toMatchObject({ name: "ask", maxScope: "session", remembered: null });
    expect(home.line("ls x")).toMatchObject({ name: "allow" });
  });

  it("is denied as before, and says why it asks where it is not", async () => {
    const home = await acceptedHome({ deny: ["Bash(git push *)"], allow: ["Bash"] });
    expect(home.line("cd x; git push y")).toMatchObject({ name: "deny" });
    expect(home.line("cd x; git status").rule).toMatchObject({
      list: "floor",
      text: "cd works inside the shell, so a line with it always asks",
    });
  });

  it("is no self-test that an allow rule passes", async () => {
    const home = await acceptedHome({ allow: [{ rule: "Bash(printf *)", match: ["printf x"] }] });
    expect(home.line("ls").notices[0]).toContain("does not match printf x");
    const other = await acceptedHome({
      allow: [{ rule: "Bash(ls *)", match: ["ls x"], notMatch: ["cd x; ls x"] }],
    });
    expect(other.line("ls x")).toMatchObject({ name: "allow" });
  });

  it("is so only where it is the program of a command", async () => {
    const home = await acceptedHome({ allow: ["Bash"] });
    for (const line of [
      "echo cd",
      "pwd",
      ": x",
      "true && false || true",
      "ls test",
      "/usr/bin/printf x",
      "ls | cat",
    ])
      expect(home.line(line), line).toMatchObject({ name: "allow" });
    // Without a shell these are files.
    expect(home.argv("printf", "x")).toMatchObject({ name: "allow" });
  });
});

test.skipIf(!existsSync(bash))("every word that the bash of this machine knows is on a list", () => {
  const known = execFileSync(bash, ["-c", "compgen -b; compgen -k"], { encoding: "utf8" }).trim().split("\n");
  expect(known.length).toBeGreaterThan(60);
  expect(known.filter((word) => !shellWords.has(word) && !harmlessWords.has(word))).toEqual([]);
});
