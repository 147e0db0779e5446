/** What edits make of a text is what the published server makes of it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type Edit, editedText } from "../../../src/broker/state/edited.js";
import { tempDirectory } from "../../support/temp-home.js";

type Apply = (path: string, edits: readonly Edit[]) => Promise<string>;

/** It has no types of its own. */
const published = "@modelcontextprotocol/server-filesystem/dist/lib.js";

const line = fc.constantFrom("a", "  a", "b ", "\tb", "", "    c", "$&");
const end = fc.constantFrom("\n", "\r\n");
const text = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 4 }), end)
  .map(([lines, between]) => lines.join(between));
const edits = fc.array(fc.record({ oldText: text, newText: text }), { minLength: 1, maxLength: 3 });

it("edits leave what the published server leaves, or match nothing where it finds nothing", async () => {
  const { applyFileEdits } = (await import(published)) as { readonly applyFileEdits: Apply };
  const path = join(tempDirectory(), "file");
  let matched = 0;
  await fc.assert(
    fc.asyncProperty(text, edits, async (content, all) => {
      writeFileSync(path, content);
      const isApplied = await applyFileEdits(path, all).then(
        () => true,
        () => false,
      );
      const edited = editedText(content, all);
      if (isApplied) matched += 1;
      if (isApplied) expect(edited).toEqual({ kind: "edited", text: readFileSync(path, "utf8") });
      else expect(edited.kind).toBe("unmatched");
    }),
    { numRuns: 400 },
  );
  expect(matched).toBeGreaterThan(20);
});

it("the first edit that finds no place is told by its number", () => {
  const all = ["a", "x", "y"].map((oldText) => ({ oldText, newText: "b" }));
  expect(editedText("a\n", all)).toEqual({ kind: "unmatched", index: 1 });
  expect(editedText("a\n", all.slice(0, 1))).toEqual({ kind: "edited", text: "b\n" });
});

it("what would take too long is left open", () => {
  const lines = "a\n".repeat(1_000);
  const far = { oldText: `${lines}b`, newText: "" };
  expect(editedText(lines, [far])).toEqual({ kind: "too much" });
  const growing = Array.from({ length: 30 }, () => ({ oldText: "a", newText: "a".repeat(400_000) }));
  expect(editedText("a", growing)).toEqual({ kind: "too much" });
  expect(editedText("a", Array(1_001).fill({ oldText: "a", newText: "a" }))).toEqual({ kind: "too much" });
  expect(editedText("a", growing.slice(0, 1)).kind).toBe("edited");
});
