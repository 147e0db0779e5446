/** Rules that are loaded with the first call: nothing is asked or run before they are there. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileRules } from "../../../src/server/mcp/file-rules.js";
import type { Rules, RulesPlace } from "../../../src/server/mcp/rules.js";
import { connectInMemory, waitingProgress, withProgress } from "../../support/mcp-server.js";
import { acceptPolicy } from "../../support/policy-files.js";

const marking = { argv: ["touch", "made"] };

/** A server whose rules come when `arrive` is called, and that says when they are wanted. */
async function waitingForRules() {
  let arrive = (): void => undefined;
  let want = (): void => undefined;
  const wanted = new Promise<void>((resolve) => {
    want = resolve;
  });
  const openRules = (place: RulesPlace): Promise<Rules> => {
    want();
    return new Promise((resolve) => {
      arrive = () => resolve(fileRules(place));
    });
  };
  const server = await connectInMemory({}, { openRules });
  await acceptPolicy(server.home, { allow: ["Bash(touch *)"] });
  return { ...server, wanted, arrive: () => arrive() };
}

test("calls wait for the rules, and are judged by them in their order", async () => {
  const server = await waitingForRules();
  const { client, work } = server;
  const calls = [marking, { argv: ["mv", "made", "moved"] }].map((args, index) =>
    client.call("run_command", args, { progressToken: `p${index}` }),
  );
  await server.wanted;
  expect(existsSync(join(work, "made"))).toBe(false);
  expect(server.face.waiting()).toEqual([]);
  server.arrive();
  expect((await client.resultOf(calls[0] ?? 0)).structuredContent).toMatchObject({ via: "policy" });
  await waitingProgress(client, "p1");
  server.face.approve(server.face.only());
  expect((await client.resultOf(calls[1] ?? 0)).structuredContent).toMatchObject({ outcome: "approved" });
  expect(existsSync(join(work, "moved"))).toBe(true);
});

test("a server whose client leaves meanwhile ends, and has run and asked nothing", async () => {
  const server = await waitingForRules();
  server.client.call("run_command", marking);
  await server.wanted;
  server.leave();
  await server.served.gone;
  server.arrive();
  await server.settled();
  expect(existsSync(join(server.work, "made"))).toBe(false);
  expect(server.face.waiting()).toEqual([]);
  const next = await connectInMemory({}, { environment: { WISP_HOME: server.home } });
  expect(
    (await next.client.resultOf(next.client.call("run_command", marking))).structuredContent,
  ).toMatchObject({ via: "policy" });
});

test("rules that cannot be loaded let nothing run, and are looked for again with the next call", async () => {
  let isThere = false;
  const openRules = async (place: RulesPlace): Promise<Rules> => {
    if (!isThere) throw new Error("Cannot find module");
    return fileRules(place);
  };
  const { client, face, work } = await connectInMemory({}, { openRules });
  expect(await client.resultOf(client.call("run_command", marking))).toMatchObject({ isError: true });
  expect([existsSync(join(work, "made")), face.waiting()]).toEqual([false, []]);
  isThere = true;
  const call = client.call("run_command", marking, withProgress);
  await waitingProgress(client);
  face.approve(face.only());
  expect((await client.resultOf(call)).structuredContent).toMatchObject({ outcome: "approved" });
});
