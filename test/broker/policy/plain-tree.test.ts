/** What is read fast is read as jsonc-parser reads it, and nothing else that it reads is left out. */
import fc from "fast-check";
import { type Node, type ParseError, parseTree } from "jsonc-parser";
import { expect, it } from "vitest";
import { plainTree } from "../../../src/broker/policy/plain-tree.js";

/** The same without links upwards, and what only jsonc-parser notes. */
function bare(node: Node | undefined): unknown {
  if (node === undefined) return null;
  const { type, offset, length, value, children } = node;
  return { type, offset, length, ...(value === undefined ? {} : { value }), children: children?.map(bare) };
}

const token = fc.constantFrom(
  ..."{}[]:,".split(""),
  '"a"',
  '"b\\"\\u0041"',
  '"\\x"',
  "1",
  "-0.5e3",
  "01",
  "true",
  "null",
  " ",
  "\n",
  "\t",
  "\u00a0",
  "// c\n",
  "//",
  "/* , */",
  "/*",
  "\r",
  "\u000b",
  "\ufeff",
  "\\",
  '"',
  '"\u0001"',
  "1.",
  "1e",
  "-",
);

it("takes what jsonc-parser takes, and makes the same tree of it", () => {
  let taken = 0;
  const wild = fc.array(token, { maxLength: 8 }).map((all) => all.join(""));
  const right = fc
    .tuple(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom("", " // c\n", "/* */"))
    .map(
      ([value, more]) =>
        `${more}${JSON.stringify(value, null, 1).replace(/\n\s*([\]}])/g, `${more},\n$1`)}${more}`,
    );
  fc.assert(
    fc.property(fc.oneof(wild, right), (text) => {
      const errors: ParseError[] = [];
      const tree = parseTree(text, errors, { allowTrailingComma: true });
      const plain = plainTree(text, 16);
      expect(plain === null).toBe(errors.length > 0);
      if (plain === null) return;
      taken += 1;
      expect(bare(plain)).toEqual(bare(tree));
    }),
    { numRuns: 3_000 },
  );
  expect(taken).toBeGreaterThan(300);
  expect(plainTree("[[1]]", 2)).not.toBeNull();
  expect(plainTree("[[1]]", 1)).toBeNull();
});

it("ends a comment at a carriage return, as jsonc-parser does: a rule behind it is no comment", () => {
  expect(plainTree('["a"//\r,"b"]', 16)?.children).toHaveLength(2);
  expect(plainTree('"a"//\r{', 16)).toBeNull();
});
