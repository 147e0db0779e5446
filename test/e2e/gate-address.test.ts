/** `wisp gate --url` as built, in front of a server of the SDK on this machine, in both eras. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { wispProgram } from "../support/built.js";
import { bothEras, deserted, listening } from "../support/http-upstreams.js";
import { makePlaces } from "../support/mcp-server.js";
import { sendLeg } from "../support/modern-client.js";
import { test } from "../support/person.js";
import { acceptPolicy } from "../support/policy-files.js";
import { type ServerProcess, showsForms, startServer } from "../support/raw-client.js";

/** A gate in front of `url` that lets every tool through, with `words` besides. */
async function startGate(
  url: URL | string,
  words: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const places = makePlaces();
  onTestFinished(() => places.remove());
  await acceptPolicy(places.home, { allow: ["mcp__web__*"] });
  const server = startServer(
    [process.execPath, wispProgram, "gate", "--name", "web", "--url", `${url}`, ...words],
    {
      directory: places.work,
      environment: { ...environment, HOME: places.root, WISP_HOME: places.home },
    },
  );
  onTestFinished(async () => {
    server.child.kill("SIGKILL");
    await server.ended;
  });
  return server;
}

test("a call of the 2025 era is answered, asks in the middle, and ends with its client", async () => {
  const server = await bothEras();
  const gate = await startGate(server.url);
  await gate.client.initialize({ capabilities: showsForms });
  const echoed = await gate.client.resultOf(gate.client.call("echo", { text: "here" }));
  expect(echoed).toMatchObject({ content: [{ text: "here" }] });
  const call = gate.client.call("ask", {});
  gate.client.answer(await gate.client.firstOf("elicitation/create"), {
    action: "accept",
    content: { name: "Ada" },
  });
  expect(JSON.stringify(await gate.client.resultOf(call))).toContain("Ada");
  gate.child.stdin?.end();
  expect(await gate.ended).toMatchObject({ code: 0 });
  expect(server.seen.at(-1)).toMatch(/^DELETE /);
});

test("a call of the 2026 era is answered, and cancelled by the end of its exchange", async () => {
  const server = await bothEras();
  const { client } = await startGate(server.url);
  const echoed = await client.resultOf(sendLeg(client, { tool: "echo", args: { text: "here" } }));
  expect(echoed).toMatchObject({ content: [{ text: "here" }] });
  const slow = sendLeg(client, { tool: "slow", args: {}, progressToken: "t" });
  await client.firstOf("notifications/progress");
  client.notify("notifications/cancelled", { requestId: slow });
  await expect.poll(() => server.cancelled, { timeout: 20_000 }).toEqual(["slow"]);
  await client.resultOf(sendLeg(client, { tool: "echo", args: { text: "again" } }));
  expect(client.hasResponseTo(slow)).toBe(false);
});

test("a server that cannot be reached answers what it is asked, and the gate goes on", async () => {
  const { client, child } = await startGate(await deserted());
  for (const method of ["ping", "initialize"]) {
    expect(await client.responseTo(client.request(method))).toMatchObject({
      error: { code: -32_000, message: expect.stringContaining("ECONNREFUSED") },
    });
  }
  expect(child.exitCode).toBeNull();
});

test("an address that others on the way could change is refused", async () => {
  const gate = await startGate("http://example.com/mcp");
  expect(await gate.ended).toMatchObject({ code: 2 });
  expect(gate.errors()).toContain("takes an http address only on this machine");
});

test("a bearer token of a variable or a file goes with each message, and is told to nobody", async () => {
  const places = makePlaces();
  onTestFinished(() => places.remove());
  const file = join(places.work, "token");
  writeFileSync(file, "tok-file\n", { mode: 0o600 });
  const heard: (string | undefined)[] = [];
  const url = await listening((request, response) => {
    heard.push(request.headers.authorization);
    const isKnown = /^Bearer tok-(file|env)$/.test(request.headers.authorization ?? "");
    response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
    response.end(isKnown ? '{"jsonrpc":"2.0","id":1,"result":{}}' : "{}");
  });
  for (const [token, words] of [
    ["tok-env", ["--bearer-env", "SECRET_OF_WEB"]],
    ["tok-file", ["--bearer-file", file]],
  ] as const) {
    const gate = await startGate(url, words, { SECRET_OF_WEB: "tok-env" });
    const ping = gate.client.request("ping");
    expect(await gate.client.responseTo(ping)).toMatchObject({ result: {} });
    expect(heard.at(-1)).toBe(`Bearer ${token}`);
    gate.child.stdin?.end();
    expect(await gate.ended).toMatchObject({ code: 0 });
    expect(gate.errors()).not.toContain(token);
  }
  const gate = await startGate(url, ["--bearer-env", "NOT_THERE"]);
  expect(await gate.ended).toMatchObject({ code: 2 });
  expect(gate.errors()).toContain("--bearer-env");
});
