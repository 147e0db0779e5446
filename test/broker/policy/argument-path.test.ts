/** Paths into the arguments of a call: what is read as one, and what is found there. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  argumentsAt,
  foundAt,
  isSingular,
  mostFound,
  parseArgumentPath,
} from "../../../src/broker/policy/argument-path.js";

const args = {
  path: "/srv/x",
  "a b": ["one", "two", "three"],
  files: [{ path: "a" }, { path: "b" }, { name: "c" }],
  nothing: null,
};

describe("a path into arguments", () => {
  test.each<[path: string, found: readonly unknown[], isOne: boolean]>([
    ["$.path", ["/srv/x"], true],
    ["$['path']", ["/srv/x"], true],
    ["$['a b'][0]", ["one"], true],
    ["$['a b'][-1]", ["three"], true],
    ["$['a b'][-4]", [], true],
    ["$['a b'][3]", [], true],
    ["$['a b'][*]", ["one", "two", "three"], false],
    ["$['a b'].*", ["one", "two", "three"], false],
    ["$.files[*].path", ["a", "b"], false],
    ["$.files.length", [], true],
    ["$.path.length", [], true],
    ["$.path[0]", [], true],
    ["$.files[0][0]", [], true],
    ["$.nothing", [null], true],
    ["$.nothing.more", [], true],
    ["$.constructor", [], true],
    ["$['__proto__']", [], true],
  ])("%s finds %j", (text, found, isOne) => {
    const parsed = parseArgumentPath(text);
    expect(parsed).toMatchObject({ kind: "path", path: { text } });
    if (parsed.kind === "path") expect(isSingular(parsed.path)).toBe(isOne);
    expect(argumentsAt(text, args)).toEqual(found);
  });

  test.each([
    ["path", "$.path was probably meant"],
    ["$", "$ alone names all arguments"],
    ["$.", "no path of RFC 9535"],
    ["$.a b", "no path of RFC 9535"],
    ["$..path", "only names, indexes and [*]"],
    ["$['a','b']", "only names, indexes and [*]"],
    ["$[0,1]", "only names, indexes and [*]"],
    ["$[0:2]", "only names, indexes and [*]"],
    ["$[?@.a]", "no filter may stand in it"],
    ["$.a[?length(@) > 1]", "no filter may stand in it"],
    [`$${".a".repeat(33)}`, "more than 32 steps"],
    [`$.${"a".repeat(511)}`, "longer than 512 characters"],
  ])("%s is none: it is said why, and nothing is found", (text, why) => {
    expect(parseArgumentPath(text)).toEqual({ kind: "wrong", why: expect.stringContaining(why) });
    expect(argumentsAt(text, args)).toBeNull();
    expect(argumentsAt("$.path", args)).toEqual(["/srv/x"]);
  });

  it("of as many steps and characters as are read is one", () => {
    expect(parseArgumentPath(`$${".a".repeat(32)}`).kind).toBe("path");
    expect(parseArgumentPath(`$.${"a".repeat(510)}`).kind).toBe("path");
  });

  it("finds nothing rather than a part of what is there, where that is more than is looked at", () => {
    const parsed = parseArgumentPath("$.all[*]");
    if (parsed.kind !== "path") throw new Error(parsed.why);
    const all = Array.from({ length: mostFound }, (_, index) => index);
    expect(foundAt(parsed.path, { all })).toHaveLength(mostFound);
    expect(foundAt(parsed.path, { all: [...all, "one more"] })).toBeNull();
  });

  it("is the same path when more were read than are kept", () => {
    const first = parseArgumentPath("$.first");
    for (let index = 0; index < 1_100; index += 1) parseArgumentPath(`$.other${index}`);
    expect(parseArgumentPath("$.first")).toEqual(first);
  });

  it("finds a member by whatever name it has", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), fc.jsonValue(), (name, value) => {
        const quoted = `$[${JSON.stringify(name)}]`;
        if (/[?(]/.test(name)) expect(argumentsAt(quoted, {})).toBeNull();
        else expect(argumentsAt(quoted, Object.fromEntries([[name, value]]))).toEqual([value]);
      }),
    );
  });
});
