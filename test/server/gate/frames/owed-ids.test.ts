/** Ids of what was cancelled, under which an answer may still come. */
import { describe, expect, it } from "vitest";
import { answerUnder, callUnder, cancelOf, lineOf, pingUnder, routing } from "../../../support/routing.js";

describe("an id of what was cancelled after it was sent", () => {
  it("is none for another call until the upstream has answered, whose answer would be taken for that call's", async () => {
    const routed = routing();
    routed.fromClient(callUnder(1));
    void routed.calls[0]?.passage.forward({}, () => undefined);
    routed.fromClient(cancelOf(1));
    routed.calls[0]?.passage.reply({ result: {} });
    routed.fromClient(callUnder(1));
    expect(routed.calls).toHaveLength(1);
    expect(routed.answers()).toMatchObject([{ id: null, error: { code: -32_600 } }]);
    routed.fromUpstream(answerUnder(1, "late"));
    expect(routed.answers()).toHaveLength(1);
    routed.fromClient(callUnder(1));
    const answered = routed.calls[1]?.passage.forward({}, () => undefined);
    routed.fromUpstream(answerUnder(1, "its own"));
    expect(await answered).toEqual({ kind: "answer", line: Buffer.from(lineOf(answerUnder(1, "its own"))) });
  });

  it.each([
    ["a call", callUnder(1)],
    ["another request", pingUnder(1)],
  ])(
    "is none for another request, either, where it was %s: its answer would open the id for a call",
    (_what, first) => {
      const routed = routing();
      routed.fromClient(first);
      void routed.calls[0]?.passage.forward({}, () => undefined);
      routed.fromClient(cancelOf(1));
      routed.calls[0]?.passage.reply({ result: {} });
      const before = routed.upstream.length;
      routed.fromClient(pingUnder(1));
      expect(routed.answers()).toMatchObject([{ id: null, error: { code: -32_600 } }]);
      expect(routed.upstream).toHaveLength(before);
      routed.fromUpstream(answerUnder(1, "late"));
      routed.fromClient(pingUnder(1));
      routed.fromUpstream(answerUnder(1, "its own"));
      expect(routed.client.slice(1)).toEqual([lineOf(answerUnder(1, "its own"))]);
    },
  );

  it("is free at once where the call was never sent", () => {
    const routed = routing();
    routed.fromClient(callUnder(1));
    routed.fromClient(cancelOf(1));
    routed.calls[0]?.passage.reply({ result: {} });
    routed.fromClient(callUnder(1));
    expect([routed.calls.length, routed.refused]).toEqual([2, []]);
  });

  it("is free again where ten thousand were cancelled after it, and the others are not", () => {
    const routed = routing();
    for (let id = 0; id <= 10_000; id += 1) {
      routed.fromClient(pingUnder(id));
      routed.fromClient(cancelOf(id));
    }
    const before = routed.upstream.length;
    routed.fromClient(pingUnder(1));
    expect(routed.answers()).toMatchObject([{ id: null, error: { code: -32_600 } }]);
    routed.fromClient(pingUnder(0));
    expect(routed.upstream.slice(before)).toEqual([lineOf(pingUnder(0))]);
  });
});
