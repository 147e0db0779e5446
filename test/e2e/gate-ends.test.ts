/** `wisp gate` as built, where processes matter: a server that does not want to end, and two gates of one name. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { wispProgram } from "../support/built.js";
import { writeAcceptedConfig } from "../support/config-files.js";
import { appears, makePlaces, type Places } from "../support/mcp-server.js";
import { test } from "../support/person.js";
import { PinsHome } from "../support/pins-home.js";
import { acceptPolicy } from "../support/policy-files.js";
import { gone } from "../support/processes.js";
import { type ServerProcess, startServer } from "../support/raw-client.js";

const recording = fileURLToPath(new URL("workers/recording-upstream.mjs", import.meta.url));

function start({ root, home, work }: Places, ...words: readonly string[]): ServerProcess {
  const server = startServer([process.execPath, wispProgram, "gate", "--name", "x", ...words], {
    environment: { HOME: root, WISP_HOME: home },
    directory: work,
  });
  onTestFinished(async () => {
    server.child.kill("SIGKILL");
    await server.ended;
  });
  return server;
}

function placed(): Places {
  const places = makePlaces();
  onTestFinished(() => places.remove());
  return places;
}

/** It hears neither the end of its input, which it does not read, nor TERM, and what it started holds its output. */
const stubborn = `
trap "" TERM
sleep 600 & echo $! > started
echo $$ > itself.new
mv itself.new itself
while :; do sleep 1; done`;

test("a server that reads nothing and ignores TERM is gone soon after its client, and all that it started", async () => {
  const places = placed();
  const { child, ended } = start(places, "--", "/bin/sh", "-c", stubborn);
  await appears(join(places.work, "itself"));
  const [itself = "", started = ""] = ["itself", "started"].map((name) =>
    readFileSync(join(places.work, name), "utf8"),
  );
  // More than any pipe holds.
  const params = { text: "x".repeat(500_000) };
  child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/x", params })}\n`);
  child.stdin?.end();
  // KILL, and then what it was asked to end with.
  expect(await ended).toEqual({ code: 137, signal: null });
  await gone(Number(itself));
  await gone(Number(started));
});

test("two gates of one name at once lose nothing of what either let through", async () => {
  const places = placed();
  await acceptPolicy(places.home, { allow: ["mcp__x__*"] });
  const gates = ["read", "wipe"].map((tool) => {
    const gate = start(places, "--", process.execPath, recording, join(places.root, "received"));
    return { tool, gate };
  });
  await Promise.all(gates.map(({ gate }) => gate.client.initialize()));
  const called = gates.map(({ tool, gate }) => gate.client.resultOf(gate.client.call(tool, {})));
  expect(await Promise.all(called)).toMatchObject([
    { content: [{ text: "read ran" }] },
    { content: [{ text: "wipe ran" }] },
  ]);
  const pinned = new PinsHome(places.home, "x").open().current();
  expect(pinned.kind === "pinned" && [...pinned.gate.tools.keys()].sort()).toEqual(["read", "wipe"]);
});

test("--read-only refuses what no rule says of that it only reads", async () => {
  const places = placed();
  const read = { rule: "mcp__x__read", readOnly: true };
  await acceptPolicy(places.home, { allow: [read, "mcp__x__wipe"] });
  const file = join(places.root, "received");
  const { client } = start(places, "--read-only", "--", process.execPath, recording, file);
  await client.initialize();
  expect(await client.resultOf(client.call("wipe", {}))).toMatchObject({
    isError: true,
    _meta: { "wisp/refusal": { code: "read_only_mode" } },
  });
  expect(await client.resultOf(client.call("read", {}))).toMatchObject({ content: [{ text: "read ran" }] });
  expect(readFileSync(file, "utf8")).not.toContain("wipe");
});

test("a message has as many bytes as the configuration says", async () => {
  const places = placed();
  writeAcceptedConfig(places.home, { gate: { maxFrameBytes: 100_000 } });
  await acceptPolicy(places.home, { allow: ["mcp__x__read"] });
  const { client } = start(places, "--", process.execPath, recording, join(places.root, "received"));
  await client.initialize();
  client.call("read", { text: "x".repeat(100_000) });
  const refused = await client.first(({ error }) => error !== undefined);
  expect(refused.error).toMatchObject({
    code: -32_600,
    message: expect.stringContaining("at most 100000 bytes"),
  });
  expect(await client.resultOf(client.call("read", {}))).toMatchObject({ content: [{ text: "read ran" }] });
});
