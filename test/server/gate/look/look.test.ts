/** One look at a server: what it lists, what is said where it lists nothing, and that nothing of it stays. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../../../src/broker/system/clock.js";
import { createToolBook } from "../../../../src/server/gate/calls/tool-book.js";
import { identityIn } from "../../../../src/server/gate/identity.js";
import { type LookedAt, lookAtServer, presetNameOf } from "../../../../src/server/gate/look/main.js";
import { FakeClock } from "../../../support/fake-clock.js";
import { bothEras, deserted } from "../../../support/http-upstreams.js";
import { gone } from "../../../support/processes.js";
import { tempDirectory } from "../../../support/temp-home.js";

const tool = (name: string, rest: object = {}) => ({ name, inputSchema: { type: "object" }, ...rest });

/** A server of one file: `body` answers `asked`, a request, by `say`, a line. */
function serverOf(body: string): LookedAt {
  const path = join(tempDirectory(), "server.mjs");
  writeFileSync(
    path,
    `import { createInterface } from "node:readline";
     const say = (value) => process.stdout.write((typeof value === "string" ? value : JSON.stringify({ jsonrpc: "2.0", ...value })) + "\\n");
     const hello = (asked) => asked.method === "initialize" && say({ id: asked.id, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} } } });
     const list = (asked, result) => asked.method === "tools/list" && say({ id: asked.id, result });
     createInterface({ input: process.stdin }).on("line", (line) => { const asked = JSON.parse(line); ${body} });`,
  );
  return { kind: "command", argv: [process.execPath, path] };
}

/** A server that lists `tools`, on one page. */
const listing = (tools: unknown): LookedAt =>
  serverOf(`hello(asked); list(asked, { tools: ${JSON.stringify(tools)} });`);

function look(upstream: LookedAt, overrides: Partial<Parameters<typeof lookAtServer>[0]> = {}) {
  const said: string[] = [];
  const options = {
    ...{ name: "x", upstream, environment: process.env, added: {}, directory: tempDirectory() },
    ...{ clock: systemClock, signal: new AbortController().signal },
    say: (line: string) => void said.push(line),
    ...overrides,
  };
  return { said, ended: lookAtServer(options), options };
}

const stillWorks = async (): Promise<void> => {
  expect(await look(listing([tool("a")])).ended).toMatchObject({ kind: "tools", tools: [{ name: "a" }] });
};

describe("a look at a server", () => {
  it("gives the tools of all pages, as a gate before it knows them", async () => {
    const upstream = serverOf(`hello(asked);
      list(asked, asked.params?.cursor === "2" ? { tools: [${JSON.stringify(tool("b"))}] }
        : { tools: [${JSON.stringify(tool("a", { annotations: { readOnlyHint: true } }))}], nextCursor: "2" });`);
    const { ended, options } = look(upstream);
    const found = await ended;
    if (found.kind !== "tools" || upstream.kind !== "command") throw new Error("none");
    expect(found.tools.map(({ name, isReadOnly }) => [name, isReadOnly])).toEqual([
      ["a", true],
      ["b", false],
    ]);
    const line = Buffer.from(JSON.stringify({ result: { tools: [tool("b")] } }));
    const book = createToolBook(() => async () => ({ kind: "answer", line }));
    expect(found.tools[1]?.hash).toBe((await book.find("b"))?.hash);
    expect(found.server.identity).toBe(identityIn("x", upstream, options).hash);
  });

  it("is had in the era that the server speaks", async () => {
    const modern = serverOf(`const envelope = Object.keys(asked.params._meta ?? {}).length === 3;
      if (asked.method === "initialize") say({ id: asked.id, error: { code: -32022, message: "no" } });
      if (asked.method === "server/discover" && envelope) say({ id: asked.id, result: {} });
      if (envelope) list(asked, { tools: [${JSON.stringify(tool("new"))}] });`);
    expect(await look(modern).ended).toMatchObject({ tools: [{ name: "new" }] });
    const { url } = await bothEras();
    const found = await look({ kind: "address", url: url.href }).ended;
    expect(found).toMatchObject({ tools: [{ name: "echo" }, { name: "slow" }, { name: "ask" }] });
  });

  it("starts it with the variables of the entry, its directory, and few of the person's", async () => {
    const directory = tempDirectory();
    const upstream = serverOf(`hello(asked); const { A, SECRET, WISP_HOME } = process.env;
      list(asked, { tools: [{ name: JSON.stringify([process.cwd(), A, SECRET, WISP_HOME]) }] });`);
    const environment = { ...process.env, SECRET: "s", WISP_HOME: "/x" };
    const { ended } = look(upstream, { environment, directory, added: { A: "1" } });
    const name = JSON.stringify([directory, "1", null, null]);
    expect(await ended).toMatchObject({ tools: [{ name }] });
  });

  it("shows what it prints escaped, and no more than a few lines of it", async () => {
    const upstream = serverOf(`if (asked.method === "initialize") { say("banner \\u001b[2J"); say("[1]");
        for (let i = 0; i < 500; i += 1) console.error("line " + i + "\\u202e"); }
      say({ id: 99, method: "roots/list" }); hello(asked); list(asked, { tools: [] });`);
    const { ended, said } = look(upstream);
    expect(await ended).toMatchObject({ kind: "tools", tools: [] });
    expect(said).toContain("banner \\u{1b}[2J");
    expect(said).toHaveLength(13);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not stand there.
    expect(said.join("")).not.toMatch(/[\u001b\u202e]/);
  });
});

