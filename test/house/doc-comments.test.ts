/** Every export says what its name and its type do not: shapes, units, errors, promises. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const source = fileURLToPath(new URL("../../src", import.meta.url));

/** Fewer words than this beside those of the name say the name again. */
const leastWords = 2;

/** The exports of a file that have no comment, or one that hardly says more than the name. */
function undocumented(text: string): readonly string[] {
  const file = ts.createSourceFile("source.tsx", text, ts.ScriptTarget.Latest, true);
  return file.statements.filter(isExported).flatMap((statement) => {
    const comment = ts
      .getJSDocCommentsAndTags(statement)
      .filter(ts.isJSDoc)
      .map((doc) => ts.getTextOfJSDocComment(doc.comment) ?? "")
      .join(" ");
    return namesOf(statement).filter((name) => {
      const ownWords = new Set(wordsOf(name));
      return wordsOf(comment).filter((word) => !ownWords.has(word)).length < leastWords;
    });
  });
}

/** Declared and exported in one statement; a list of names is documented where they are declared. */
function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const { name } = statement as ts.DeclarationStatement;
  return [name?.getText() ?? "default"];
}

function wordsOf(text: string): readonly string[] {
  return (text.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []).map((word) => word.toLowerCase());
}

describe("a doc comment", () => {
  const names = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );

  it("stands at every export", () => {
    const missing = names.flatMap((name) =>
      undocumented(readFileSync(join(source, name), "utf8")).map((one) => `${name}: ${one}`),
    );
    expect(names).toContain(join("broker", "index.ts"));
    expect(missing).toEqual([]);
  });

  it.each([
    ["a constant", "export const limit = 1;"],
    ["a function", "// A remark is no doc comment.\nexport function limit(): void {}"],
    ["a class", "/** How much of it is read, in bytes. */ class Other {}\nexport class Limit {}"],
    ["a type", "/** The limit. */\nexport type Limit = string;"],
    ["an interface", '/** How much of it is read. */\nimport a from "./a.js";\nexport interface Limit {}'],
  ])("that is missing, or only says the name again, is noticed at %s", (_what, text) => {
    expect(undocumented(text).map((name) => name.toLowerCase())).toEqual(["limit"]);
    const documented = text.replace(/^export/m, "/** How much of it is read, in bytes. */\nexport");
    expect(undocumented(documented)).toEqual([]);
  });
});
