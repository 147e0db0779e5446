/** What README.md and SECURITY.md say is true: examples are run, names and links are looked up. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { exits } from "../../src/cli/exits.js";
import { smallEnvironment } from "../../src/server/command/environment.js";
import { startServer } from "../support/raw-client.js";
import { tempDirectory } from "../support/temp-home.js";
import { type Titles, titlesOf } from "../support/titles.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const wisp = join(root, "dist/wisp.cjs");
const readme = read("README.md");
const security = read("SECURITY.md");

function read(name: string): string {
  return readFileSync(join(root, name), "utf8");
}

/** The lines of every block marked as `language`. */
function blocks(text: string, language: string): readonly string[] {
  const pattern = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms");
  return [...text.matchAll(pattern)].map((match) => match[1] ?? "");
}

/** What a terminal of the usual size shows of a file without scrolling. */
const linesOfScreen = 24;

const commands = blocks(readme, "sh").flatMap((block) => block.trim().split("\n"));

/** What stands behind `wisp` in a line, as a shell takes it apart; double quotes are all that the README uses. */
function wordsOf(line: string): readonly string[] {
  const words = line.match(/"[^"]*"|\S+/g) ?? [];
  return words.slice(1).map((word) => word.replaceAll('"', ""));
}

/** Runs the built `wisp` without a terminal. */
function run(words: readonly string[], home = join(tempDirectory(), "home")) {
  const { PATH = "" } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [wisp, ...words], {
    encoding: "utf8",
    env: { PATH, HOME: dirname(home), WISP_HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { status, stdout, stderr, isHomeMade: existsSync(home) };
}

/** What `wisp`, or a group of it, offers: the first words of the lines below "Commands:". */
function offered(group: readonly string[]): readonly string[] {
  const [, list = ""] = run([...group, "--help"]).stdout.split("\nCommands:\n");
  return [...list.matchAll(/^ {2}(\w[\w-]*)/gm)].map((match) => match[1] ?? "");
}

describe("commands of the documents", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Readonly<Record<string, string>> };

  it("of npm exist", () => {
    const code = `${readme}${read("docs/style.md")}`.match(/`npm [^`]*`|^npm .*$/gm) ?? [];
    const named = [...code.join("\n").matchAll(/npm (?:run )?(\w+)/g)].map((match) => match[1] ?? "");
    expect(named).toEqual(expect.arrayContaining(["demo", "test", "build"]));
    // What npm knows by itself.
    expect(named.filter((name) => scripts[name] === undefined && !["ci", "link"].includes(name))).toEqual([]);
  });

  it("of wisp stand in its help, with their flags", () => {
    const quoted = [...`${readme}${security}`.matchAll(/`(wisp [^`…]+)`/g)].map((match) => match[1] ?? "");
    const named = [...commands.filter((line) => line.startsWith("wisp ")), ...quoted];
    expect(named).toEqual(expect.arrayContaining(["wisp doctor", "wisp mcp", "wisp approvals pending"]));
    const programs = offered([]);
    const groups = programs.filter((program) => offered([program]).length > 0);
    expect(groups).toEqual(expect.arrayContaining(["approvals", "audit", "config", "policy"]));
    const verbs = new Map(groups.map((group) => [group, offered([group])]));
    for (const line of named) {
      const [program = "", verb = "", ...rest] = wordsOf(line);
      if (program === "--version") continue;
      expect(programs, line).toContain(program);
      const group = verbs.get(program);
      if (group === undefined) continue;
      // The gate itself has no verb.
      if (program === "gate" && (verb === "" || verb === "--")) continue;
      expect(group, line).toContain(verb);
      const help = run([program, verb, "--help"]).stdout;
      for (const flag of rest.filter((word) => /^--\w+$/.test(word))) expect(help, line).toContain(flag);
    }
  });

  it("for the demo, for a client and for undoing it stand on the README's first screen, a line each", () => {
    const screen = readme.split("\n").slice(0, linesOfScreen).join("\n");
    expect(blocks(screen, "sh").map((block) => block.trim().split("\n"))).toEqual([
      [
        "npm ci && npm run demo",
        'claude mcp add -s user files -- node "$PWD/dist/wisp.cjs" gate -- npx -y @modelcontextprotocol/server-filesystem "$PWD"',
      ],
      ["claude mcp remove -s user files; rm -rf ~/.wisp"],
    ]);
    expect(existsSync(wisp)).toBe(true);
  });

  it("answer what the README says where nothing waits and there is no terminal", () => {
    const lines = commands.filter((line) => line.startsWith("wisp "));
    const statuses = lines.map((line) => {
      const { status, isHomeMade } = run(wordsOf(line.replace("ID", "k7q2mx9d")));
      expect(isHomeMade, line).toBe(false);
      return status;
    });
    const { done, unknown, noTerminal } = exits;
    expect(statuses).toEqual([
      unknown,
      ...[noTerminal, done, unknown, noTerminal, noTerminal, unknown],
      ...[done, noTerminal, noTerminal, done, unknown, noTerminal],
      ...[done, noTerminal, noTerminal, noTerminal],
    ]);
    expect(JSON.parse(run(["approvals", "pending", "--json"]).stdout)).toEqual({
      schemaVersion: 1,
      requests: [],
    });
  });

  it("end with the codes of the table, which are all there are", () => {
    const codes = [...readme.matchAll(/^\| (\d+) \| /gm)].map((match) => Number(match[1]));
    expect(codes).toEqual(Object.values(exits).sort((a, b) => a - b));
  });
});