describe("a server that lists nothing that can be used", () => {
  it.each<[what: string, upstream: () => LookedAt | Promise<LookedAt>, why: RegExp]>([
    [
      "is not there",
      () => ({ kind: "command", argv: ["/nowhere/server"] }),
      /could not be started \(ENOENT\)/,
    ],
    ["ends at once", () => ({ kind: "command", argv: ["/bin/sh", "-c", "exit 3"] }), /ended with 3/],
    ["speaks no era", () => serverOf("say({ id: asked.id, error: { code: 1, message: 'no' } });"), /neither/],
    ["lists none", () => serverOf("hello(asked); list(asked, { tools: 3 });"), /did not list/],
    [
      "has pages without end",
      () => serverOf("hello(asked); list(asked, { tools: [], nextCursor: 'x' });"),
      /did not/,
    ],
    [
      "lists more than anybody counts",
      () => serverOf("hello(asked); list(asked, { tools: Array(10001).fill({ name: 'x' }) });"),
      /did not list/,
    ],
    [
      "says one thing twice",
      () => serverOf(`hello(asked); say('{"id":' + asked.id + ',"id":' + asked.id + ',"result":{}}');`),
      /two ways \(duplicate key\)/,
    ],
    [
      "prints without end",
      () => serverOf("hello(asked); for (let i = 0; i < 40; i += 1) say('x'.repeat(1e6));"),
      /more than the/,
    ],
    [
      "is an address where nobody is",
      async () => ({ kind: "address", url: (await deserted()).href }),
      /reached/,
    ],
  ])("and %s is told of", async (_, upstream, why) => {
    expect(await look(await upstream()).ended).toEqual({ kind: "none", why: expect.stringMatching(why) });
    await stillWorks();
  });

  it("and never answers is ended after a minute, with what it started", async () => {
    const clock = new FakeClock();
    const upstream = serverOf(`import("node:child_process").then(({ spawn }) => {
        const child = spawn("sleep", ["600"]); console.error(process.pid + " " + child.pid); });`);
    const { ended, said } = look(upstream, { clock });
    await expect.poll(() => said.length).toBe(1);
    clock.advance(60_000);
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    await expect
      .poll(() => {
        clock.advance(1_000);
        return isOver;
      })
      .toBe(true);
    expect(await ended).toEqual({ kind: "none", why: "It did not list its tools within a minute." });
    for (const pid of said[0]?.split(" ") ?? []) await gone(Number(pid));
    await stillWorks();
  });

  it("is ended at once when the person does not want to wait", async () => {
    const controller = new AbortController();
    onTestFinished(() => controller.abort());
    const { ended, said } = look(serverOf("console.error(process.pid);"), { signal: controller.signal });
    await expect.poll(() => said.length).toBe(1);
    controller.abort();
    expect(await ended).toMatchObject({ kind: "none" });
    await gone(Number(said[0]));
    await stillWorks();
  });
});

it("tools that are listed twice, or have no hash, are none of them", async () => {
  const found = await look(
    listing([tool("a"), tool("b"), tool("a", { title: "x" }), tool("c", { title: "\ud800" })]),
  ).ended;
  expect(found).toMatchObject({ tools: [{ name: "b" }], unclear: ["a", "c"] });
});

it("a server that a preset is for is known without a look", () => {
  const argv = ["npx", "-y", "@modelcontextprotocol/server-memory"] as const;
  expect(presetNameOf({ kind: "command", argv: [...argv] })).toBe("memory");
  expect(presetNameOf({ kind: "command", argv: ["npx", "other"] })).toBeNull();
});
