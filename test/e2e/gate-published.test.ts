/** Published servers behind the built gate: what reads passes as it is, what changes something waits for a person. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { presets } from "../../src/broker/policy/presets/presets.js";
import type { ApprovalRequest } from "../../src/broker/request/request.js";
import { type Face, openFace } from "../support/face.js";
import { presetNamed } from "../support/gate-calls.js";
import { makePlaces, type Places, textOf, waitingProgress, withProgress } from "../support/mcp-server.js";
import { test } from "../support/person.js";
import { acceptPolicy } from "../support/policy-files.js";
import {
  connectV1,
  gated,
  type PublishedClient,
  published,
  publishedClients,
} from "../support/published-servers.js";
import { startServer, type ToolResult } from "../support/raw-client.js";
import { asks, calls, introduces, transcriptOf } from "../support/transcript.js";

const bothWays = { timeout: 60_000 };

function placed(): Places {
  const places = makePlaces();
  onTestFinished(() => places.remove());
  return places;
}

/** What waits, once one does. */
async function asked(face: Face): Promise<ApprovalRequest> {
  await expect.poll(() => face.waiting().length, { timeout: 20_000 }).toBe(1);
  return face.only();
}

function codeOf({ _meta }: ToolResult): unknown {
  return (_meta as Readonly<Record<string, { readonly code: unknown }>> | undefined)?.["wisp/refusal"]?.code;
}

describe.each(publishedClients)("server-filesystem with a client of %s", (_major, connect) => {
  async function open(places: Places): Promise<PublishedClient> {
    const client = await connect(gated([...published.filesystem, places.work]), places);
    expect(await client.tools()).toContain("write_file");
    return client;
  }

  test(
    "writes after a yes alone, and never over what has changed since it was shown",
    bothWays,
    async ({ person }) => {
      const places = placed();
      const face = openFace(places.home);
      const client = await open(places);
      const file = join(places.work, "note.txt");
      const write = (content: string) => client.call("write_file", { path: file, content });

      const first = write("one\n");
      const shown = await asked(face);
      expect(shown).toMatchObject({
        level: "moderate",
        subject: { server: "filesystem", tool: "write_file", state: { bound: [{ target: file }] } },
      });
      expect(existsSync(file)).toBe(false);
      await person.approves(places.home, shown);
      expect((await first).structuredContent).toEqual({ content: `Successfully wrote to ${file}` });
      expect(readFileSync(file, "utf8")).toBe("one\n");
      expect(await client.call("read_text_file", { path: file })).toMatchObject({
        structuredContent: { content: "one\n" },
      });

      const second = write("two\n");
      const drifting = await asked(face);
      expect(drifting).toMatchObject({ level: "high" });
      writeFileSync(file, "somebody else's\n");
      await person.approves(places.home, drifting);
      const drifted = await second;
      expect(drifted).toMatchObject({ isError: true });
      expect(codeOf(drifted)).toBe("replay_drift");
      expect(drifted.structuredContent).toBeUndefined();
      expect(readFileSync(file, "utf8")).toBe("somebody else's\n");

      const third = write("three\n");
      await person.approves(places.home, await asked(face));
      expect(await third).not.toHaveProperty("isError", true);
      expect(readFileSync(file, "utf8")).toBe("three\n");
    },
  );
});

