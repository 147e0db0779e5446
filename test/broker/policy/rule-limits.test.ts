/** How much a file of rules may hold, and what it may cost to read. */
import { describe, expect, it, test } from "vitest";
import { parseRules } from "../../../src/broker/policy/rules.js";

const own = { name: "policy.json", homeDirectory: "/home/p", project: null, isCurrent: true };
const project = { ...own, name: "/p/.wisp/policy.json", project: "/p" };

function objectionsTo(rules: readonly unknown[], file: typeof own | typeof project = own): readonly string[] {
  const parsed = parseRules(JSON.stringify({ permissions: { ask: rules } }), file);
  return parsed.kind === "wrong" ? parsed.objections : [];
}

const times = <Value>(count: number, value: Value): readonly Value[] => Array<Value>(count).fill(value);
const expression = (matches: string) => ({ rule: "mcp__a__b", when: [{ arg: "$.a", matches }] });

describe("a file of rules", () => {
  test.each<[string, (count: number) => readonly unknown[], number, number]>([
    ["rules", (count) => times(count, "Bash(a)"), 5_000, 1_000],
    ["times matches", (count) => times(count, expression("a")), 1_000, 100],
    [
      "characters in match and notMatch",
      (count) => [
        ...times(Math.floor(count / 1_000), { rule: "Bash(a*)", match: ["a".repeat(998)] }),
        { rule: "Bash(a*)", match: ["a".repeat((count % 1_000) - 2)] },
      ],
      1024 * 1024,
      16 * 1024,
    ],
  ])("holds so many %s and no more, and fewer in a project", (what, rules, most, mostOfProject) => {
    expect(objectionsTo(rules(most + 1))).toEqual([`policy.json:1: more than ${most} ${what}`]);
    expect(objectionsTo(rules(mostOfProject + 1), project)).toEqual([
      `/p/.wisp/policy.json:1: more than ${mostOfProject} ${what}`,
    ]);
    expect(objectionsTo(rules(mostOfProject + 1))).toEqual([]);
    expect(objectionsTo(rules(mostOfProject), project)).toEqual([]);
  });

  test.each<[string, (count: number) => unknown, number]>([
    [
      "a reason of characters",
      (count) => ({ rule: "Bash(a)", level: "high", comment: "x".repeat(count) }),
      500,
    ],
    ["entries of unless", (count) => ({ rule: "Bash(a *)", unless: times(count, "Bash(a b)") }), 64],
    ["entries of match", (count) => ({ rule: "Bash(a *)", match: times(count, "a b") }), 64],
    ["characters of a test of itself", (count) => ({ rule: "Bash(a*)", match: ["a".repeat(count)] }), 1_000],
    ["steps of an expression", (count) => expression("c".repeat(count)), 998],
  ])("holds so many %s and no more", (_what, entry, most) => {
    expect(objectionsTo([entry(most)])).toEqual([]);
    expect(objectionsTo([entry(most + 1)]).join()).toMatch(
      /more than 64 entries|longer than \d+ char|larger than/,
    );
  });

  test.each([
    "(i.{0,990}){1}x$",
    ".{0,1000}".repeat(90),
    "(abcdefghijklmnopqrstuvwxyz){1000}",
    "((a{10}){10}){10}",
    "[(){}\\]]{1001}",
    "(?:a{20}b{20}){40}",
    "\\Q(\\Ea{900}",
  ])("holds no expression that becomes large: %s", (matches) => {
    expect(objectionsTo([expression(matches)]).join()).toContain("larger than 1000 steps");
    expect(objectionsTo([expression("^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")])).toEqual([]);
  });

  it("names what stands in it as it stands there, so that it is shown once", () => {
    const text = JSON.stringify({ permissions: { allow: ["Bash(\u202exx)"], ask: [] } });
    expect(parseRules(text, project)).toMatchObject({
      kind: "rules",
      refused: ["/p/.wisp/policy.json:1: a project's file allows nothing: Bash(\u202exx)"],
    });
    expect(objectionsTo(["\u202exx"])).toEqual([expect.stringContaining(": \u202exx: no rule")]);
  });
});
