/** The library's door opens to what somebody uses: a name that is there must be kept, and explained, for ever. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const door = "src/broker/index.ts";

function textsIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(tsx?|mjs)$/.test(name))
    .map((name) => readFileSync(join(root, folder, name), "utf8"));
}

/** Functions, classes and constants of the door; a type costs nobody anything and may be needed to name a value. */
function valuesOf(text: string): readonly string[] {
  const file = ts.createSourceFile(door, text, ts.ScriptTarget.Latest, true);
  return file.statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement) || statement.isTypeOnly) return [];
    const { exportClause } = statement;
    if (exportClause === undefined || !ts.isNamedExports(exportClause)) return ["*"];
    return exportClause.elements.filter(({ isTypeOnly }) => !isTypeOnly).map(({ name }) => name.text);
  });
}

/** What is imported of the door, also from its built file, which processes of tests take apart. */
function usedIn(texts: readonly string[]): ReadonlySet<string> {
  const lists = texts.flatMap((text) => [
    ...text.matchAll(/import \{([^}]*)\} from "[^"]*broker\/index\.js"/g),
    ...text.matchAll(/const \{([^}]*)\} =\s+door;/g),
  ]);
  return new Set(lists.flatMap(([, list = ""]) => list.split(",").map((name) => name.trim())));
}

it("every value of the door is used by a face, a server or a program of the tests and benchmarks", () => {
  const values = valuesOf(readFileSync(join(root, door), "utf8"));
  const used = usedIn(["src/server", "src/face", "src/cli", "bench", "test/e2e/workers"].flatMap(textsIn));
  expect(values).toEqual(expect.arrayContaining(["DirectoryChannel", "createApprover", "answerAndWait"]));
  expect(values.filter((name) => !used.has(name))).toEqual([]);
});

it("a value that nobody uses is noticed, and a type is not", () => {
  const values = valuesOf(
    'export { used, unused, type Kind } from "./a.js"; export type { B } from "./b.js";',
  );
  const used = usedIn(['import { type Kind, used } from "../broker/index.js";']);
  expect(values.filter((name) => !used.has(name))).toEqual(["unused"]);
});
