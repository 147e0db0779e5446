/** The README's own example: the entry as it stands there, a published server behind it, a person at a terminal. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished } from "vitest";
import { homeAt } from "../../src/broker/channel/home.js";
import { runBare, wispOn } from "../support/built.js";
import { openFace } from "../support/face.js";
import { makePlaces, waitingProgress } from "../support/mcp-server.js";
import { test } from "../support/person.js";
import { startServer } from "../support/raw-client.js";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const readme = readFileSync(join(root, "README.md"), "utf8");

/** The words with which the line on the README's first screen has a client start it, for files in `directory`. */
function wordsOfLine(directory: string): readonly string[] {
  const [, line = ""] = /^claude mcp add -s user files -- (.*)$/m.exec(readme) ?? [];
  return line.replace('"$PWD/', `"${root}/`).replace("$PWD", directory).replaceAll('"', "").split(" ");
}

/** The entry `files` of the first example for a client, and the card that stands below it, for files in `directory`. */
function exampleFor(directory: string) {
  const section = (readme.split("\n### The gate before a server\n")[1] ?? "").replaceAll(
    "/path/to/files",
    directory,
  );
  const [, json = "", card = ""] = /^```json\n(.*?)^```$.*?^```\n(.*?)^```$/ms.exec(section) ?? [];
  const { mcpServers } = JSON.parse(json.replaceAll("/path/to/wisp", root)) as {
    mcpServers: { files: { command: string; args: readonly string[] } };
  };
  return { ...mcpServers.files, card };
}

describe("the example of the README", () => {
  test("reads without asking, and writes what its card shows after a yes, once the file is what it was", async ({
    person,
  }) => {
    const places = makePlaces();
    onTestFinished(() => places.remove());
    const path = join(places.work, "notes.txt");
    writeFileSync(path, "one\ntwo\n");
    const { command, args, card } = exampleFor(places.work);
    expect([command, ...args]).toEqual(wordsOfLine(places.work));
    const environment = { ...process.env, HOME: places.root, WISP_HOME: places.home };
    // npx takes what is installed here, and asks no registry.
    const { client, child, ended } = startServer([command, ...args], { environment, directory: root });
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await ended;
    });
    await client.initialize();

    const read = await client.resultOf(client.call("read_text_file", { path }));
    expect(read).toMatchObject({ content: [{ type: "text", text: "one\ntwo\n" }] });

    const write = () => {
      const call = client.call("write_file", { path, content: "one\nthree\n" }, { progressToken: "p" });
      return client.resultOf(call);
    };
    const face = openFace(places.home);
    const drifted = write();
    await waitingProgress(client);
    writeFileSync(path, "one\nfour\n");
    await person.confirms(places.home, face.only());
    expect(await drifted).toMatchObject({
      isError: true,
      _meta: { "wisp/refusal": { code: "replay_drift" } },
    });
    expect(readFileSync(path, "utf8")).toBe("one\nfour\n");

    writeFileSync(path, "one\ntwo\n");
    const written = write();
    await expect.poll(() => face.waiting().length).toBe(1);
    const show = wispOn(homeAt(places.home, false), "approvals", "show", face.only().id);
    const { out } = await runBare(show);
    expect(out.split("\n")).toEqual(expect.arrayContaining(card.trimEnd().split("\n")));
    await person.confirms(places.home, face.only());
    expect((await written).isError).toBeUndefined();
    expect(readFileSync(path, "utf8")).toBe("one\nthree\n");
    child.stdin?.end();
    expect(await ended).toEqual({ code: 0, signal: null });
  });
});
