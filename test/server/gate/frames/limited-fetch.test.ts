import { describe, expect, it, test } from "vitest";
import { createFlow, limitedFetch } from "../../../../src/server/gate/frames/limited-fetch.js";
import { listening } from "../../../support/http-upstreams.js";

/** Fetches an answer of these pieces, with a limit of 10 bytes. */
async function fetched(type: string, pieces: readonly string[], flow = createFlow()): Promise<Response> {
  const url = await listening((_incoming, response) => {
    response.writeHead(200, { "content-type": type, "x-kept": "yes" });
    for (const piece of pieces) response.write(piece);
    response.end();
  });
  return await limitedFetch(10, flow)(url);
}

const json = "application/json";
const events = "text/event-stream; charset=utf-8";

describe("an answer", () => {
  it("is what came, with its status and its headers", async () => {
    const response = await fetched(json, ["12345", "67890"]);
    expect([response.status, response.headers.get("x-kept")]).toEqual([200, "yes"]);
    expect(await response.text()).toBe("1234567890");
  });

  test.each([
    ["of more bytes than the limit", json, ["1234567890", "1"]],
    ["of more bytes than the limit on several lines", json, ["[\n\n1234,\n\n", "56]"]],
    ["with a longer event", events, ["data: 12345678901\n\n"]],
    ["with a longer event on several lines", events, ["data: 1\ndata: 2\n\n"]],
    ["with a longer event on several lines that end with CR and LF", events, ["data: 1\r\ndata: 2\r\n\r\n"]],
    ["with an event that does not end", events, ["data: 1\n\n", "data: 12345", "67890"]],
  ])("%s is broken off, and the next one is read", async (_what, type, pieces) => {
    const response = await fetched(type, pieces);
    await expect(response.text()).rejects.toThrow();
    expect(await (await fetched(json, ["{}"])).text()).toBe("{}");
  });

  test.each(["\n", "\r\n", "\r"])("of any number of short events is read, ended by %j", async (end) => {
    const pieces = Array.from({ length: 50 }, (_, count) => `: ${count % 10}${end}${end}`);
    expect(await (await fetched(events, pieces)).text()).toBe(pieces.join(""));
  });

  it("waits while nothing is taken", async () => {
    const flow = createFlow();
    flow.pause();
    const response = await fetched(json, ["{}"], flow);
    let read: string | null = null;
    const reading = response.text().then((text) => {
      read = text;
    });
    // Another answer comes all the way in the meantime.
    expect(await (await fetched(json, ["[]"])).text()).toBe("[]");
    expect(read).toBeNull();
    flow.resume();
    await reading;
    expect(read).toBe("{}");
  });

  it("without a body is one", async () => {
    const url = await listening((_incoming, response) => response.writeHead(204).end());
    expect((await limitedFetch(10, createFlow())(url)).status).toBe(204);
  });
});
