/**
 * What `wisp policy check` says is what a server does: random calls, rules and directories, with a configuration that cannot
 * be used, one that waits, and without HOME or PATH. Both differ only where their environments do.
 */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { judgingOf } from "../../src/broker/config/judging.js";
import { loadConfig } from "../../src/broker/config/load.js";
import { rootSecretOf } from "../../src/broker/identity/root-secret.js";
import { programOf } from "../../src/broker/policy/find-program.js";
import { WispError } from "../../src/broker/request/errors.js";
import { systemClock } from "../../src/broker/system/clock.js";
import { homeDirectoryOf } from "../../src/broker/system/home-directory.js";
import { entryOf } from "../../src/cli/policy/entry.js";
import { check } from "../../src/cli/policy-verbs.js";
import { smallEnvironment } from "../../src/server/command/environment.js";
import { judgedOf } from "../../src/server/command/judged.js";
import { resolveCommand } from "../../src/server/command/resolve.js";
import { writeConfig } from "../support/config-files.js";
import { acceptedHome } from "../support/policy-home.js";
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

/** What may stand in config.json. */
const config = fc.constantFrom(
  null,
  null,
  "{",
  '{"approval": {"threshold": "dangerous"}}',
  '{"approval": {"x": 1}}',
);
/** A server and a check that were started alike. */
const variables = fc.record({ hasHome: fc.boolean(), hasPath: fc.boolean() });

type Example = [
  rules: { deny: string[]; ask: string[]; allow: string[] },
  ofProject: string | null,
  text: string,
  isArgv: boolean,
  below: "." | "sub",
  written: null | "{",
  given: { hasHome: boolean; hasPath: boolean },
];

/** Each verdict at least, with and without what is missing at random. */
function examples() {
  const none: string[] = [];
  const allow = { deny: none, ask: none, allow: ["Bash(ls *)", "Bash(~/bin/tool *)"] };
  const deny = { ...allow, deny: ["Bash(~/bin/tool *)"] };
  const usual = { hasHome: true, hasPath: true };
  const bare = { hasHome: false, hasPath: false };
  const asked = (rules: typeof allow, text: string, written: null | "{", given: typeof usual) =>
    [rules, null, text, false, ".", written, given] as Example;
  return [
    asked(allow, "ls x", null, usual),
    asked(allow, "ls x", null, bare),
    asked(allow, "ls x", "{", usual),
    asked(allow, "~/bin/tool x", null, usual),
    asked(deny, "~/bin/tool x", "{", bare),
    asked(deny, "~/bin/tool x", null, usual),
  ];
}

const placeOf = (path: string) => ({ path, ensureHome: () => path, clock: systemClock });

it("the verdict of both is the same, and the file of the program", async () => {
  const seen = { allow: 0, ask: 0, deny: 0 };
  await fc.assert(
    fc.asyncProperty(
      lists,
      fc.option(rule, { nil: null }),
      line,
      fc.boolean(),
      fc.constantFrom(".", "sub"),
      config,
      variables,
      async (rules, ofProject, text, isArgv, below, written, { hasHome, hasPath }) => {
        const account = homeDirectoryOf({});
        const home = await acceptedHome(rules, hasHome ? {} : { homeDirectory: account });
        if (written !== null) writeConfig(home.path, written);
        const directory = join(home.project, below);
        mkdirSync(join(home.project, "sub"));
        mkdirSync(join(home.homeDirectory, "bin"));
        for (const path of [join(home.homeDirectory, "bin", "tool"), join(directory, "own")]) {
          writeFileSync(path, "");
          chmodSync(path, 0o755);
        }
        if (ofProject !== null) home.writeProject({ ask: [ofProject] });
        const environment = {
          WISP_HOME: home.path,
          ...(hasHome ? { HOME: home.homeDirectory } : {}),
          ...(hasPath ? { PATH: "bin:/usr/bin:/bin" } : {}),
        };
        const argv = isArgv ? text.split(" ") : null;

        const words = argv !== null && argv.length > 1 ? argv : [text];
        const ran = startVerb(check, ["--json", "--cwd", directory, "--", ...words], { environment });
        const { out } = await ran.ended;
        const said = JSON.parse(out);

        const wanted = words.length > 1 ? { argv: words, line: null } : { argv: null, line: text };
        const small = smallEnvironment(environment);
        try {
          const judged = judgedOf(resolveCommand({ ...wanted, directory }, small));
          expect(programOf(judged, small)?.program.path ?? null).toBe(judged.program);
          const loaded = loadConfig(home.path, rootSecretOf(placeOf(home.path)));
          const verdict = home.policy.judge(judged, judgingOf(loaded));
          if (loaded.fault !== null) expect(verdict).toMatchObject({ isFaulty: true });
          if (loaded.fault !== null) expect(verdict.name).not.toBe("allow");
          expect(said).toEqual(JSON.parse(JSON.stringify(entryOf(verdict))));
          seen[verdict.name] += 1;
        } catch (error) {
          // A server refuses a program that is not there, before anything is judged.
          if (!(error instanceof WispError) || error.code !== "invalid_input") throw error;
        }
      },
    ),
    { numRuns: 100, examples: examples() },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(1);
});
