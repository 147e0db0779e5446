/** No line of a client reaches the upstream as a call that was not judged, to whatever reader. */
import { describe, expect, it, test } from "vitest";
import { lineSplitter } from "../../../../src/server/gate/frames/lines.js";
import { answerUnder, callUnder, lineOf, type Routed, routing } from "../../../support/routing.js";
import { callsFoundIn, smuggled, smuggledFrames } from "../../../support/smuggled-frames.js";

const mostBytes = 10 * 1024 * 1024;

/** What the client writes comes as a pipe brings it. */
function writes(routed: Routed, written: string | Buffer): void {
  const splitter = lineSplitter(mostBytes, {
    line: (line) => routed.router.fromClient(line),
    tooLong: () => routed.router.refuseLine("a message that is too long"),
  });
  const bytes = Buffer.concat([Buffer.from(written), Buffer.from("\n")]);
  for (let from = 0; from < bytes.length; from += 64 * 1024)
    splitter.push(bytes.subarray(from, from + 65_536));
}

/** The judge says no to all that it sees. */
function refuseAll(routed: Routed): void {
  for (const { passage } of routed.calls) passage.reply({ error: { code: -32_000, message: "denied" } });
}

/** A call that is allowed still gets through and is answered. */
async function goodCallWorks(routed: Routed): Promise<void> {
  routed.fromClient(callUnder("good", "read"));
  const call = routed.calls.at(-1);
  if (call === undefined) throw new Error("The good call was not taken.");
  const forwarded = call.passage.forward(call.frame.params, () => undefined);
  routed.fromUpstream(answerUnder("good"));
  const answered = await forwarded;
  call.passage.reply(answered.kind === "answer" ? answered.line : { result: {} });
  expect(routed.upstream.at(-1)).toBe(lineOf(callUnder("good", "read")));
  expect(routed.client.at(-1)).toBe(lineOf(answerUnder("good")));
}

describe("a call of a tool", () => {
  it("is found by those who look for it here", () => {
    expect(callsFoundIn(lineOf(smuggled))).toHaveLength(3);
    expect(callsFoundIn(`{"a":\r${smuggled}\r}`)).toHaveLength(2);
    expect(callsFoundIn(`[[${smuggled}]]`)).toHaveLength(3);
    expect(callsFoundIn(lineOf('{"id":1,"method":"ping"}'))).toEqual([]);
  });

  test.each(smuggledFrames)("%s reaches nobody unjudged", async (_how, written) => {
    const routed = routing();
    writes(routed, written);
    refuseAll(routed);
    expect(callsFoundIn(routed.upstream.join(""))).toEqual([]);
    expect(routed.answers()).toMatchObject([{ error: { code: expect.any(Number) } }]);
    expect(routed.refused).toHaveLength(1);
    await goodCallWorks(routed);
  });

  it("of which half has come is none, and is none when the pipe ends", async () => {
    const routed = routing();
    const splitter = lineSplitter(mostBytes, {
      line: (line) => routed.router.fromClient(line),
      tooLong: () => expect.unreachable(),
    });
    splitter.push(Buffer.from(smuggled.slice(0, -20)));
    expect(routed.calls).toEqual([]);
    splitter.end();
    expect([routed.calls, routed.upstream]).toEqual([[], []]);
    expect(routed.answers()).toMatchObject([{ id: null, error: { code: -32_700 } }]);
    await goodCallWorks(routed);
  });
});