describe("server-filesystem", () => {
  test("is asked about what replaces a file that is not empty, also where a rule allows it", async ({
    person,
  }) => {
    const places = placed();
    await acceptPolicy(places.home, { allow: ["mcp__filesystem__*"] });
    const face = openFace(places.home);
    const client = await connectV1(gated([...published.filesystem, places.work]), places);
    const file = join(places.work, "note.txt");
    await client.call("write_file", { path: file, content: "one\n" });
    expect(readFileSync(file, "utf8")).toBe("one\n");
    const second = client.call("write_file", { path: file, content: "two\n" });
    const shown = await asked(face);
    expect(shown.level).toBe("high");
    expect(shown.reasons).toContain("replaces a file that is not empty");
    expect(readFileSync(file, "utf8")).toBe("one\n");
    await person.approves(places.home, shown);
    await second;
    expect(readFileSync(file, "utf8")).toBe("two\n");
  });

  test("finds and lists nothing of .git, of .ssh and of what a rule denies", async () => {
    const places = placed();
    const { work, home } = places;
    for (const name of [".git/hooks", "docs/private", "docs/open"]) {
      mkdirSync(join(work, name), { recursive: true });
      writeFileSync(join(work, name, "key.txt"), "x");
    }
    const deny = { rule: "mcp__filesystem__*", when: [{ arg: "$.path", glob: `${work}/docs/private/**` }] };
    await acceptPolicy(home, { deny: [deny] });
    const client = await connectV1(gated([...published.filesystem, work]), places);
    const text = async (tool: string, path: string, more: object = {}): Promise<string> => {
      const result = await client.call(tool, { path, ...more });
      expect(result.structuredContent).toEqual({ content: textOf(result) });
      return textOf(result);
    };
    expect(await text("search_files", work, { pattern: "**/*.txt" })).toBe(join(work, "docs/open/key.txt"));
    expect(await text("search_files", work, { pattern: "**/hooks/*" })).toBe("No matches found");
    expect(await text("list_directory", join(work, "docs"))).toBe("[DIR] open");
    expect(await text("list_directory_with_sizes", work)).toMatch(/^\[DIR\] docs +\n\nTotal: /);
    expect(await text("directory_tree", work)).not.toMatch(/git|hooks|private/);
    expect(JSON.parse(await text("directory_tree", work))).toMatchObject([
      { name: "docs", children: [{ name: "open", children: [{ name: "key.txt" }] }] },
    ]);
    const search = await client.call("search_files", { path: work, pattern: "**/*.txt" });
    expect(search._meta).toEqual({ "wisp/leftOut": 2 });
  });

  test("answers reads through the gate byte for byte as without it, and nobody is asked", async () => {
    const places = placed();
    const { work, root, home } = places;
    mkdirSync(join(work, "below"));
    writeFileSync(join(work, "below", "é \u2028.txt"), "line one\nline \u2028 two\r\n\u0000\ufffd\n");
    writeFileSync(join(work, "picture.png"), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]));
    writeFileSync(join(work, "raw.bin"), Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28]));
    writeFileSync(join(work, "never-read"), "x".repeat(70_000));
    writeFileSync(join(work, "long"), "long ".repeat(200_000));
    const at = (name: string) => ({ path: join(work, name) });
    const steps = [
      ...introduces(),
      asks(1, "tools/list"),
      calls(2, "read_file", at("below/é \u2028.txt")),
      calls(3, "read_text_file", { ...at("below/é \u2028.txt"), head: 1 }),
      calls("four", "read_media_file", at("picture.png")),
      calls(5, "read_media_file", at("raw.bin")),
      calls(6, "read_multiple_files", { paths: [join(work, "raw.bin"), join(work, "nothing-here")] }),
      calls(7, "list_directory", { path: work }),
      calls(8, "list_directory_with_sizes", { path: work, sortBy: "size" }),
      calls(9, "directory_tree", { path: work }),
      calls(10, "search_files", { path: work, pattern: "**/*.txt" }),
      calls(11, "get_file_info", at("never-read")),
      calls(12, "list_allowed_directories"),
      calls(13, "read_text_file", at("long")),
      // What is not there, and arguments that are none: its own refusals come back.
      calls(14, "read_text_file", at("nothing-here")),
      calls(15, "read_text_file", { ...at("never-read"), head: "all" }),
      calls(16, "read_text_file", { ...at("never-read"), head: 1, tail: 1 }),
    ];
    const argv = [...published.filesystem, work];
    const place = { directory: work, environment: { PATH: process.env.PATH ?? "", HOME: root } };
    const direct = await transcriptOf(argv, steps, place);
    const environment = { ...place.environment, WISP_HOME: home };
    const through = await transcriptOf(gated(argv), steps, { ...place, environment });
    expect(through.lines).toEqual(direct.lines);
    expect(through.output.equals(direct.output)).toBe(true);
    expect(through.end).toBe(direct.end);
    expect(direct.lines).toHaveLength(17);
    expect(
      openFace(home)
        .audit()
        .map(({ kind }) => kind),
    ).not.toContain("approval.pending");
  });
});

describe.each(publishedClients)("server-everything with a client of %s", (_major, connect) => {
  test("asks the client itself in the middle of a call that was approved", bothWays, async ({ person }) => {
    const places = placed();
    const face = openFace(places.home);
    const client = await connect(gated([...published.everything, "stdio"]), places);
    await client.tools();
    const asking = client.call("trigger-elicitation-request");
    const shown = await asked(face);
    expect(shown.subject).toMatchObject({ server: "everything", tool: "trigger-elicitation-request" });
    expect(client.dialogs).toEqual([]);
    await person.approves(places.home, shown);
    expect(JSON.stringify(await asking)).toContain("Name: Ada");
    expect(client.dialogs).toEqual(["Please provide inputs for the following fields:"]);
  });
});

