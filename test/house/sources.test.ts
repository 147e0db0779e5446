/** Rules about our own source files that no linter knows. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const source = fileURLToPath(new URL("../../src", import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(source, name), "utf8") }));

const mostLines = 400;
const clock = join("broker", "system", "clock.ts");
/** Ways to time and chance around the clock. A method of somebody's clock that bears such a name is preceded by a dot. */
const timeAndChance = [
  /(?<![.\w])(Date\.now|performance\.now|process\.hrtime|process\.hrtime\.bigint|Math\.random)\(/,
  /(?<![.\w])(set(Timeout|Interval|Immediate)|AbortSignal\.timeout|crypto\.(random|getRandom)\w+)\(/,
  /(?<![.\w])new Date\(\)/,
  /import\s*\{[^}]*\brandom\w+[^}]*\}\s*from "node:crypto"/,
  /from "node:timers/,
];
const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

describe("source files", () => {
  it(`none is longer than ${mostLines} lines`, () => {
    const long = files.filter(({ text }) => text.split("\n").length - 1 > mostLines);
    expect(long.map(({ name }) => name)).toEqual([]);
  });

  it("time, timers and randomness come from the clock alone", () => {
    const users = files.filter(({ text }) => {
      const code = text.replace(comments, "");
      return timeAndChance.some((way) => way.test(code));
    });
    expect(users.map(({ name }) => name)).toEqual([clock]);
  });
});
