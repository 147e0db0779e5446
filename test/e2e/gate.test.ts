/** `wisp gate` as built: a client, the gate, a server behind it, and a person at a terminal of their own. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { wispProgram } from "../support/built.js";
import { openFace } from "../support/face.js";
import { appears, makePlaces, type Places, waitingProgress } from "../support/mcp-server.js";
import { test } from "../support/person.js";
import { gone } from "../support/processes.js";
import { startServer } from "../support/raw-client.js";

/** Lists one tool that writes, says who it is in a file, and ends with its input; what it prints first is no message. */
const server = `
const { writeFileSync, renameSync } = require("node:fs");
writeFileSync("pid.new", String(process.pid));
renameSync("pid.new", "pid");
console.log("a banner");
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const text = (text) => ({ content: [{ type: "text", text }] });
  if (method === "initialize") say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "small", version: "1" } } });
  if (method === "tools/list") say({ id, result: { tools: [{ name: "put", inputSchema: { type: "object" } }] } });
  if (method === "tools/call") { writeFileSync("put", params.arguments.text); say({ id, result: text(process.env.WISP_HOME ?? "put") }); }
  if (method === "exit") process.exit(7);
});`;

function start(places: Places) {
  writeFileSync(join(places.work, "small.cjs"), server);
  const argv = [
    process.execPath,
    wispProgram,
    "gate",
    "--name",
    "small",
    "--",
    process.execPath,
    "small.cjs",
  ];
  const started = startServer(argv, {
    environment: { HOME: places.root, WISP_HOME: places.home },
    directory: places.work,
  });
  onTestFinished(async () => {
    started.child.kill("SIGKILL");
    await started.ended;
  });
  return started;
}

function placed(): Places {
  const places = makePlaces();
  onTestFinished(() => places.remove());
  return places;
}

async function upstreamOf({ work }: Places): Promise<number> {
  await appears(join(work, "pid"));
  return Number(readFileSync(join(work, "pid"), "utf8"));
}

describe("wisp gate", () => {
  test("puts a person before each call of a tool, and nothing else is on its standard output", async ({
    person,
  }) => {
    const places = placed();
    const { client, child, ended, strayLines, errors } = start(places);
    expect((await client.initialize()).result).toMatchObject({ serverInfo: { name: "small" } });
    const call = client.call("put", { text: "new" }, { progressToken: "p" });
    await waitingProgress(client);
    const face = openFace(places.home);
    expect(face.only().subject).toMatchObject({ type: "tool", server: "small", tool: "put" });
    await person.approves(places.home, face.only());
    // The server does not learn where the home is.
    expect(await client.resultOf(call)).toEqual({ content: [{ type: "text", text: "put" }] });
    expect(readFileSync(join(places.work, "put"), "utf8")).toBe("new");
    child.stdin?.end();
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(strayLines).toEqual([]);
    expect(errors()).toBe("a banner\n");
  });

  test("leaves no server behind when it is killed", async () => {
    const places = placed();
    const { client, child } = start(places);
    await client.initialize();
    const pid = await upstreamOf(places);
    child.kill("SIGKILL");
    await gone(pid);
  });

  test("ends as its server does, and says why", async () => {
    const places = placed();
    const { client, ended, errors } = start(places);
    await client.initialize();
    const waiting = client.request("exit");
    expect((await client.responseTo(waiting)).error).toMatchObject({ code: -32_000 });
    expect(await ended).toEqual({ code: 7, signal: null });
    expect(errors()).toContain("wisp gate: the upstream server ended with 7\n");
  });

  test("ends with 127 where its server cannot be started, and with 2 for wrong usage", async () => {
    const places = placed();
    const at = { environment: { HOME: places.root, WISP_HOME: places.home }, directory: places.work };
    const missing = startServer([process.execPath, wispProgram, "gate", "--", "./missing-server"], at);
    expect(await missing.ended).toEqual({ code: 127, signal: null });
    const wrong = startServer([process.execPath, wispProgram, "gate", "--nmae", "x", "--", "true"], at);
    expect(await wrong.ended).toEqual({ code: 2, signal: null });
    expect(wrong.errors()).toMatch(/^wisp gate: .*--nmae.* Did you mean --name\?\nusage: wisp gate /);
  });
});
