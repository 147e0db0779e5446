import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { hearListens } from "../../../src/server/mcp/listens.js";

const uri = "wisp://facts";

/** A wire whose far end is the SDK, which a test plays. */
function wire() {
  const heard: boolean[] = [];
  const [client, inner] = InMemoryTransport.createLinkedPair();
  const outer = hearListens(inner, uri, (isListened) => void heard.push(isListened));
  const arrived: JSONRPCMessage[] = [];
  const sent: JSONRPCMessage[] = [];
  outer.onmessage = (message) => void arrived.push(message);
  client.onmessage = (message) => void sent.push(message);
  const says = (message: object) => client.send({ jsonrpc: "2.0", ...message } as JSONRPCMessage);
  const tells = (message: object) => outer.send({ jsonrpc: "2.0", ...message } as JSONRPCMessage);
  return {
    heard,
    arrived,
    sent,
    outer,
    client,
    open: () => outer.start(),
    start: () => client.start(),
    asks: (id: string | number) => says({ id, method: "subscriptions/listen", params: {} }),
    cancels: (id: unknown) => says({ method: "notifications/cancelled", params: { requestId: id } }),
    acknowledges: (id: string | number, uris: readonly string[] = [uri]) =>
      tells({
        method: "notifications/subscriptions/acknowledged",
        params: {
          notifications: uris.length === 0 ? {} : { resourceSubscriptions: uris },
          _meta: { "io.modelcontextprotocol/subscriptionId": id },
        },
      }),
    refuses: (id: string | number) =>
      tells({ id, error: { code: -32603, message: "Subscription limit reached" } }),
    ends: (id: string | number) => tells({ id, result: { resultType: "complete" } }),
  };
}

async function opened() {
  const one = wire();
  await one.start();
  await one.open();
  return one;
}

describe("a resource is listened to", () => {
  test("from the acknowledgement of the first stream until the last is cancelled", async () => {
    const { heard, asks, acknowledges, cancels } = await opened();
    await asks(1);
    expect(heard).toEqual([]);
    await acknowledges(1);
    await asks("1");
    await acknowledges("1", ["wisp://other", uri]);
    await cancels(1);
    expect(heard).toEqual([true]);
    await cancels("1");
    expect(heard).toEqual([true, false]);
    await asks(2);
    await acknowledges(2);
    expect(heard).toEqual([true, false, true]);
  });

  test("until the server ends the stream", async () => {
    const { heard, asks, acknowledges, ends } = await opened();
    await asks(1);
    await acknowledges(1);
    await ends(1);
    expect(heard).toEqual([true, false]);
  });
});

describe("a resource is not listened to", () => {
  test("by a stream that is cancelled before it is acknowledged", async () => {
    const { heard, asks, acknowledges, cancels } = await opened();
    await asks(1);
    await cancels(1);
    await acknowledges(1);
    expect(heard).toEqual([]);
    await asks(1);
    await acknowledges(1);
    expect(heard).toEqual([true]);
  });

  test("by one that is refused, that is for others, or that nobody asked for", async () => {
    const { heard, asks, acknowledges, refuses } = await opened();
    await asks(1);
    await refuses(1);
    await acknowledges(1);
    await asks(2);
    await acknowledges(2, ["wisp://facts/"]);
    await asks(3);
    await acknowledges(3, []);
    await acknowledges(4);
    expect(heard).toEqual([]);
    await asks(5);
    await acknowledges(5);
    expect(heard).toEqual([true]);
  });

  test.each([[null], [undefined], [{}], [2]])("no more by another because %j is cancelled", async (id) => {
    const { heard, asks, acknowledges, cancels } = await opened();
    await asks(1);
    await acknowledges(1);
    await cancels(id);
    expect(heard).toEqual([true]);
    await cancels(1);
    expect(heard).toEqual([true, false]);
  });
});

test("every message goes through as it is, also those that came before the start", async () => {
  const { arrived, sent, outer, client, asks, acknowledges, start, open, heard } = wire();
  let isClosed = false;
  outer.onclose = () => {
    isClosed = true;
  };
  await asks(1);
  await start();
  await open();
  await acknowledges(1);
  expect(arrived).toEqual([{ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params: {} }]);
  expect(sent).toHaveLength(1);
  expect(heard).toEqual([true]);
  await client.close();
  expect(isClosed).toBe(true);
});
