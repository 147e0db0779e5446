/** Ways in which the published server-filesystem reaches files that its command does not name, tried through the built gate. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { openFace } from "../support/face.js";
import { makePlaces, textOf } from "../support/mcp-server.js";
import { acceptPolicy } from "../support/policy-files.js";
import { gated, published } from "../support/published-servers.js";
import { startServer } from "../support/raw-client.js";

/** The agent is told how it is said right. */
const refused = { isError: true, _meta: { "wisp/refusal": { code: "invalid_input" } } };

test("neither directories that the client names nor names that are equal in normal form reach what asks or is refused", async () => {
  const places = makePlaces();
  onTestFinished(() => places.remove());
  await acceptPolicy(places.home, { allow: ["mcp__filesystem__*"] });
  const secret = join(places.root, "secret");
  mkdirSync(secret);
  writeFileSync(join(secret, "root"), "a secret");
  writeFileSync(join(places.work, "TASKS.md"), "kept");
  const { client, child, ended } = startServer(gated([...published.filesystem, places.work]), {
    environment: { HOME: places.root, WISP_HOME: places.home },
    directory: places.work,
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const call = (tool: string, args: object) => client.resultOf(client.call(tool, { ...args }));
  await client.initialize({ capabilities: { roots: {} } });
  const roots = [secret, places.work].map((path) => ({ uri: pathToFileURL(path).href }));
  client.answer(await client.firstOf("roots/list"), { roots });
  // The server reads there now, and starts relative paths there.
  await expect.poll(async () => textOf(await call("list_allowed_directories", {}))).toContain(secret);
  expect(await call("read_text_file", { path: "root" })).toMatchObject(refused);
  expect(await call("read_multiple_files", { paths: ["root"] })).toMatchObject(refused);

  const written = join(places.work, "TAS\u212aS.md");
  expect(await call("write_file", { path: written, content: "gone" })).toMatchObject(refused);
  expect(await call("read_text_file", { path: written })).toMatchObject(refused);
  expect(readFileSync(join(places.work, "TASKS.md"), "utf8")).toBe("kept");

  const good = await call("read_text_file", { path: join(places.work, "TASKS.md") });
  expect(good).toMatchObject({ structuredContent: { content: "kept" } });
  expect(openFace(places.home).waiting()).toEqual([]);
});
