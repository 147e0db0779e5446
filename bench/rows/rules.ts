/** Reading a thousand rules: what a server does before its first verdict, and after each change of the file. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blocksOfTime, type Row } from "../row.js";
import { cpuMsOfRun } from "../support/command.js";
import { wisp } from "../support/places.js";
import { alternate, ratioOf } from "../verdict.js";

const rounds = 15;
const manyRules = 1_000;
/** As many as the deliberate failure needs: six times the work. */
const tooManyRules = 5_000;

export const rulesRow: Row = {
  name: "rules",
  what: "`wisp policy check`, 1,000 rules with self-tests: whole process, CPU",
  against: "`wisp policy check`, 1 rule",
  unit: "×",
  gate: { bar: 3.2, goal: 1.8, holds: "at most" },
  mostBlocks: blocksOfTime,
  fault: "it reads 5,000 rules",
  async open({ fault }) {
    const many = homeWith(fault ? tooManyRules : manyRules);
    const one = homeWith(1);
    const check = (home: string) => () =>
      cpuMsOfRun({
        argv: [process.execPath, wisp, "policy", "check", "--json", "--", "git status"],
        environment: { WISP_HOME: home },
        says: ['"verdict":"ask"'],
      });
    return {
      block: async () => ratioOf(await alternate(rounds, check(one), check(many))),
      async close() {
        for (const home of [many, one]) rmSync(home, { recursive: true });
      },
    };
  },
};

/** A home with so many rules that none of them matches what is checked. */
function homeWith(count: number): string {
  const home = mkdtempSync(join(tmpdir(), "wisp-bench-"));
  const rules = Array.from({ length: count }, (_, index) => ({
    rule: `Bash(deploy service-${index} *)`,
    level: "high",
    match: [`deploy service-${index} now`],
  }));
  writeFileSync(join(home, "format"), "wisp-broker 1\n", { mode: 0o600 });
  writeFileSync(join(home, "policy.json"), JSON.stringify({ permissions: { ask: rules } }, null, 1), {
    mode: 0o600,
  });
  return home;
}