describe("the environment of a command", () => {
  it("holds the names that the README lists, and no other", () => {
    const [, paragraph = ""] = readme.split("A command does not get the environment of the server.");
    const [list = "", left = ""] = (paragraph.split("\n\n")[0] ?? "").split("All else is left out");
    const listed = namesOf(list).map((name) => name.replace("*", "ALL"));
    const lacking = [...namesOf(left), "HTTPS_PROXY", "XDG_CONFIG_HOME", "WISP_HOME"];
    expect(lacking).toContain("KUBECONFIG");
    // Whatever name the code knows is tried as well, so that none is passed in silence.
    const known = read("src/server/command/environment.ts").match(/\b[A-Z][A-Z_]+\b/g) ?? [];
    const given = Object.fromEntries([...listed, ...lacking, ...known].map((name) => [name, "/x"]));
    expect(Object.keys(smallEnvironment(given)).sort()).toEqual([...listed].sort());
  });
});

/** Variables named in backticks. */
function namesOf(text: string): readonly string[] {
  return [...text.matchAll(/`([A-Z_]+\*?)`/g)].map((match) => match[1] ?? "");
}

describe("the example for a client's configuration", () => {
  it("starts a server that a client can greet, and that has the tool", async () => {
    const [, example = ""] = blocks(readme, "json");
    const { mcpServers } = JSON.parse(example.replaceAll("/path/to/wisp", root.replace(/\/$/, ""))) as {
      mcpServers: Readonly<Record<string, { command: string; args: readonly string[] }>>;
    };
    const { command = "", args = [] } = mcpServers.wisp ?? {};
    const directory = tempDirectory();
    const server = startServer([command, ...args], { directory, environment: { HOME: directory } });
    try {
      const { result } = await server.client.initialize();
      expect(result?.serverInfo).toMatchObject({ name: "wisp" });
      const { result: list } = await server.client.responseTo(server.client.request("tools/list"));
      expect(list?.tools).toEqual(expect.arrayContaining([expect.objectContaining({ name: "run_command" })]));
      expect(readdirSync(directory)).toEqual([]);
    } finally {
      server.child.stdin?.end();
      await server.ended;
    }
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });
});

/** Pages that say what is there; decisions also speak of what is to come. */
const present = ["README.md", "SECURITY.md", "CHANGELOG.md", ...pagesIn("docs")];

function pagesIn(directory: string): readonly string[] {
  return readdirSync(join(root, directory))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${directory}/${name}`);
}

describe("pages", () => {
  it.each([...present, ...pagesIn("docs/adr")])("%s links to what exists", (page) => {
    const targets = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? "");
    const missing = targets.filter((target) => {
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? page : join(dirname(page), path);
      if (!existsSync(join(root, file))) return true;
      return anchor !== undefined && !anchorsOf(read(file)).includes(anchor);
    });
    expect(missing).toEqual([]);
  });

  it.each(present)("%s names no file that is not there", (page) => {
    const named = [...read(page).matchAll(/`((?:src|test|docs|scripts|bench)(?:\/[\w.-]+)+)`/g)].map(
      (match) => match[1] ?? "",
    );
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

/** As the usual hosts make them of headings. */
function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map((match) =>
    (match[1] ?? "")
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .replace(/\s/g, "-"),
  );
}

describe("places in the home", () => {
  it("are those that the page of the channel describes", () => {
    const [, table = ""] = readme.split("## Where things live");
    const rows = table.split("\n## ")[0]?.match(/^\| `.*$/gm) ?? [];
    const places = rows.flatMap((row) => row.split(" | ")[0]?.match(/[a-z.]+\/[a-z.]*/g) ?? []);
    expect(places).toContain("pending/");
    const channel = read("docs/channel.md");
    expect(places.filter((place) => !channel.includes(`\`${place}`))).toEqual([]);
  });
});

describe("promises of SECURITY.md", () => {
  const [, section = ""] = security.split("\n## Promises\n");
  const promises = (section.split("\n## ")[0] ?? "").split("\n- ").slice(1);
  const proof = /^ {2}`(test\/[\w./-]+)`: "(.+)"$/gm;
  const proofs = promises.flatMap((promise) =>
    [...promise.matchAll(proof)].map(([, file = "", title = ""]) => ({ file, title })),
  );
  let titles: Titles;
  beforeAll(async () => {
    titles = await titlesOf([...new Set(proofs.map(({ file }) => file))]);
  }, 300_000);

  it("name a test each, and every line that names a file names one", () => {
    expect(promises.length).toBeGreaterThan(15);
    expect(promises.filter((promise) => promise.match(proof) === null)).toEqual([]);
    expect(proofs).toHaveLength(section.match(/^ {2}`test\//gm)?.length ?? 0);
  });

  it.each(proofs)("$file has the test: $title", ({ file, title }) => {
    expect(titles.has(file, title), title).toBe(true);
  });

  it("are proved by nothing that is only part of a title, a group, or a title of another file", () => {
    const file = "test/e2e/race.test.ts";
    const { title = "" } = proofs.find((one) => one.file === file) ?? {};
    const others = proofs.map((one) => one.file).filter((other) => other !== file);
    expect(titles.has(file, title)).toBe(true);
    expect(others.filter((other) => titles.has(other, title))).toEqual([]);
    for (const part of [title.slice(1), title.slice(0, -1), "", "%s"]) {
      expect(titles.has(file, part), part).toBe(false);
    }
  });
});
