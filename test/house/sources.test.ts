/** Rules about our own files that no linter knows. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Source {
  /** From the root of the project, with slashes. */
  readonly name: string;
  readonly text: string;
}

function sourcesIn(folder: string): readonly Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(tsx?|[cm]js)$/.test(name))
    .map((name) => ({
      name: `${folder}/${name}`.replaceAll("\\", "/"),
      text: readFileSync(join(root, folder, name), "utf8"),
    }));
}

const shipped = sourcesIn("src");

describe("files", () => {
  const mostLines = 400;
  it.each(["src", "test", "bench", "scripts"])(`of %s have at most ${mostLines} lines`, (folder) => {
    const sources = sourcesIn(folder);
    expect(sources.length).toBeGreaterThan(5);
    const long = sources.filter(({ text }) => text.split("\n").length - 1 > mostLines);
    expect(long.map(({ name }) => name)).toEqual([]);
  });
});

describe("time, timers and randomness", () => {
  /** Ways to time and chance around the clock. A method of somebody's clock that bears such a name is preceded by a dot. */
  const ways = [
    /(?<![.\w])(Date\.now|performance\.now|process\.hrtime|process\.hrtime\.bigint|Math\.random)\(/,
    /(?<![.\w])(set(Timeout|Interval|Immediate)|AbortSignal\.timeout|crypto\.(random|getRandom)\w+)\(/,
    /(?<![.\w])new Date\(\)/,
    /import\s*\{[^}]*\brandom\w+[^}]*\}\s*from "node:crypto"/,
    /from "node:timers/,
  ];
  const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

  it("come from the clock alone", () => {
    const using = shipped.filter(({ text }) => {
      const code = text.replace(comments, "");
      return ways.some((way) => way.test(code));
    });
    expect(using.map(({ name }) => name)).toEqual(["src/broker/system/clock.ts"]);
  });
});

describe("the person who answers", () => {
  const otherWords = new Set(["user", "users", "human", "humans", "operator", "operators"]);

  /** Lines that name something of somebody else's: file, and what stands in the line. */
  const terms: readonly (readonly [string, RegExp])[] = [
    // A system's word for an account.
    ["src/broker/system/home-directory.ts", /\buserInfo\b/],
    ["src/broker/files/safe-directory.ts", /belongs to user \$\{|open to other users/],
    ["src/server/command/environment.ts", /^ *"USER",$/],
    // bash's word for what stands between a parameter and its other value.
    ["src/broker/policy/pieces.ts", /\boperator\b/],
    // commander's word for arguments without program names before them.
    ["src/cli/program.ts", /from: "user"/],
    // A tool of GitHub's server, and an option of docker.
    ["src/broker/policy/presets/github.ts", /"search_users"/],
    ["src/server/gate/presets/image-word.ts", /"-u", "--user"\]/],
    // A scope of Claude Code, and a directory of VS Code.
    ["src/cli/commands/overview.ts", /claude mcp add -s user /],
    ["src/cli/wiring/clients.ts", /"Code", "User"|const entryScopes = \["user"/],
  ];

  /** Words of identifiers, too: `userName` holds two. */
  function wordsOf(line: string): readonly string[] {
    return (line.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? []).map((word) => word.toLowerCase());
  }

  function misnamed(sources: readonly Source[]): readonly string[] {
    return sources.flatMap(({ name, text }) =>
      text
        .split("\n")
        .filter((line) => wordsOf(line).some((word) => otherWords.has(word)))
        .filter((line) => !terms.some(([file, term]) => file === name && term.test(line)))
        .map((line) => `${name}: ${line.trim()}`),
    );
  }

  it("is called a person, in identifiers, comments and texts", () => {
    expect(misnamed(shipped)).toEqual([]);
  });

  it.each(["const userName = 1;", "// asks the human", 'throw new Error("Ask the operator.");', "USERS"])(
    "under another word is noticed: %s",
    (line) => {
      expect(misnamed([{ name: "src/cli/other.ts", text: `\n${line}\n` }])).toEqual([
        `src/cli/other.ts: ${line}`,
      ]);
    },
  );

  it("has no term on the list that nothing uses any more", () => {
    const unused = terms.filter(
      ([file, term]) =>
        !shipped.some(({ name, text }) => name === file && text.split("\n").some((line) => term.test(line))),
    );
    expect(unused).toEqual([]);
  });
});
