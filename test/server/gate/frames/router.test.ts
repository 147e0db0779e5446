import { describe, expect, it, test } from "vitest";
import { createRouter } from "../../../../src/server/gate/frames/router.js";
import {
  answerUnder,
  callUnder,
  cancelOf,
  lineOf,
  pingUnder,
  type Routed,
  routing,
} from "../../../support/routing.js";

/** A question of the gate to the client, and its id. */
function asking(routed: Routed, signal = new AbortController().signal) {
  const answer = routed.router.ask("elicitation/create", { message: "?" }, signal);
  return { answer, id: routed.answers().at(-1)?.id };
}

it("the last line of an upstream has its end at the client, so that nothing is glued to it", () => {
  const routed = routing();
  routed.fromUpstream('{"jsonrpc":"2.0","method":"notifications/message","params":{}}');
  routed.fromUpstream("a last word");
  expect(routed.client).toEqual(['{"jsonrpc":"2.0","method":"notifications/message","params":{}}\n']);
  expect(routed.strays).toEqual(["a last word\n"]);
});

describe("what is no call", () => {
  test.each([
    ["a request", '{"jsonrpc": "2.0" ,"id":1,"method":"tools/list","params":{"é":1e400,"later":{}}}'],
    ["a notification", '{"method":"notifications/initialized","jsonrpc":"2.0"}'],
    ["an answer to the upstream", '{"jsonrpc":"2.0","id":5,"result":{"action":"accept","x":1.0}}'],
    ["a line that ends as on Windows", '{"jsonrpc":"2.0","id":1,"method":"ping"}\r'],
  ])("%s goes on as it was received", (_what, text) => {
    const routed = routing();
    routed.fromClient(`${text}\n`);
    expect(routed.upstream).toEqual([`${text}\n`]);
    expect(routed.client).toEqual([]);
  });

  test.each([
    ["a request", '{"jsonrpc":"2.0", "id":"s1","method":"sampling/createMessage","params":{"new":1}}'],
    ["a notification", '{"jsonrpc":"2.0","method":"notifications/message","x":1}'],
    ["an answer under no id", '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}'],
  ])("%s of the upstream reaches the client as it was received", (_what, text) => {
    const routed = routing();
    routed.fromUpstream(`${text}\n`);
    expect(routed.client).toEqual([`${text}\n`]);
  });

  test.each(["0", "-1", '"1"', '""', "1.5", "9007199254740993", "null", "true", "[1]", '{"id":1}'])(
    "goes on under the id %s as it was received, and so does its answer",
    (id) => {
      const routed = routing();
      const asked = `{"jsonrpc":"2.0","method":"ping","id":${id}}\n`;
      const answer = `{"id":${id},"jsonrpc":"2.0","result":{ }}\n`;
      routed.fromClient(asked);
      routed.fromUpstream(answer);
      expect([routed.upstream, routed.client]).toEqual([[asked], [answer]]);
      // Whatever waits under an id of ours has not been answered by it.
      routed.fromClient(pingUnder(1));
      routed.fromUpstream(answerUnder(1));
      expect(routed.client.at(-1)).toBe(lineOf(answerUnder(1)));
    },
  );

  test.each(["9007199254740993", "1.5", "true", "[1]", '{"id":1}'])(
    "an answer under the id %s reaches the client as often as it asked so",
    (id) => {
      const routed = routing();
      const answer = `{"id":${id},"jsonrpc":"2.0","result":{}}\n`;
      const asked = `{"jsonrpc":"2.0","method":"ping","id":${id}}\n`;
      routed.fromUpstream(answer);
      expect(routed.client).toEqual([]);
      routed.fromClient(asked);
      routed.fromClient(asked);
      for (let times = 0; times < 3; times += 1) routed.fromUpstream(answer);
      expect(routed.client).toEqual([answer, answer]);
    },
  );

  test.each([
    ["a key that readers take for the prototype", '{"x":{"constructor":1}}', "forbidden key"],
    ["more levels than are read", `{"x":${"[".repeat(200)}${"]".repeat(200)}}`, "nested too deep"],
  ])("an answer with %s is refused, and whoever waits for it hears so", async (_what, content, why) => {
    const routed = routing();
    const answer = (id: unknown, text: string) =>
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"action":"accept","content":${text}}}\n`;
    const error = { code: -32_600, message: `The answer of the client was refused: ${why}.` };
    routed.fromClient(answer(5, content));
    expect(routed.upstream.map((line) => JSON.parse(line))).toEqual([{ jsonrpc: "2.0", id: 5, error }]);
    expect(routed.answers()).toMatchObject([{ id: null, error: { message: `Refused: ${why}.` } }]);
    const own = asking(routed);
    routed.fromClient(answer(own.id, content));
    expect(await own.answer).toMatchObject({ error });
    expect(routed.upstream).toHaveLength(1);
    routed.fromClient(answer(6, "{}"));
    expect(routed.upstream.at(-1)).toBe(answer(6, "{}"));
  });

  it("is heard of before it goes on, and its answer before the client has it", () => {
    const seen: string[] = [];
    const routed = routing({
      onRequest(method) {
        seen.push(`${method} after ${routed.upstream.length} lines`);
        return (line) => void seen.push(`${line.toString()} after ${routed.client.length} lines`);
      },
    });
    routed.fromClient({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    routed.fromUpstream(answerUnder(1));
    expect(seen).toEqual(["tools/list after 0 lines", `${lineOf(answerUnder(1))} after 0 lines`]);
    expect(routed.client).toEqual([lineOf(answerUnder(1))]);
  });

  it("of the upstream that is no message stays from the client", () => {
    const routed = routing();
    routed.fromUpstream("listening on port 3000");
    routed.fromUpstream({ jsonrpc: "2.0", method: "notifications/message" });
    expect(routed.strays).toEqual(["listening on port 3000\n"]);
    expect(routed.client).toHaveLength(1);
    expect(routed.heard).toEqual(["notifications/message"]);
  });
});

describe("an id that is under way", () => {
  test.each([
    ["a call under that of a call", callUnder(1), callUnder(1)],
    ["a call under that of a request", pingUnder(1), callUnder(1)],
    ["a request under that of a call", callUnder(1), pingUnder(1)],
    ["a request under that of a request", pingUnder(1), pingUnder(1)],
  ])("refuses %s, under no id, and the first is still answered", (_what, first, second) => {
    const routed = routing();
    routed.fromClient(first);
    const before = routed.upstream.length;
    routed.fromClient(second);
    expect(routed.upstream).toHaveLength(before);
    expect(routed.answers()).toEqual([
      { jsonrpc: "2.0", id: null, error: { code: -32_600, message: expect.any(String) } },
    ]);
    expect(routed.refused).toHaveLength(1);
    const [call] = routed.calls;
    if (call !== undefined) void call.passage.forward(call.frame.params, () => undefined);
    routed.fromUpstream(answerUnder(1));
    call?.passage.reply(Buffer.from(lineOf(answerUnder(1))));
    expect(routed.client.at(-1)).toBe(lineOf(answerUnder(1)));
  });

  it("stays so until the client has the answer of a call, so that no other is taken for it", () => {
    const routed = routing();
    routed.fromClient(callUnder(1));
    const [call] = routed.calls;
    void call?.passage.forward({}, () => undefined);
    routed.fromUpstream(answerUnder(1));
    routed.fromClient(callUnder(1));
    expect(routed.calls).toHaveLength(1);
    call?.passage.reply({ result: {} });
    routed.fromClient(callUnder(1));
    expect(routed.calls).toHaveLength(2);
  });

  it("gives no id to the refusal of a bad line", () => {
    const routed = routing();
    routed.fromClient(pingUnder(1));
    routed.fromClient('{"jsonrpc":"2.0","id":1,"method":"x","Method":"tools/call"}');
    expect(routed.answers()).toMatchObject([{ id: null, error: { code: -32_600 } }]);
    routed.fromUpstream(answerUnder(1));
    expect(routed.client.at(-1)).toBe(lineOf(answerUnder(1)));
  });

  it("is free again once it was answered", () => {
    const routed = routing();
    routed.fromClient(pingUnder(1));
    routed.fromUpstream(answerUnder(1));
    routed.fromClient(pingUnder(1));
    expect(routed.refused).toEqual([]);
    expect(routed.upstream).toEqual([lineOf(pingUnder(1)), lineOf(pingUnder(1))]);
  });
});

describe("an answer of the upstream", () => {
  it("to what was cancelled is not that of a call: none is taken under its id before that came", () => {
    const routed = routing();
    routed.fromClient(pingUnder(1));
    routed.fromClient(cancelOf(1));
    routed.fromClient(callUnder(1));
    expect([routed.calls, routed.answers()]).toMatchObject([[], [{ id: null, error: { code: -32_600 } }]]);
    routed.fromUpstream(answerUnder(1));
    routed.fromClient(callUnder(1));
    expect(routed.calls).toHaveLength(1);
  });

  it("that comes twice reaches the client once", () => {
    const routed = routing();
    routed.fromClient(pingUnder(1));
    routed.fromUpstream(answerUnder(1, "first"));
    routed.fromUpstream(answerUnder(1, "second"));
    expect(routed.client).toEqual([lineOf(answerUnder(1, "first"))]);
  });

  it("under an id that nothing was sent under reaches nobody", () => {
    const routed = routing();
    routed.fromClient(pingUnder(1));
    routed.fromUpstream(answerUnder("1"));
    routed.fromUpstream(answerUnder(2));
    expect(routed.client).toEqual([]);
    routed.fromUpstream(answerUnder(1));
    expect(routed.client).toEqual([lineOf(answerUnder(1))]);
  });
});

describe("a request of the gate's own to the upstream", () => {
  it("is answered to the gate, and not to the client", async () => {
    const routed = routing();
    const answered = routed.router.request("tools/list", { cursor: "a" });
    const [sent] = routed.upstream;
    const { id, ...rest } = JSON.parse(sent ?? "null");
    expect(rest).toEqual({ jsonrpc: "2.0", method: "tools/list", params: { cursor: "a" } });
    routed.fromUpstream(answerUnder(id));
    expect(await answered).toEqual({ kind: "answer", line: Buffer.from(lineOf(answerUnder(id))) });
    expect(routed.client).toEqual([]);
  });

  it("is lost where the upstream cannot be reached, and when it ends", async () => {
    const routed = routing();
    const first = routed.router.request("tools/list", {});
    routed.router.lost("it ended");
    routed.isReachable = false;
    expect([await first, await routed.router.request("tools/list", {})]).toEqual([
      { kind: "lost", isUnsent: false },
      { kind: "lost", isUnsent: true },
    ]);
    expect(routed.client).toEqual([]);
  });
});

describe("a question of the gate's own to the client", () => {
  it("is answered to the gate, and not to the upstream", async () => {
    const routed = routing();
    const { answer, id } = asking(routed);
    routed.fromClient({ jsonrpc: "2.0", id, result: { action: "accept" } });
    expect(await answer).toMatchObject({ result: { action: "accept" } });
    expect(routed.upstream).toEqual([]);
  });

  it("is withdrawn at the client, and an answer that comes late reaches nobody", async () => {
    const routed = routing();
    const abort = new AbortController();
    const { answer, id } = asking(routed, abort.signal);
    abort.abort("settled");
    await expect(answer).rejects.toBe("settled");
    expect(routed.answers().at(-1)).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: id },
    });
    routed.fromClient({ jsonrpc: "2.0", id, result: { action: "accept" } });
    expect(routed.upstream).toEqual([]);
    const next = asking(routed);
    routed.fromClient({ jsonrpc: "2.0", id: next.id, result: { action: "decline" } });
    expect(await next.answer).toMatchObject({ result: { action: "decline" } });
  });

  it("is not put where it is not wanted any more", async () => {
    const routed = routing();
    await expect(routed.router.ask("x", {}, AbortSignal.abort("late"))).rejects.toBe("late");
    expect(routed.client).toEqual([]);
  });

  it("is told from one of an upstream that is a gate, too", () => {
    const routed = routing();
    const inner = createRouter(
      {
        ...{ toUpstream: () => true, onStray: () => {}, onCall: () => {}, onRefused: () => {} },
        ...{ onRequest: () => null, onMessage: () => {}, onWaiting: () => {} },
        toClient: (line) => routed.fromUpstream(line.toString()),
      },
      () => "other",
    );
    void inner.ask("elicitation/create", {}, new AbortController().signal);
    const id = routed.answers().at(-1)?.id;
    routed.fromClient({ jsonrpc: "2.0", id, result: {} });
    expect(routed.upstream).toEqual([lineOf({ jsonrpc: "2.0", id, result: {} })]);
  });
});

describe("an upstream that is gone", () => {
  const gone = (id: number) => ({ jsonrpc: "2.0", id, error: { code: -32_000, message: "it ended" } });

  it("answers every request that waits for it, and nothing twice", () => {
    const routed = routing();
    routed.fromClient(pingUnder(1));
    routed.fromClient(pingUnder(2));
    routed.fromUpstream(answerUnder(1));
    routed.router.lost("it ended");
    routed.router.lost("it ended");
    expect(routed.answers(1)).toEqual([gone(2)]);
  });

  it("answers what comes later, calls before anybody is asked", () => {
    const routed = routing();
    routed.isReachable = false;
    routed.router.lost("it ended");
    routed.fromClient(pingUnder(1));
    routed.fromClient(callUnder(2));
    expect(routed.answers()).toEqual([gone(1), gone(2)]);
    expect(routed.calls).toEqual([]);
  });

  it("answers before it is known why", () => {
    const routed = routing();
    routed.isReachable = false;
    routed.fromClient(pingUnder(1));
    expect(routed.answers()).toMatchObject([{ id: 1, error: { code: -32_000 } }]);
    routed.isReachable = true;
    routed.fromClient(pingUnder(1));
    expect(routed.upstream).toHaveLength(1);
  });

  it("for one request alone leaves the others, and a call that is held", async () => {
    const routed = routing();
    routed.fromClient(pingUnder(1));
    routed.fromClient(pingUnder(2));
    routed.fromClient(callUnder(3));
    for (const id of [1, 3, 4]) routed.router.lostOne(id, "it ended", false);
    expect(routed.answers()).toEqual([gone(1)]);
    routed.fromUpstream(answerUnder(2));
    const [call] = routed.calls;
    const answered = call?.passage.forward({}, () => undefined);
    routed.fromUpstream(answerUnder(3));
    expect(routed.client.at(-1)).toBe(lineOf(answerUnder(2)));
    expect(await answered).toMatchObject({ kind: "answer" });
  });
});

describe("a client that leaves", () => {
  it("aborts its calls, and hears nothing more of them", () => {
    const routed = routing();
    routed.fromClient(callUnder(1));
    routed.fromClient(callUnder(2));
    routed.router.left();
    for (const { passage } of routed.calls) {
      expect(passage.signal.aborted).toBe(true);
      passage.reply({ result: {} });
    }
    expect([routed.client, routed.upstream]).toEqual([[], []]);
  });

  it("leaves behind what waits, of which nobody is told when the upstream ends", () => {
    const routed = routing();
    routed.fromClient(pingUnder(1));
    routed.fromClient(pingUnder(2));
    routed.router.left();
    routed.fromUpstream(answerUnder(1));
    routed.router.lost("it ended");
    expect(routed.answers()).toEqual([answerUnder(1)]);
  });

  it("and a line that is too long, are told apart: that one is refused, and the next is taken", () => {
    const routed = routing();
    routed.router.refuseLine("a message of more than 10 bytes");
    expect(routed.answers()).toMatchObject([{ id: null, error: { code: -32_600 } }]);
    routed.fromClient(pingUnder(1));
    expect(routed.upstream).toHaveLength(1);
  });
});
