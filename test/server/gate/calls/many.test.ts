/** Many calls at once, on one connection. */
import { expect, test } from "vitest";
import { waitingProgress } from "../../../support/mcp-server.js";
import { openGateIn } from "../../../support/memory-gate.js";
import { acceptPolicy } from "../../../support/policy-files.js";
import type { Message } from "../../../support/raw-client.js";

/** Numbers below `count` in an order that is mixed and always the same. */
function mixed(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => (index * 37 + 11) % count);
}

test("100 calls in flight, of which 20 wait for a person, get each its own answer in whatever order they come", async () => {
  const memory = await openGateIn("2025-11-25", { capabilities: {} });
  await acceptPolicy(memory.home, { allow: ["mcp__fs__read_file"] });
  const { client, upstream, face } = memory;
  upstream.onCall = null;
  const numbers = Array.from({ length: 100 }, (_, index) => index);
  const isGated = (number: number): boolean => number % 5 === 0;
  const ids = numbers.map((number) =>
    client.call(isGated(number) ? "write_file" : "read_file", { number }, { progressToken: number }),
  );
  await Promise.all(numbers.filter(isGated).map((number) => waitingProgress(client, number)));
  await expect.poll(() => upstream.calls.length).toBe(80);
  expect(face.waiting()).toHaveLength(20);
  const answers = (calls: readonly Message[]): void => {
    for (const at of mixed(calls.length)) {
      const call = calls[at];
      if (call === undefined) throw new Error("There is no such call.");
      upstream.wire.answer(call, { structuredContent: numberIn(call) });
    }
  };
  answers(upstream.calls);
  const waiting = face.waiting();
  for (const at of mixed(waiting.length)) {
    const request = waiting[at];
    if (request !== undefined) face.approve(request);
  }
  // No more than 16 of those that wait are let through at a time.
  await expect.poll(() => upstream.calls.length).toBe(96);
  await client.roundTrip();
  expect(upstream.calls).toHaveLength(96);
  answers(upstream.calls.slice(80));
  await expect.poll(() => upstream.calls.length).toBe(100);
  answers(upstream.calls.slice(96));
  const results = await Promise.all(ids.map((id) => client.resultOf(id)));
  expect(results).toEqual(numbers.map((number) => ({ structuredContent: { number } })));
});

function numberIn({ params }: Message): unknown {
  return params?.arguments;
}