test("server-everything tells of its progress above what the gate told while the call waited", async ({
  person,
}) => {
  const places = placed();
  const { client, child, ended } = startServer(gated([...published.everything, "stdio"]), {
    environment: { HOME: places.root, WISP_HOME: places.home },
    directory: places.work,
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  await client.initialize();
  const call = client.call("trigger-long-running-operation", { duration: 0.1, steps: 3 }, withProgress);
  await waitingProgress(client);
  await person.approves(places.home, openFace(places.home).only());
  expect(textOf(await client.resultOf(call))).toContain("Steps: 3.");
  const told = client.allOf("notifications/progress").map(({ params }) => Number(params?.progress));
  expect(told.slice(-3)).toEqual([1, 2, 3]);
  expect(told.length).toBeGreaterThan(3);
  expect(told.toSorted((one, other) => one - other)).toEqual(told);
});

describe("server-memory", () => {
  const entity = (name: string) => ({ type: "entity", name, entityType: "person", observations: ["here"] });

  test("is read without a word, and deletes from the graph that was shown alone", async ({ person }) => {
    const places = placed();
    const graph = join(places.work, "graph.jsonl");
    writeFileSync(graph, JSON.stringify(entity("Ada")));
    const face = openFace(places.home);
    const client = await connectV1(gated(published.memory), places, { MEMORY_FILE_PATH: graph });
    const namesIn = async (): Promise<unknown> => {
      const { structuredContent } = await client.call("read_graph");
      const { entities } = structuredContent as { readonly entities: readonly { readonly name: string }[] };
      return entities.map(({ name }) => name);
    };
    expect(await client.tools()).toContain("delete_entities");
    expect(await namesIn()).toEqual(["Ada"]);
    expect(await client.call("search_nodes", { query: "ada" })).not.toHaveProperty("isError", true);
    expect(await client.call("open_nodes", { names: ["Ada"] })).not.toHaveProperty("isError", true);
    expect(face.waiting()).toEqual([]);

    const remove = () => client.call("delete_entities", { entityNames: ["Ada"] });
    const first = remove();
    const shown = await asked(face);
    expect(shown).toMatchObject({ level: "high", subject: { server: "memory", tool: "delete_entities" } });
    expect(shown.subject).toMatchObject({ state: { bound: [{ target: "what read_graph says of {}" }] } });
    writeFileSync(graph, [entity("Ada"), entity("Grace")].map((one) => JSON.stringify(one)).join("\n"));
    await person.approves(places.home, shown);
    const drifted = await first;
    expect(codeOf(drifted)).toBe("replay_drift");
    expect(JSON.stringify(drifted.content)).toContain("what read_graph says");
    expect(await namesIn()).toEqual(["Ada", "Grace"]);

    const second = remove();
    await person.approves(places.home, await asked(face));
    expect((await second).structuredContent).toMatchObject({ success: true });
    expect(await namesIn()).toEqual(["Grace"]);
  });
});

describe("server-sequential-thinking", () => {
  test("has no preset: each call asks, and the request says that no state is bound", async ({ person }) => {
    const places = placed();
    const face = openFace(places.home);
    const client = await connectV1(gated(published.thinking, "--name", "thinking"), places);
    expect(await client.tools()).toEqual(["sequentialthinking"]);
    const thought = { thought: "one", thoughtNumber: 1, totalThoughts: 1, nextThoughtNeeded: false };
    const call = client.call("sequentialthinking", thought);
    const shown = await asked(face);
    expect(shown.reasons).toContain("state not bound");
    expect(shown.subject).toMatchObject({ server: "thinking", state: "none", arguments: thought });
    await person.approves(places.home, shown);
    expect((await call).structuredContent).toMatchObject({ thoughtNumber: 1, totalThoughts: 1 });
  });
});

interface ListedTool {
  readonly name: string;
  readonly inputSchema: { readonly properties?: Readonly<Record<string, unknown>> };
  readonly annotations: { readonly readOnlyHint: boolean };
}

describe.each(["filesystem", "memory"] as const)("the preset %s", (name) => {
  async function listed(): Promise<readonly ListedTool[]> {
    const { work } = placed();
    const place = { directory: work, environment: { MEMORY_FILE_PATH: join(work, "graph.jsonl") } };
    const argv = [...published[name], ...(name === "filesystem" ? [work] : [])];
    const { lines } = await transcriptOf(argv, [...introduces(), asks(1, "tools/list")], place);
    return JSON.parse(lines.at(-1) ?? "").result.tools;
  }

  test("knows every tool of its server, and lets those pass of which the server says that they read", async () => {
    const preset = presetNamed(name);
    const data = presets.get(name);
    const tools = await listed();
    const words = tools.map((tool) => [tool.name, preset.wordOn({ tool: tool.name, arguments: {} })?.name]);
    const hints = tools.map((tool) => [tool.name, tool.annotations.readOnlyHint ? "allow" : "ask"]);
    expect(words).toEqual(hints);
    const known = [...(data?.permissions.allow ?? []), ...(data?.permissions.ask ?? [])];
    const names = known.map((rule) => (typeof rule === "string" ? rule : rule.rule).split("__").at(-1));
    expect(names.toSorted()).toEqual(tools.map((tool) => tool.name).toSorted());
    // Where an argument that names a file has a name that is not known, nothing would be guarded or bound.
    const named = tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}));
    const paths = named.filter((one) => /^(paths?|source|destination)$/.test(one));
    const guarded = new Set(data?.paths.map((one) => one.replace(/^\$\.|\[\*\]$/g, "")));
    expect(guarded).toEqual(new Set(paths));
  });
});
