/**
 * What `wisp policy check` says is what a server does: random calls, rules and directories. Both differ only where their
 * environments do: a server knows its own PATH and HOME.
 */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { WispError } from "../../src/broker/request/errors.js";
import { entryOf } from "../../src/cli/policy/entry.js";
import { onlyProgram } from "../../src/cli/policy/program-file.js";
import { check } from "../../src/cli/policy-verbs.js";
import { smallEnvironment } from "../../src/server/command/environment.js";
import { judgedOf } from "../../src/server/command/judged.js";
import { resolveCommand } from "../../src/server/command/resolve.js";
import { acceptedHome, usual } from "../support/policy-home.js";
import { startVerb } from "../support/run-verb.js";

const rule = fc.constantFrom(
  ..."Bash|Bash(ls *)|Bash(ls)|Bash(git *)|Bash(git push *)|Bash(* x)|Bash(~/bin/tool *)|Bash(sort *)|Bash(rm *)".split(
    "|",
  ),
);
const lists = fc.record({
  deny: fc.array(rule, { maxLength: 1 }),
  ask: fc.array(rule, { maxLength: 2 }),
  allow: fc.array(rule, { maxLength: 3 }),
});
const command = fc.constantFrom(
  ..."ls|ls x|git push x|git -C sub push|git -c a=b log|sort --compress-program=x|~/bin/tool x|./own x|rm -rf x|wisp x|none x".split(
    "|",
  ),
);
const joiner = fc.constantFrom(" && ", "; ", " | ", " >x; ");
const line = fc
  .tuple(command, joiner, command, fc.boolean())
  .map(([a, by, b, isOne]) => (isOne ? a : a + by + b));

it("the verdict of both is the same, and the file of the program", async () => {
  const seen = { allow: 0, ask: 0, deny: 0 };
  await fc.assert(
    fc.asyncProperty(
      lists,
      fc.option(rule, { nil: null }),
      line,
      fc.boolean(),
      fc.constantFrom(".", "sub"),
      async (rules, ofProject, text, isArgv, below) => {
        const home = await acceptedHome(rules);
        const directory = join(home.project, below);
        mkdirSync(join(home.project, "sub"));
        mkdirSync(join(home.homeDirectory, "bin"));
        for (const path of [join(home.homeDirectory, "bin", "tool"), join(directory, "own")]) {
          writeFileSync(path, "");
          chmodSync(path, 0o755);
        }
        if (ofProject !== null) home.writeProject({ ask: [ofProject] });
        const environment = { WISP_HOME: home.path, HOME: home.homeDirectory, PATH: "bin:/usr/bin:/bin" };
        const argv = isArgv ? text.split(" ") : null;

        const words = argv !== null && argv.length > 1 ? argv : [text];
        const ran = startVerb(check, ["--json", "--cwd", directory, "--", ...words], { environment });
        const { out } = await ran.ended;
        const said = JSON.parse(out);

        const wanted = words.length > 1 ? { argv: words, line: null } : { argv: null, line: text };
        const small = smallEnvironment(environment);
        try {
          const judged = judgedOf(resolveCommand({ ...wanted, directory }, small));
          expect(onlyProgram(judged.argv, judged.line, directory, environment)).toBe(judged.program);
          const verdict = home.policy.judge(judged, usual);
          expect(said).toEqual(JSON.parse(JSON.stringify(entryOf(verdict))));
          seen[verdict.name] += 1;
        } catch (error) {
          // A server refuses a program that is not there, before anything is judged.
          if (!(error instanceof WispError) || error.code !== "invalid_input") throw error;
        }
      },
    ),
    { numRuns: 150 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(5);
});
