/** Which server is behind a gate: when the same words in another directory are another one. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { identityIn } from "../../../src/server/gate/identity.js";
import { tempDirectory } from "../../support/temp-home.js";

/** Whatever keeps versions of programs on the machine of the test is not found. */
const withoutPrograms = { ...process.env, PATH: "/nowhere" };

/** Two directories, and the identities of `argv` in both. */
function inBoth(argv: readonly [string, ...string[]], fill: (directory: string) => void = () => undefined) {
  const home = tempDirectory();
  const [one, other] = ["good", "evil"].map((name) => {
    const directory = join(home, name);
    mkdirSync(directory);
    fill(directory);
    return identityIn("x", { kind: "command", argv }, { environment: withoutPrograms, directory });
  });
  if (one === undefined || other === undefined) throw new Error("There are two.");
  return { home, one, other };
}

describe("the same words in another directory", () => {
  test.each([
    ["a script by a relative path", ["node", "server.mjs"]],
    ["a script below the directory", ["node", "dist/index.js"]],
    ["a module of Python", ["python3", "-m", "notes"]],
    ["a line for a shell", ["sh", "-c", "node server.mjs"]],
    ["what a project runs", ["uv", "run", "notes"]],
    ["an option with a relative path", ["node", "--require=./x.cjs", "/opt/server.mjs"]],
  ] as const)("are another server: %s", (_what, argv) => {
    const { home, one, other } = inBoth([...argv]);
    expect(one.hash).not.toBe(other.hash);
    expect(one.text).toContain(`in ${join(home, "good")}`);
  });

  test.each([
    ...[
      "make",
      "/usr/bin/make -s",
      "gmake --silent",
      "just",
      "task",
      "rake -s",
      "npm",
      "npm --silent",
      "yarn",
    ],
    ...["pnpm --silent", "gradle -q", "ant", "nix-shell --pure", "nodemon -q", "tox", "make -C /srv/x"],
    ...[
      "env /usr/bin/make",
      "nice /usr/bin/npm",
      "sh /usr/bin/make",
      "node /usr/lib/npm-cli.js",
      "turbo",
      "tsx",
    ],
    ...["/usr/bin/env /usr/bin/node /usr/bin/make", "/opt/make-4.4", "java -jar"],
  ])("are another server where the program reads there what it starts: %s", (line) => {
    const [program = "", ...words] = line.split(" ");
    const { home, one, other } = inBoth([program, ...words]);
    expect(one.hash).not.toBe(other.hash);
    expect(one.text).toContain(`in ${join(home, "good")}`);
  });

  test.each([
    ...["tsx", "ts-node", "Rscript", "/opt/bin/nobody-knows-it", "node /opt/lib/cli.mjs", "deno", "bun"],
    ...["npx -y tsx", "npx ts-node@10.9.2", "npm exec @acme/vite-node", "uvx invoke"],
    ...["node --test", "node --watch", "node --import", "python3 -i", "env -i", "php -f"],
  ])("are another server where a program is handed a file that it may start: %s", (line) => {
    const script = join(tempDirectory(), "server.ts");
    writeFileSync(script, "");
    const [program = "", ...words] = line.split(" ");
    const { home, one, other } = inBoth([program, ...words, script]);
    expect(one.hash).not.toBe(other.hash);
    expect(one.text).toContain(`in ${join(home, "good")}`);
  });

  test.each(["nobody-knows-it", "nobody-knows-it --verbose /", "node", "python3 -u", "./x"])(
    "are another server where nobody knows the program: %s",
    (line) => {
      const [program = "", ...words] = line.split(" ");
      const { one, other } = inBoth([program, ...words]);
      expect(one.hash).not.toBe(other.hash);
    },
  );

  test.each(["shims", ".volta/bin"])(
    "are another server where %s holds what looks for a version there, also as an absolute path",
    (place) => {
      const bin = join(tempDirectory(), place);
      mkdirSync(bin, { recursive: true });
      for (const name of ["node", "npx"]) symlinkSync(process.execPath, join(bin, name));
      for (const words of [
        ["node", "/opt/server.mjs"],
        ["npx", "-y", "notes"],
        [join(bin, "node"), "/opt/server.mjs"],
        ["/usr/bin/env", join(bin, "node"), "/opt/server.mjs"],
      ]) {
        const [one, other] = ["/", tempDirectory()].map((directory) => {
          const started = { environment: { PATH: bin, HOME: "/nowhere" }, directory };
          return identityIn("x", { kind: "command", argv: words as [string, ...string[]] }, started).hash;
        });
        expect(one).not.toBe(other);
      }
    },
  );

  test("are another server where a file of the directory is among the words", () => {
    for (const word of ["notes", "--from=notes", "notes@1.0.0", "x @ file:notes"]) {
      for (const program of ["npx", "uvx"]) {
        const { one, other } = inBoth([program, word], (at) => writeFileSync(join(at, "notes"), ""));
        expect(one.hash).not.toBe(other.hash);
      }
    }
  });

  test.each([
    ...["bunx x", "pnpx x", "npx --unknown x", "npx github:a/x"],
    ...["npm run x", "npm exec x --package=y", "uv --project y tool run x", "yarn dlx x", "pnpm dlx x"],
  ])("are another server in two projects where nobody knows what is looked for: %s", (line) => {
    const [program = "", ...words] = line.split(" ");
    const { one, other } = inBoth([program, ...words], (at) => writeFileSync(join(at, "package.json"), "{}"));
    expect(one.hash).not.toBe(other.hash);
  });

  test.each(
    ["bunx x", "pnpx x"].flatMap((line) => [".npmrc", "bunfig.toml"].map((name) => [line, name] as const)),
  )("are another server where settings may say what is fetched: %s, %s", (line, name) => {
    const [program = "", ...words] = line.split(" ");
    const { one, other } = inBoth([program, ...words], (at) => writeFileSync(join(at, name), ""));
    expect(one.hash).not.toBe(other.hash);
    const bare = inBoth([program, ...words]);
    expect(bare.one).toEqual(bare.other);
  });

  test.each([
    ["absolute paths and bare options", ["node", "--no-warnings", "/opt/server.mjs", "/srv"]],
    ["a package that is fetched", ["npx", "-y", "@acme/server-notes@1.2.3", "/srv"]],
    ["a tool of uv", ["uv", "tool", "run", "mcp-server-git", "--verbose"]],
    ["a program of a person's own", ["/opt/notes", "--verbose"]],
    ["a program of a person's own, for a directory", ["/opt/notes", "--verbose", "/"]],
    ["one that is called a server, wherever it lies", ["mcp-server-git", "--verbose"]],
    ["a script of Python", ["python3.12", "-u", "/opt/notes.py", "--verbose"]],
    ["a program that starts one by its path", ["env", "/usr/bin/nohup", "/opt/notes", "--verbose"]],
  ] as const)("are the same server: %s", (_what, argv) => {
    const { one, other } = inBoth([...argv]);
    expect(one).toEqual(other);
    expect(one.text).not.toContain(" in /");
  });

  test("are the same server in two projects of Python, for uv reads nothing there for a tool", () => {
    const { one, other } = inBoth(["uvx", "mcp-server-git"], (at) => {
      for (const name of ["pyproject.toml", "uv.toml", ".python-version"]) writeFileSync(join(at, name), "");
      mkdirSync(join(at, ".venv"));
    });
    expect(one).toEqual(other);
  });
});

