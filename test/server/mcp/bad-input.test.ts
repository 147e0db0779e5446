/** What no client should send; each ends with a call that works. */
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  connectInMemory,
  type MemoryServer,
  printing,
  textOf,
  waitingProgress,
} from "../../support/mcp-server.js";
import { showsForms } from "../../support/raw-client.js";

/** A good call is asked about, approved and runs. */
async function stillWorks({ client, face }: MemoryServer): Promise<void> {
  const call = client.call("run_command", printing, { progressToken: "good" });
  await waitingProgress(client, "good");
  face.approve(face.only());
  expect((await client.resultOf(call)).structuredContent).toMatchObject({
    outcome: "approved",
    stdout: "once",
  });
}

const mebibyte = "x".repeat(1024 * 1024);

describe("a call that is refused", () => {
  test.each([
    ["in a word", { argv: ["printf", mebibyte] }, "argv[1]: at most 65536 bytes"],
    [
      "in many words",
      { argv: ["printf", ...Array<string>(1024).fill("x".repeat(1024))] },
      "argv: at most 131072 bytes in all",
    ],
    ["in a line", { line: mebibyte }, "line: at most 65536 bytes"],
    ["in a reason", { ...printing, says: mebibyte }, "says: at most 500 characters"],
    ["in a label", { ...printing, thread: mebibyte }, "thread: at most 64 characters"],
    ["in a directory", { ...printing, directory: `/${mebibyte}` }, "directory: at most 4096 bytes"],
    ["in a name", { ...printing, [mebibyte]: 1 }, "unknown argument"],
  ])("for 1 MiB %s says the limit in a line and repeats nothing of it", async (_where, args, says) => {
    const server = await connectInMemory({ capabilities: showsForms });
    const result = await server.client.resultOf(server.client.call("run_command", args));
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { outcome: "refused", code: "invalid_input" },
    });
    expect(textOf(result)).toContain(says);
    expect(textOf(result).length).toBeLessThan(400);
    expect(server.client.allOf("elicitation/create")).toEqual([]);
    expect(existsSync(server.home)).toBe(false);
    await stillWorks(server);
  });

  test.each(["run", "", "approve", "toString", "__proto__", "run_command\n"])(
    "because there is no tool %j is a protocol error",
    async (name) => {
      const server = await connectInMemory();
      expect((await server.client.responseTo(server.client.call(name, printing))).error?.code).toBe(-32602);
      expect(existsSync(server.home)).toBe(false);
      await stillWorks(server);
    },
  );

  test("because its arguments are no object is an error, and asks nobody", async () => {
    const server = await connectInMemory();
    for (const given of [[], "argv", 1]) {
      const call = server.client.request("tools/call", { name: "run_command", arguments: given });
      const { error, result } = await server.client.responseTo(call);
      expect(error !== undefined || result?.isError === true).toBe(true);
    }
    expect(existsSync(server.home)).toBe(false);
    await stillWorks(server);
  });
});
