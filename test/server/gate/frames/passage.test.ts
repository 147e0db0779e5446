import { describe, expect, it } from "vitest";
import type { Passage } from "../../../../src/server/gate/frames/passage.js";
import { answerUnder, callUnder, cancelOf, lineOf, type Routed, routing } from "../../../support/routing.js";

interface Held {
  readonly routed: Routed;
  readonly passage: Passage;
  readonly params: Readonly<Record<string, unknown>>;
}

/** One call under id 7 that waits for what becomes of it. */
function held(): Held {
  const routed = routing();
  routed.fromClient(callUnder(7));
  const [call] = routed.calls;
  if (call === undefined) throw new Error("The call was not taken.");
  return { routed, passage: call.passage, params: call.frame.params };
}

const nothing = (): void => undefined;

describe("a call that is sent on", () => {
  it("is the message that was judged, with the parameters that were", async () => {
    const { routed, passage } = held();
    let isSent = false;
    const answered = passage.forward({ name: "write_file", arguments: { path: "/b" } }, () => {
      isSent = true;
    });
    expect(isSent).toBe(true);
    expect(routed.upstream.map((line) => JSON.parse(line))).toEqual([
      { ...callUnder(7), params: { name: "write_file", arguments: { path: "/b" } } },
    ]);
    routed.fromUpstream(answerUnder(7));
    expect(await answered).toEqual({ kind: "answer", line: Buffer.from(lineOf(answerUnder(7))) });
    expect(routed.client).toEqual([]);
  });

  it("is answered before anything that the upstream says after the answer, where it is relayed", async () => {
    const { routed, passage, params } = held();
    const answered = passage.relay(params, nothing);
    const after = { jsonrpc: "2.0", method: "notifications/message", params: {} };
    routed.fromUpstream(answerUnder(7));
    routed.fromUpstream(after);
    expect(routed.answers()).toEqual([answerUnder(7), after]);
    const { kind } = await answered;
    expect(kind).toBe("answer");
    passage.reply({ result: {} });
    expect(routed.client).toHaveLength(2);
    routed.fromClient(callUnder(7));
    expect(routed.calls).toHaveLength(2);
  });

  it("goes on once", () => {
    const { routed, passage, params } = held();
    void passage.forward(params, nothing);
    expect(() => passage.forward(params, nothing)).toThrow(TypeError);
    expect(routed.upstream).toHaveLength(1);
  });

  it("is lost where the upstream cannot be reached, and nobody is told that it was sent", async () => {
    const { routed, passage, params } = held();
    routed.isReachable = false;
    const answered = passage.forward(params, () => expect.unreachable());
    expect(await answered).toEqual({ kind: "lost", isUnsent: true });
    // Nothing was sent under this id.
    routed.fromUpstream(answerUnder(7));
    expect(routed.client).toEqual([]);
    passage.reply({ result: {} });
    expect(routed.answers()).toEqual([{ jsonrpc: "2.0", id: 7, result: {} }]);
  });

  it("is lost when the upstream ends, and the client hears what its judge makes of that", async () => {
    const { routed, passage, params } = held();
    const answered = passage.forward(params, nothing);
    routed.router.lost("it ended");
    expect(await answered).toEqual({ kind: "lost", isUnsent: false });
    expect(routed.client).toEqual([]);
    expect(passage.signal.aborted).toBe(false);
    passage.reply({ result: { isError: true } });
    expect(routed.answers()).toEqual([{ jsonrpc: "2.0", id: 7, result: { isError: true } }]);
  });

  it("is cancelled at the upstream when the client cancels, and its answer reaches nobody", async () => {
    const { routed, passage, params } = held();
    const answered = passage.forward(params, nothing);
    routed.fromClient(cancelOf(7));
    expect(await answered).toEqual({ kind: "cancelled" });
    expect(passage.signal.reason).toBe("esc");
    expect(routed.upstream.at(-1)).toBe(lineOf(cancelOf(7)));
    passage.reply({ result: {} });
    routed.fromUpstream(answerUnder(7));
    expect(routed.client).toEqual([]);
  });

  it("tells that the client cancelled whoever listened before, and whoever asks after", () => {
    const [listened, asked] = [held(), held()];
    const { signal } = listened.passage;
    expect([signal.aborted, listened.passage.isAborted]).toEqual([false, false]);
    for (const { routed } of [listened, asked]) routed.fromClient(cancelOf(7));
    expect([signal.aborted, signal.reason, listened.passage.isAborted]).toEqual([true, "esc", true]);
    expect([asked.passage.isAborted, asked.passage.signal.aborted, asked.passage.signal.reason]).toEqual([
      true,
      true,
      "esc",
    ]);
    expect(asked.passage.signal).toBe(asked.passage.signal);
    listened.routed.fromClient(callUnder(8));
    expect(listened.routed.calls.at(-1)?.passage.isAborted).toBe(false);
  });

  it("keeps the answer that came before the client cancelled from the client, who wants none", async () => {
    const { routed, passage, params } = held();
    const answered = passage.forward(params, nothing);
    routed.fromUpstream(answerUnder(7));
    routed.fromClient(cancelOf(7));
    const { kind } = await answered;
    expect(kind).toBe("answer");
    passage.reply(Buffer.from(lineOf(answerUnder(7))));
    expect(routed.client).toEqual([]);
  });
});

