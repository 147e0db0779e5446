/** How many calls that a person approved are with the server at once. */
import { expect, test } from "vitest";
import { revisions } from "../../../support/era-call.js";
import { waitingProgress } from "../../../support/mcp-server.js";
import { openGateIn } from "../../../support/memory-gate.js";
import { done } from "../../../support/scripted-upstream.js";

test.each(revisions)(
  "no more than the configuration says; the next one goes when one is answered (%s)",
  async (revision) => {
    const memory = await openGateIn(revision, { capabilities: {}, limits: { maxConcurrentWrites: 1 } });
    const { client, face, upstream } = memory;
    upstream.onCall = null;
    const calls = [];
    for (const path of ["/a", "/b"]) {
      const call = memory.call({ path }, path);
      await waitingProgress(client, path);
      face.approve(face.only());
      await expect.poll(() => face.waiting()).toEqual([]);
      await expect
        .poll(() => client.allOf("notifications/progress").at(-1)?.params?.message)
        .toBe("Approved; it is sent on.");
      calls.push(call);
    }
    await expect.poll(() => upstream.calls.length).toBe(1);
    await client.roundTrip();
    const [first] = upstream.calls;
    expect(upstream.calls).toHaveLength(1);
    const answer = (id: unknown): void => upstream.says(JSON.stringify({ jsonrpc: "2.0", id, result: done }));
    answer(first?.id);
    expect(await calls[0]?.result()).toEqual(done);
    await expect.poll(() => upstream.calls.length).toBe(2);
    answer(upstream.calls[1]?.id);
    expect(await calls[1]?.result()).toEqual(done);
  },
);
