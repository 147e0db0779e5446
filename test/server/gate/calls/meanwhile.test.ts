/** Rules that a person writes while a call waits for them, and a call that waits for them without a dialog. */
import { expect, test } from "vitest";
import { revisions } from "../../../support/era-call.js";
import { readAtOnce, waitingProgress } from "../../../support/mcp-server.js";
import { openGateIn } from "../../../support/memory-gate.js";
import { writePolicy } from "../../../support/policy-files.js";
import { done } from "../../../support/scripted-upstream.js";

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
