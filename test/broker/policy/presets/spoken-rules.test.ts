/** What speaks of a call of a preset's server is found by its arguments wherever a rule looks at them. */
import { expect, test } from "vitest";
import type { PresetData } from "../../../../src/broker/policy/presets/preset-data.js";
import { spokenRulesOf } from "../../../../src/broker/policy/presets/spoken-rules.js";

const around = {
  ...{ home: "/nowhere/.wisp", homeDirectory: "/nowhere", directory: "/nowhere/work" },
  ...{ roots: [], areFilesHere: true },
};

function rulesOf(permissions: PresetData["permissions"], floors: PresetData["floors"] = []) {
  const none = { packages: [], programs: [], images: [], addresses: [], paths: [], moved: [] };
  const data = { name: "x", ...none, permissions, floors, previews: {}, listings: {} };
  const rules = spokenRulesOf(data, "the preset x", around);
  return (tool: string, given: object) => rules.speakingOf({ tool, arguments: { ...given } });
}

const one = [{ arg: "$.a", equals: 1 }];

test.each<[what: string, speaking: ReturnType<typeof rulesOf>]>([
  ["a rule that allows", rulesOf({ ask: [], allow: [{ rule: "mcp__x__t", when: one }] })],
  ["a rule that asks", rulesOf({ ask: [{ rule: "mcp__x__t", when: one, state: "none" }], allow: [] })],
  ["a floor", rulesOf({ ask: [], allow: [] }, [{ rule: "mcp__x__t", level: "high", why: "w", when: one }])],
  [
    "a floor that looks at files",
    rulesOf({ ask: [], allow: [] }, [{ rule: "mcp__x__t", level: "high", why: "w", carries: "$.dir" }]),
  ],
])("%s by arguments is held against each call", (_what, speaking) => {
  const met = () => speaking("t", { a: 1, dir: "/" });
  const unmet = () => speaking("t", { a: 2, dir: "/nowhere/none" });
  const [before, other, again] = [met(), unmet(), met()];
  expect(again).toEqual(before);
  expect(other).not.toEqual(before);
  expect(unmet()).toEqual(other);
  expect(before.isByName).toBe(false);
});

test("where no argument has a part in it, it is found once for each tool", () => {
  const speaking = rulesOf({ ask: [{ rule: "mcp__x__w*", state: "none" }], allow: ["mcp__x__r"] });
  const read = speaking("r", {});
  expect(read).toMatchObject({ asks: null, allows: { name: "allow" }, floors: [], isByName: true });
  expect(speaking("r", { a: 1 })).toBe(read);
  expect(speaking("write", {})).toMatchObject({ asks: { name: "ask" }, allows: null, isByName: true });
  expect(speaking("delete_all", {}).floors).toHaveLength(1);
});