test("another program behind the same word is another server, and the text says which", () => {
  const directory = tempDirectory();
  const [one, other] = ["one", "other"].map((name) => {
    const path = join(directory, name);
    mkdirSync(path);
    symlinkSync(process.execPath, join(path, "notes"));
    const started = { environment: { PATH: path }, directory };
    const identity = identityIn("x", { kind: "command", argv: ["notes"] }, started);
    expect(identity.text).toContain(join(path, "notes"));
    expect(identityIn("x", { kind: "command", argv: ["notes"] }, started)).toEqual(identity);
    return identity.hash;
  });
  expect(one).not.toBe(other);
});

describe("a server at an address", () => {
  const at = (url: string) =>
    identityIn("x", { kind: "address", url: new URL(url) }, { environment: {}, directory: "/" });

  test.each([
    ["another path", "https://example.org/evil"],
    ["another query", "https://example.org/mcp?team=2"],
    ["another port", "https://example.org:8443/mcp"],
    ["another host", "https://example.net/mcp"],
    ["another password", "https://me:other@example.org/mcp"],
  ])("is another one by %s", (_what, url) => {
    expect(at(url).hash).not.toBe(at("https://example.org/mcp").hash);
    expect(at(url)).toEqual(at(url));
  });

  test("is shown without its name and password, and whole beside that", () => {
    const { text, hash } = at("https://me:secret@example.org/mcp?team=2");
    expect(text).toBe(`https://example.org/mcp?team=2 (${hash.slice(0, 12)})`);
  });
});