describe("a call that is held", () => {
  it("is answered under its id, once", () => {
    const { routed, passage } = held();
    passage.reply({ error: { code: -32_000, message: "no" } });
    passage.reply({ result: {} });
    expect(routed.answers()).toEqual([{ jsonrpc: "2.0", id: 7, error: { code: -32_000, message: "no" } }]);
  });

  it("does not go on any more once it was answered", () => {
    const { routed, passage, params } = held();
    passage.reply({ result: {} });
    expect(() => passage.forward(params, nothing)).toThrow(TypeError);
    expect(routed.upstream).toEqual([]);
  });

  it("is not told to the upstream when the client cancels, and does not go on", async () => {
    const { routed, passage, params } = held();
    routed.fromClient(cancelOf(7));
    expect(passage.signal.aborted).toBe(true);
    expect(await passage.forward(params, () => expect.unreachable())).toEqual({ kind: "cancelled" });
    passage.reply({ result: {} });
    expect([routed.upstream, routed.client]).toEqual([[], []]);
  });

  it("is answered when the upstream ends, and whoever asks about it stops", async () => {
    const { routed, passage, params } = held();
    routed.router.lost("it ended");
    expect(routed.answers()).toEqual([
      { jsonrpc: "2.0", id: 7, error: { code: -32_000, message: "it ended" } },
    ]);
    expect(passage.signal.aborted).toBe(true);
    expect(await passage.forward(params, () => expect.unreachable())).toEqual({ kind: "cancelled" });
    passage.reply({ result: {} });
    expect(routed.client).toHaveLength(1);
  });

  it("is not answered by an upstream that was not asked", () => {
    const { routed, passage } = held();
    routed.fromUpstream(answerUnder(7, "guessed"));
    expect(routed.client).toEqual([]);
    passage.reply({ result: {} });
    expect(routed.answers()).toEqual([{ jsonrpc: "2.0", id: 7, result: {} }]);
  });

  it("tells the client of its progress until it is answered", () => {
    const { routed, passage } = held();
    passage.notify("notifications/progress", { progressToken: 1, progress: 0.1 });
    passage.reply({ result: {} });
    passage.notify("notifications/progress", { progressToken: 1, progress: 0.2 });
    expect(routed.answers()).toEqual([
      { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 1, progress: 0.1 } },
      { jsonrpc: "2.0", id: 7, result: {} },
    ]);
  });
});
