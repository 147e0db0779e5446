/** Messages that a client writes without waiting: they reach the server in the order in which they were written. */
import { expect, test } from "vitest";
import { createPins } from "../../../../src/server/gate/state/gate-pins.js";
import { revisions } from "../../../support/era-call.js";
import { waitingProgress } from "../../../support/mcp-server.js";
import { openGateIn } from "../../../support/memory-gate.js";
import { memoryPins } from "../../../support/memory-pins.js";
import { envelope } from "../../../support/modern-client.js";
import { acceptPolicy } from "../../../support/policy-files.js";
import { done } from "../../../support/scripted-upstream.js";

/** A gate that lets `read_file` through, whose first pin is on disk when the test says so. */
async function slowlyPinning(revision: (typeof revisions)[number]) {
  let release: () => void = () => undefined;
  const isPinned = new Promise<void>((resolve) => {
    release = resolve;
  });
  const kept = createPins(memoryPins());
  let begun: () => void = () => undefined;
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const pins: typeof kept = {
    ...kept,
    async pin(...pinned) {
      begun();
      await isPinned;
      await kept.pin(...pinned);
    },
  };
  const memory = await openGateIn(revision, { capabilities: {}, pins });
  await acceptPolicy(memory.home, { allow: ["mcp__fs__read_file"] });
  const { client, upstream } = memory;
  const call = (name: string, path: string): number =>
    client.request("tools/call", {
      ...{ name, arguments: { path } },
      _meta: { ...envelope({ capabilities: {} }), progressToken: path },
    });
  const from = upstream.lines.length;
  /** What the client wrote, as it arrived: paths of calls, and methods of all else. */
  const arrived = (): readonly unknown[] =>
    upstream.lines.slice(from).flatMap((line) => {
      const { id, method, params } = JSON.parse(line);
      if (String(id).startsWith("wisp:")) return [];
      return [method === "tools/call" ? params.arguments.path : method];
    });
  return { memory, client, call, arrived, release, hasBegun };
}

test.each(revisions)(
  "calls that a rule allows, requests and notifications; a call that asks holds nobody up (%s)",
  async (revision) => {
    const { memory, client, call, arrived, release, hasBegun } = await slowlyPinning(revision);
    const calls = [call("read_file", "/1"), call("read_file", "/2")];
    const asking = call("write_file", "/asks");
    const ping = client.request("ping", {});
    client.notify("notifications/roots/list_changed");
    calls.push(call("read_file", "/3"));
    await hasBegun;
    expect(arrived()).toEqual([]);
    release();
    for (const id of calls) expect(await client.resultOf(id)).toEqual(done);
    await client.resultOf(ping);
    expect(arrived()).toEqual(["/1", "/2", "ping", "notifications/roots/list_changed", "/3"]);
    await waitingProgress(client, "/asks");
    memory.face.approve(memory.face.only());
    expect(await client.resultOf(asking)).toEqual(done);
    expect(arrived().at(-1)).toBe("/asks");
  },
);

test("a call that is cancelled while others wait behind it is not sent, and they are", async () => {
  const { client, call, arrived, release, hasBegun } = await slowlyPinning("2025-11-25");
  const first = call("read_file", "/1");
  const ping = client.request("ping", {});
  const second = call("read_file", "/2");
  await hasBegun;
  client.notify("notifications/cancelled", { requestId: first });
  await client.resultOf(ping);
  release();
  expect(await client.resultOf(second)).toEqual(done);
  expect(arrived()).toEqual(["ping", "/2"]);
});

test("a request that waits for its turn is cancelled behind it", async () => {
  const { client, call, arrived, release, hasBegun } = await slowlyPinning("2025-11-25");
  const first = call("read_file", "/1");
  const requestId = client.request("resources/list", {});
  client.notify("notifications/cancelled", { requestId });
  await hasBegun;
  release();
  expect(await client.resultOf(first)).toEqual(done);
  await expect.poll(arrived).toEqual(["/1", "resources/list", "notifications/cancelled"]);
});
