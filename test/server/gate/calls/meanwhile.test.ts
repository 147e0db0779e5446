/** Rules that a person writes while a call waits for them, and a call that waits for them without a dialog. */
import { expect, test } from "vitest";
import { createPins } from "../../../../src/server/gate/state/gate-pins.js";
import { revisions } from "../../../support/era-call.js";
import { readAtOnce, waitingProgress } from "../../../support/mcp-server.js";
import { openGateIn } from "../../../support/memory-gate.js";
import { memoryPins } from "../../../support/memory-pins.js";
import { acceptPolicy, writePolicy } from "../../../support/policy-files.js";
import { done, readFile } from "../../../support/scripted-upstream.js";

test.each(revisions)(
  "a deny refuses the call in spite of the yes; an ask leaves it answered (%s)",
  async (revision) => {
    const memory = await openGateIn(revision, { capabilities: {}, config: readAtOnce });
    const { home, client, face, upstream } = memory;
    const denied = memory.call({ path: "/a" }, "p");
    await waitingProgress(client, "p");
    writePolicy(home, { deny: [{ rule: "mcp__fs__write_file", reason: "not today" }] });
    face.approve(face.only());
    expect(await denied.result()).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("not today") }],
      _meta: { "wisp/refusal": { code: "policy_refused" } },
    });
    expect(upstream.calls).toEqual([]);
    writePolicy(home, {});
    const asked = memory.call({ path: "/a" }, "q");
    await waitingProgress(client, "q");
    writePolicy(home, { ask: ["mcp__fs__write_file"] });
    face.approve(face.only());
    expect(await asked.result()).toEqual(done);
    expect(upstream.calls).toHaveLength(1);
  },
);

test.each(revisions)(
  "no dialog is shown while WISP_ELICITATION is off, and a yes elsewhere sends the call (%s)",
  async (revision) => {
    const memory = await openGateIn(revision, {
      config: readAtOnce,
      environment: { WISP_ELICITATION: "off" },
    });
    const call = memory.call({ path: "/a" }, "p");
    await waitingProgress(memory.client, "p");
    memory.face.approve(memory.face.only());
    expect(await call.result()).toEqual(done);
    expect(memory.client.allOf("elicitation/create")).toEqual([]);
  },
);

test("a rule that says no more that a call only reads refuses it at a gate that lets only reads through, whatever the yes", async () => {
  const pins = createPins(memoryPins());
  const reading = { allow: [{ rule: "mcp__fs__read_file", readOnly: true }] };
  const memory = await openGateIn("2025-11-25", {
    ...{ capabilities: {}, isReadOnly: true, pins },
    config: readAtOnce,
  });
  const { home, client, face, upstream } = memory;
  await acceptPolicy(home, reading);
  expect(await memory.call({}, "o", "read_file").result()).toEqual(done);
  upstream.tools = [{ ...readFile, description: "Reads a file, and writes it anew." }];
  upstream.wire.notify("notifications/tools/list_changed");
  await client.firstOf("notifications/tools/list_changed");
  const call = memory.call({}, "p", "read_file");
  await waitingProgress(client, "p");
  await acceptPolicy(home, { allow: ["mcp__fs__read_file"] });
  face.approve(face.only());
  expect(await call.result()).toMatchObject({ _meta: { "wisp/refusal": { code: "read_only_mode" } } });
  expect(upstream.calls).toHaveLength(1);
  await acceptPolicy(home, reading);
  const again = memory.call({}, "q", "read_file");
  await waitingProgress(client, "q");
  face.approve(face.only());
  expect(await again.result()).toEqual(done);
});
