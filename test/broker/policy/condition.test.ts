/** What `when` asks of arguments: surely where a rule lets through, possibly where it makes stricter. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseArgumentPath } from "../../../src/broker/policy/argument-path.js";
import { isHolding } from "../../../src/broker/policy/condition.js";
import { newEffort } from "../../../src/broker/policy/effort.js";
import { acceptedHome } from "../../support/policy-home.js";

const mebibyte = 1024 * 1024;

/** Verdicts on calls of one tool that a rule with this test allows, and then of one with the same that denies. */
async function verdictsOf(test: object, ...values: readonly unknown[]): Promise<readonly string[]> {
  const rule = { rule: "mcp__a__b", when: [{ arg: "$.x", ...test }] };
  const allowing = await acceptedHome({ allow: [rule] });
  const denying = await acceptedHome({ deny: [rule], allow: ["mcp__a"] });
  return values.map((x) => {
    const args = x === undefined ? {} : { x };
    return `${allowing.tool("mcp__a__b", args).name} ${denying.tool("mcp__a__b", args).name}`;
  });
}

describe("when", () => {
  it("equals holds for that value alone, and makes stricter also for its text and for a list with it", async () => {
    expect(await verdictsOf({ equals: 7 }, 7, "7", [7], 8, "seven", undefined)).toEqual([
      "allow deny",
      "ask deny",
      "ask deny",
      "ask allow",
      "ask allow",
      "ask allow",
    ]);
  });

  it("glob and matches let a text through that they fit, and nothing that is no text or is not there", async () => {
    for (const test of [{ glob: "v*" }, { matches: "^v[0-9]+$" }]) {
      expect(await verdictsOf(test, "v1", ["v1"], "x", undefined)).toEqual([
        "allow deny",
        "ask deny",
        "ask allow",
        "ask allow",
      ]);
    }
  });

  it("says nothing of a text that is longer than it looks at, which counts against the call", async () => {
    for (const test of [{ glob: "v*" }, { matches: "^v" }]) {
      expect(await verdictsOf(test, `v${"1".repeat(mebibyte / 4)}`, "v1")).toEqual([
        "ask deny",
        "allow deny",
      ]);
      expect(await verdictsOf(test, `x${"1".repeat(mebibyte / 4)}`, "x1")).toEqual(["ask deny", "ask allow"]);
    }
  });

  it("countOver holds for more values than it says, and not for as many", async () => {
    const rule = { rule: "mcp__a__b", when: [{ arg: "$.x[*]", countOver: 2 }] };
    const home = await acceptedHome({ deny: [rule], allow: ["mcp__a"] });
    expect(home.tool("mcp__a__b", { x: [1, 2, 3] }).name).toBe("deny");
    expect(home.tool("mcp__a__b", { x: [1, 2] }).name).toBe("allow");
  });

  it("a path is the same in both forms in which its letters are written", async () => {
    const home = await acceptedHome({ deny: [], allow: ["Read(~/caf\u00e9/**)"] });
    mkdirSync(join(home.homeDirectory, "cafe\u0301"));
    const read = (path: string): string => home.tool("Read", { file_path: path }).name;
    expect(read(join(home.homeDirectory, "cafe\u0301/x"))).toBe("allow");
    expect(read(join(home.homeDirectory, "cafe/x"))).toBe("ask");
    const denying = await acceptedHome({ deny: ["Read(~/caf\u00e9/**)"], allow: ["Read"] });
    expect(denying.tool("Read", { file_path: "~/cafe\u0301/x" }).name).toBe("deny");
    expect(denying.tool("Read", { file_path: "~/cafe/x" }).name).toBe("allow");
  });
});

describe("what cannot be looked at whole", () => {
  const many = Array.from({ length: 10_001 }, (_, index) => index);

  it("counts against the call: more values at a path, and more texts in a value, than are looked at", async () => {
    expect(await verdictsOf({ arg: "$.x[*]", matches: "^v" }, many, ["w"], ["v"])).toEqual([
      "ask deny",
      "ask allow",
      "allow deny",
    ]);
    expect(await verdictsOf({ equals: "v" }, many, ["w"], "v")).toEqual([
      "ask deny",
      "ask allow",
      "allow deny",
    ]);
  });

  it("counts against the call: whatever no work is left for, at the path, in the value or in the text", () => {
    const path = parseArgumentPath("$.x");
    if (path.kind !== "path") throw new Error(path.why);
    const look = {
      real: (one: string) => one,
      isLink: () => false,
      isThere: () => true,
      hasOtherNames: () => false,
    };
    const place = { look, directory: "/srv", homeDirectory: "/home/p" };
    const args = { x: "a".repeat(1_000) };
    const holds = (mode: "exact" | "loose", left: number): boolean => {
      const condition = { path: path.path, test: { kind: "glob", glob: ["b"] } } as const;
      return isHolding(condition, args, mode, { place, effort: newEffort(left) });
    };
    for (const left of [0, 280, 300]) {
      expect([holds("exact", left), holds("loose", left)], String(left)).toEqual([false, true]);
    }
    expect([holds("exact", 2_000), holds("loose", 2_000)]).toEqual([false, false]);
  });
});
