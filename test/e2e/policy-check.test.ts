/** `wisp policy check` as it is built, run as a person or a script runs it. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runBare, wispProgram } from "../support/built.js";
import { acceptPolicy, writePolicy, writeProjectPolicy } from "../support/policy-files.js";
import { tempDirectory } from "../support/temp-home.js";

const rules = {
  deny: [
    { rule: "Bash(curl *)", reason: "use the proxy" },
    { rule: "mcp__x__y", when: [{ arg: "$.a", matches: "^b+$" }] },
  ],
  ask: ["Bash(git push *)"],
  allow: ["Bash(git *)", "Bash(echo 'a b')", "Read(//srv/**)"],
};

/** A home with these rules, accepted, and a directory to run in. */
async function scene() {
  const above = tempDirectory();
  const home = join(above, "home");
  const project = join(above, "project");
  mkdirSync(project);
  await acceptPolicy(home, rules);
  const env = { PATH: process.env.PATH, HOME: above, WISP_HOME: home };
  const run = (...words: readonly string[]) =>
    runBare([process.execPath, wispProgram, "policy", "check", ...words], { env, cwd: project });
  const verdict = async (...words: readonly string[]) => JSON.parse((await run("--json", ...words)).out);
  return { home, project, env, run, verdict };
}

it("judges a line, words, a line on standard input and a call of a tool", async () => {
  const { project, env, run, verdict } = await scene();
  expect(await run("--", "git status; curl x")).toMatchObject({ exit: 0, err: "" });
  expect((await run("--", "git status; curl x")).out).toContain("deny: it is refused");
  expect(await verdict("--", "git", "-C", ".", "push")).toMatchObject({
    verdict: "ask",
    rule: { text: "Bash(git push *)" },
  });
  expect(await verdict("--", "echo", "a b")).toMatchObject({ verdict: "allow" });
  expect(await verdict("--", "git -c a=b log")).toMatchObject({ verdict: "ask", rule: { list: "floor" } });
  const line = join(project, "line");
  writeFileSync(line, "git log\n");
  const { out } = await runBare(
    ["bash", "-c", '"$0" "$1" policy check --json -- - <"$2"', process.execPath, wispProgram, line],
    { env, cwd: project },
  );
  expect(JSON.parse(out)).toMatchObject({ verdict: "allow", parts: [{ text: "git log" }] });
  expect(await verdict("--tool", "mcp__x__y", "--args", '{"a":"bb"}')).toMatchObject({ verdict: "deny" });
  expect(await verdict("--tool", "Read", "--args", '{"file_path":"/srv/x"}')).toMatchObject({
    verdict: "allow",
  });
  expect(await run("--tool", "Read", "--args", "{")).toMatchObject({ exit: 2, out: "" });
});

it("reads a line on standard input with a bound, and no bytes that are no text", async () => {
  const { project, env } = await scene();
  const piped = (from: string) =>
    runBare(["bash", "-c", `${from} | "$0" "$1" policy check -- -`, process.execPath, wispProgram], {
      env,
      cwd: project,
    });
  const endless = await piped("yes");
  expect(endless).toMatchObject({ exit: 2, out: "" });
  expect(endless.err).toContain("is longer than 131072 bytes");
  const bytes = await piped("printf 'git log \\xff'");
  expect(bytes).toMatchObject({ exit: 2, out: "" });
  expect(bytes.err).toContain("not UTF-8");
  expect(await piped("printf 'git log'")).toMatchObject({ exit: 0, err: "" });
});

it("says what a project adds, and what is wrong with a file, and ends with 0", async () => {
  const { home, project, run, verdict } = await scene();
  writeProjectPolicy(project, { deny: ["Bash(git log *)"], allow: ["Bash(make *)"] });
  expect(await verdict("--", "git log")).toMatchObject({
    verdict: "deny",
    rule: { file: join(project, ".wisp", "policy.json"), line: 4 },
    notices: [expect.stringContaining("a project's file allows nothing: Bash(make *)")],
  });
  expect(await verdict("--cwd", "..", "--", "make x")).toMatchObject({ verdict: "ask" });
  writePolicy(home, '{ "permissions": { "dney": [] } }');
  const faulty = await run("--", "git status");
  expect(faulty).toMatchObject({ exit: 0, err: "" });
  expect(faulty.out).toContain("policy.json:1");
  expect(await verdict("--", "curl x")).toMatchObject({ verdict: "deny", faulty: true });
  await acceptPolicy(home, rules);
  expect(await verdict("--", "git status")).toMatchObject({ verdict: "allow", faulty: false });
});

it("judges a directory that is a link as the place that it leads to", async () => {
  const { project, verdict } = await scene();
  const link = join(project, "..", "link");
  symlinkSync(project, link);
  await acceptPolicy(join(project, "..", "home"), {
    allow: [{ rule: "Bash(git status *)", when: [{ arg: "$.directory", equals: project }] }],
  });
  expect(await verdict("--cwd", link, "--", "git status")).toMatchObject({ verdict: "allow" });
  expect(await verdict("--cwd", "..", "--", "git status")).toMatchObject({ verdict: "ask" });
});
