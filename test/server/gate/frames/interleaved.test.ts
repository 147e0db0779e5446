/** Whatever order client, judge and upstream act in, each answer has one owner and nothing unjudged goes on. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Passage } from "../../../../src/server/gate/frames/passage.js";
import { answerUnder, callUnder, cancelOf, lineOf, pingUnder, routing } from "../../../support/routing.js";

type Step =
  | {
      readonly kind: "ping" | "call" | "cancel" | "answer" | "reply" | "forward";
      readonly id: string | number;
    }
  | { readonly kind: "lostOne"; readonly id: number };

/** Few, so that they meet. */
const id = fc.constantFrom<string | number>(1, 2, 3, "1", "2");

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constantFrom("ping", "call", "cancel", "answer", "reply", "forward"),
      id,
    }),
    fc.record({ kind: fc.constant("lostOne"), id: fc.constantFrom(1, 2) }),
  ) as fc.Arbitrary<Step>,
  // As long as that mostly, so that what takes several steps is met each time.
  { maxLength: 40, size: "max" },
);

/** What should be under way under an id, by a model of a few lines. */
interface Way {
  readonly kind: "ping" | "call";
  state: "held" | "sent" | "answered";
  isCancelled: boolean;
  passage: Passage | null;
}

it("an answer reaches who waits under its id, once, and nothing that is held reaches the upstream", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const routed = routing();
      const ways = new Map<string | number, Way>();
      const expectedUp: unknown[] = [];
      const expectedDown: unknown[] = [];
      const owed = new Set<string | number>();
      let answers = 0;

      function begin(kind: "ping" | "call", under: string | number): void {
        const message = kind === "ping" ? pingUnder(under) : callUnder(under);
        routed.fromClient(message);
        if (ways.has(under) || owed.has(under)) return void expectedDown.push(null);
        const isPing = kind === "ping";
        if (isPing) expectedUp.push(message);
        const passage = isPing ? null : (routed.calls.at(-1)?.passage ?? null);
        ways.set(under, { kind, state: isPing ? "sent" : "held", isCancelled: false, passage });
      }

      for (const { kind, id: under } of all) {
        const way = ways.get(under);
        switch (kind) {
          case "ping":
          case "call":
            begin(kind, under);
            break;
          case "cancel":
            routed.fromClient(cancelOf(under));
            if (way === undefined || way.state === "sent") expectedUp.push(cancelOf(under));
            if (way?.state === "sent") owed.add(under);
            if (way?.kind === "ping") ways.delete(under);
            else if (way !== undefined) way.isCancelled = true;
            break;
          case "answer":
            answers += 1;
            routed.fromUpstream(answerUnder(under, `${answers}`));
            owed.delete(under);
            if (way?.state !== "sent") break;
            if (way.kind === "call") way.state = "answered";
            else {
              ways.delete(under);
              expectedDown.push(answerUnder(under, `${answers}`));
            }
            break;
          case "forward":
            if (way?.passage === null || way?.state !== "held") break;
            void way?.passage.forward({ name: `judged ${under}` }, () => undefined);
            if (way.isCancelled) break;
            way.state = "sent";
            expectedUp.push({ ...callUnder(under), params: { name: `judged ${under}` } });
            break;
          case "reply":
            if (way?.passage == null) break;
            way.passage.reply({ result: { text: "ours" } });
            ways.delete(under);
            if (!way.isCancelled) expectedDown.push(answerUnder(under, "ours"));
            break;
          case "lostOne":
            routed.router.lostOne(under, "gone", false);
            if (way?.kind !== "ping") break;
            ways.delete(under);
            expectedDown.push({ jsonrpc: "2.0", id: under, error: { code: -32_000, message: "gone" } });
            break;
          default:
            kind satisfies never;
        }
      }
      expect(routed.upstream.map((line) => JSON.parse(line))).toEqual(expectedUp);
      expect(routed.answers().map((one) => (one.id === null ? null : one))).toEqual(expectedDown);
    }),
    { numRuns: 300 },
  );
});

it("what is no call goes through byte for byte and in order, in both directions", () => {
  // Keys that readers disagree about are refused.
  const value = fc
    .jsonValue({ maxDepth: 2 })
    .filter((one) => !/"(?:__proto__|constructor|prototype)":/.test(JSON.stringify(one)));
  const message = fc.record({
    jsonrpc: fc.constant("2.0"),
    method: fc.string().filter((method) => method.trim().toLowerCase() !== "tools/call"),
    params: fc.dictionary(fc.constantFrom("a", "Name", "é", "x y"), value),
  });
  const line = fc.tuple(message, fc.nat({ max: 2 })).map(([one, blanks]) => {
    const text = JSON.stringify(one, null, blanks).replaceAll("\n", " ");
    return lineOf(text);
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(line, fc.boolean())), (lines) => {
      const routed = routing();
      for (const [text, isUp] of lines) {
        if (isUp) routed.fromClient(text);
        else routed.fromUpstream(text);
      }
      expect(routed.upstream).toEqual(lines.filter(([, isUp]) => isUp).map(([text]) => text));
      expect(routed.client).toEqual(lines.filter(([, isUp]) => !isUp).map(([text]) => text));
    }),
  );
});

it("what is forwarded is what was judged, whatever its arguments are", () => {
  const safe = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.double({ noInteger: true, noNaN: true, noDefaultInfinity: true }),
  );
  const key = fc.string().filter((one) => !["__proto__", "constructor", "prototype"].includes(one));
  fc.assert(
    fc.property(fc.dictionary(key, fc.oneof(safe, fc.array(safe), fc.dictionary(key, safe))), (given) => {
      const routed = routing();
      routed.fromClient({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "x", arguments: given },
      });
      const [call] = routed.calls;
      // Half characters and NUL are refused.
      if (call === undefined) return expect(routed.refused).toHaveLength(1);
      void call.passage.forward(call.frame.params, () => undefined);
      expect(JSON.parse(routed.upstream[0] ?? "")).toEqual(call.frame.message);
      expect(JSON.parse(routed.upstream[0] ?? "").params.arguments).toEqual(call.frame.arguments);
    }),
  );
});
