/** What is kept of rulings from one call to the next says what a gate would say that has judged none. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { systemClock } from "../../../../src/broker/system/clock.js";
import { judgingGate, toolDefinition } from "../../../support/gate-calls.js";
import { acceptedHome } from "../../../support/policy-home.js";

/** What stands there long enough is kept. */
const nothing = { rules: [], over: [], unaccepted: [], fault: null, distrust: null };
const settled = {
  remembered: { list: () => nothing },
  clock: { ...systemClock, now: () => systemClock.now() + 60_000 },
};

test("a call is ruled as if it were the first, whatever was ruled before", async () => {
  const home = await acceptedHome(
    {
      deny: ["mcp__fs__get_file_info"],
      ask: [{ rule: "mcp__fs__list_directory", when: [{ arg: "$.path", glob: "**/closed/**" }] }],
      allow: ["mcp__fs__directory_tree", { rule: "mcp__fs__edit_file", state: "none" }],
    },
    settled,
  );
  mkdirSync(join(home.project, "closed/deep"), { recursive: true });
  mkdirSync(join(home.project, ".git"));
  writeFileSync(join(home.project, "closed/file"), "x");
  symlinkSync(home.path, join(home.project, "to-home"));
  symlinkSync("closed", join(home.project, "to-closed"));
  const below = [
    "",
    "/closed",
    "/closed/file",
    "/to-closed/file",
    "/new",
    "/.git/config",
    "/to-home/keys",
    "/..",
  ];
  const path = fc.oneof(
    fc.constantFrom(...below.map((one) => `${home.project}${one}`), home.path, "/", "relative", "~/x"),
    fc.integer(),
  );
  const name = fc.constantFrom(
    ...["read_text_file", "list_directory", "directory_tree", "get_file_info"],
    ...["write_file", "edit_file", "move_file", "create_directory", "made_up"],
  );
  const call = fc.record({
    tool: fc.record({ name, isReadOnly: fc.boolean() }),
    given: fc.record({ path, source: path, destination: path, head: fc.nat() }, { requiredKeys: [] }),
    suspended: fc.constantFrom(null, null, "another server is there"),
  });
  const how = { preset: "filesystem", areHintsTrusted: true };
  let suspended: string | null = null;
  const one = judgingGate(home, { ...how, suspended: () => suspended });
  for (const why of [null, "another server is there", null]) {
    suspended = why;
    expect(one("read_text_file", { path: home.project }).verdict.name).toBe(why === null ? "allow" : "ask");
  }
  fc.assert(
    fc.property(fc.array(call, { minLength: 20, maxLength: 40 }), (calls) => {
      for (const { tool, given, suspended: why } of calls) {
        suspended = why;
        const definition = toolDefinition(tool.name, tool);
        expect(one(definition, given)).toEqual(
          judgingGate(home, { ...how, suspended: () => why })(definition, given),
        );
      }
    }),
    { numRuns: 20 },
  );
});
