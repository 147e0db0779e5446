import type { ServerResponse } from "node:http";
import { describe, expect, it, test } from "vitest";
import {
  bothEras,
  deserted,
  listening,
  type OpenedUpstream,
  openedUpstream,
} from "../../../support/http-upstreams.js";
import { envelope } from "../../../support/modern-client.js";
import { showsForms } from "../../../support/raw-client.js";
import { cancelOf, pingUnder } from "../../../support/routing.js";

const clientInfo = { name: "raw", version: "1" };
const revision = "2025-11-25";

function toolCall(id: number, name: string, args: object, more: object = {}): object {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args, ...more } };
}

/** The message that answers `id`, as soon as it is there. */
async function answerTo(opened: OpenedUpstream, id: unknown) {
  const find = () => opened.lines.find((line) => line.id === id && !("method" in line));
  await expect.poll(find, { timeout: 10_000 }).toBeDefined();
  return find();
}

async function messageOf(opened: OpenedUpstream, method: string) {
  const find = () => opened.lines.find((line) => line.method === method);
  await expect.poll(find, { timeout: 10_000 }).toBeDefined();
  return find();
}

/** A session of the 2025 era. */
async function initialized(url: URL): Promise<OpenedUpstream> {
  const opened = openedUpstream(url);
  const params = { protocolVersion: revision, capabilities: showsForms, clientInfo };
  opened.sends({ jsonrpc: "2.0", id: 0, method: "initialize", params });
  expect(await answerTo(opened, 0)).toMatchObject({ result: { protocolVersion: revision } });
  opened.sends({ jsonrpc: "2.0", method: "notifications/initialized" });
  return opened;
}

async function echoes(opened: OpenedUpstream, id: number, more: object = {}): Promise<void> {
  opened.sends(toolCall(id, "echo", { text: "here" }, more));
  expect(await answerTo(opened, id)).toMatchObject({ result: { content: [{ type: "text", text: "here" }] } });
}

describe("a server of the 2025 era", () => {
  it("answers within its session, in the revision that was agreed on, until it is left", async () => {
    const server = await bothEras();
    const opened = await initialized(server.url);
    await echoes(opened, 1);
    expect(server.seen.filter((one) => one.startsWith("POST"))).toEqual([
      "POST none",
      `POST ${revision}`,
      `POST ${revision}`,
    ]);
    opened.upstream.stop();
    expect(opened.sends(pingUnder(2))).toBe(false);
    await expect.poll(() => opened.ends).toEqual([{ status: 0, why: "the gate left the server" }]);
    expect(server.seen.at(-1)).toBe(`DELETE ${revision}`);
    expect(opened.clock.timers).toBe(0);
  });

  it("tells of progress, and hears that a call is cancelled", async () => {
    const server = await bothEras();
    const opened = await initialized(server.url);
    opened.sends(toolCall(1, "slow", {}, { _meta: { progressToken: "t" } }));
    expect(await messageOf(opened, "notifications/progress")).toMatchObject({
      params: { progressToken: "t", progress: 1 },
    });
    opened.sends(cancelOf(1));
    await expect.poll(() => server.cancelled, { timeout: 10_000 }).toEqual(["slow"]);
    expect(opened.lost).toEqual([]);
    await echoes(opened, 2);
  });

  it("asks the client in the middle of a call, and hears the answer", async () => {
    const server = await bothEras();
    const opened = await initialized(server.url);
    opened.sends(toolCall(1, "ask", {}));
    const { id } = (await messageOf(opened, "elicitation/create")) ?? {};
    opened.sends({ jsonrpc: "2.0", id, result: { action: "accept", content: { name: "Ada" } } });
    expect(JSON.stringify(await answerTo(opened, 1))).toContain("Ada");
  });

  it("that ends the session loses what is sent in it, and serves the next one", async () => {
    const server = await bothEras();
    const opened = await initialized(server.url);
    server.forget();
    opened.sends(pingUnder(5));
    await expect
      .poll(() => opened.lost, { timeout: 10_000 })
      .toEqual([[5, "The server refused it with HTTP status 404."]]);
    const params = { protocolVersion: revision, capabilities: {}, clientInfo };
    opened.sends({ jsonrpc: "2.0", id: 6, method: "initialize", params });
    expect(await answerTo(opened, 6)).toMatchObject({ result: { protocolVersion: revision } });
    await echoes(opened, 7);
  });
});

describe("a server of the 2026 era", () => {
  const _meta = envelope();

  it("answers without a session, in the revision that each request names", async () => {
    const server = await bothEras();
    const opened = openedUpstream(server.url);
    await echoes(opened, 1, { _meta });
    expect(server.seen).toEqual(["POST 2026-07-28"]);
    opened.upstream.stop();
    await expect.poll(() => opened.ends).toHaveLength(1);
    expect(server.seen).toHaveLength(1);
  });

  it("tells of progress, and hears that a call is cancelled by the end of the exchange", async () => {
    const server = await bothEras();
    const opened = openedUpstream(server.url);
    opened.sends(toolCall(1, "slow", {}, { _meta: { ..._meta, progressToken: "t" } }));
    await messageOf(opened, "notifications/progress");
    opened.sends(cancelOf(1));
    await expect.poll(() => server.cancelled, { timeout: 10_000 }).toEqual(["slow"]);
    expect([opened.lost, server.seen.length]).toEqual([[], 1]);
    await echoes(opened, 2, { _meta });
  });

  it("asks the client by an answer, and hears what came back", async () => {
    const server = await bothEras();
    const opened = openedUpstream(server.url);
    opened.sends(toolCall(1, "ask", {}, { _meta }));
    expect(await answerTo(opened, 1)).toMatchObject({ result: { resultType: "input_required" } });
    const inputResponses = { who: { action: "accept", content: { name: "Ada" } } };
    opened.sends(toolCall(2, "ask", {}, { _meta, inputResponses }));
    expect(JSON.stringify(await answerTo(opened, 2))).toContain("Ada");
  });
});

describe("a request that is not answered", () => {
  const json = { "content-type": "application/json" };
  const long = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { text: "x".repeat(2_000) } });
  const good = (response: ServerResponse, body: string): void => {
    const { id } = JSON.parse(body);
    response.writeHead(200, json).end(JSON.stringify({ jsonrpc: "2.0", id, result: {} }));
  };

  test.each<readonly [string, (response: ServerResponse) => void, string]>([
    ["a page", (to) => to.writeHead(200, { "content-type": "text/html" }).end("<p>"), "is no message"],
    ["half a message", (to) => to.writeHead(200, json).end('{"jsonrpc":'), "is no message"],
    ["something that is no message", (to) => to.writeHead(200, json).end('{"a":1}'), "is no message"],
    ["a message that is too long", (to) => to.writeHead(200, json).end(long), "no message"],
    [
      "a stream that ends before the answer",
      (to) => to.writeHead(200, { "content-type": "text/event-stream" }).end(": nothing\n\n"),
      "ended its answer",
    ],
    [
      "an event that is too long",
      (to) => to.writeHead(200, { "content-type": "text/event-stream" }).write(`data: ${long}\n`),
      "ended its answer",
    ],
    ["an answer that never comes", (to) => to.writeHead(202).end(), "is no message"],
    ["a fault", (to) => to.writeHead(500).end("secret words"), "HTTP status 500"],
    ["a closed door", (to) => to.writeHead(401).end(), "HTTP status 401"],
    ["a connection that breaks", (to) => to.destroy(), "the connection broke"],
  ])("because of %s is told by its id, and the next one works", async (_what, answer, why) => {
    let count = 0;
    const url = await listening((incoming, response) => {
      let body = "";
      incoming.on("data", (chunk) => {
        body += chunk;
      });
      incoming.on("end", () => {
        count += 1;
        if (count === 1) answer(response);
        else good(response, body);
      });
    });
    const opened = openedUpstream(url, 1_000);
    opened.sends(pingUnder(1));
    await expect.poll(() => opened.lost, { timeout: 10_000 }).toEqual([[1, expect.stringContaining(why)]]);
    expect(opened.unsent).toEqual([]);
    expect(opened.lost.flat().join("")).not.toContain("secret");
    opened.sends(pingUnder(2));
    expect(await answerTo(opened, 2)).toMatchObject({ result: {} });
    expect(opened.lost).toHaveLength(1);
  });

  it("because it would have to go to another origin never gets there", async () => {
    let reached = 0;
    const other = await listening((_incoming, response) => {
      reached += 1;
      response.writeHead(200, json).end("{}");
    });
    const url = await listening((_incoming, response) =>
      response.writeHead(307, { location: other.href }).end(),
    );
    const opened = openedUpstream(url);
    opened.sends(pingUnder(1));
    await expect.poll(() => opened.lost, { timeout: 10_000 }).toHaveLength(1);
    expect(reached).toBe(0);
    expect(opened.unsent).toEqual([]);
  });

  it("because nobody listens is told", async () => {
    const opened = openedUpstream(await deserted());
    opened.sends(pingUnder(1));
    await expect
      .poll(() => opened.lost, { timeout: 10_000 })
      .toEqual([[1, "The server could not be reached (ECONNREFUSED); nothing was sent."]]);
    expect(opened.unsent).toEqual([1]);
  });
});

describe("a notification that does not get there", () => {
  it("is said by its method, and what is sent after it gets there", async () => {
    let count = 0;
    const url = await listening((incoming, response) => {
      count += 1;
      incoming.resume().on("end", () => response.writeHead(count === 1 ? 500 : 202).end("secret words"));
    });
    const opened = openedUpstream(url);
    opened.sends({ jsonrpc: "2.0", method: "notifications/roots/list_changed\u001b[2J" });
    await expect
      .poll(() => opened.said, { timeout: 10_000 })
      .toEqual([
        "notifications/roots/list_changed\\u{1b}[2J did not get to the server. The server refused it with HTTP status 500.",
      ]);
    opened.sends({ jsonrpc: "2.0", method: "notifications/roots/list_changed" });
    await expect.poll(() => count, { timeout: 10_000 }).toBe(2);
    expect(opened.said).toHaveLength(1);
  });
});

describe("an argument that a tool of the 2026 era marks", () => {
  it("goes along as a header, in the encoding of the era, and others do not", async () => {
    const seen: (string | undefined)[][] = [];
    const inputSchema = {
      type: "object",
      properties: {
        region: { type: "string", "x-mcp-header": "Region" },
        deep: { type: "object", properties: { count: { type: "integer", "x-mcp-header": "Count" } } },
        other: { type: "string" },
      },
    };
    const url = await listening((incoming, response) => {
      let body = "";
      incoming.on("data", (chunk) => {
        body += chunk;
      });
      incoming.on("end", () => {
        const { id, method } = JSON.parse(body);
        const { headers } = incoming;
        if (method === "tools/call") {
          seen.push([`${headers["mcp-param-region"]}`, `${headers["mcp-param-count"]}`]);
          expect(Object.keys(headers).filter((name) => name.startsWith("mcp-param-other"))).toEqual([]);
        }
        const result = method === "tools/list" ? { tools: [{ name: "go", inputSchema }] } : {};
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ jsonrpc: "2.0", id, result }));
      });
    });
    const opened = openedUpstream(url);
    const _meta = envelope();
    opened.sends({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta } });
    await answerTo(opened, 1);
    const calls = [{ region: "eu", deep: { count: 3 }, other: "x" }, { region: "zürich " }, {}];
    for (const [at, args] of calls.entries()) {
      opened.sends(toolCall(at + 2, "go", args, { _meta }));
      await answerTo(opened, at + 2);
    }
    opened.sends(toolCall(9, "go", { region: "eu" }));
    await answerTo(opened, 9);
    expect(seen).toEqual([
      ["eu", "3"],
      [`=?base64?${Buffer.from("zürich ").toString("base64")}?=`, "undefined"],
      ["undefined", "undefined"],
      ["undefined", "undefined"],
    ]);
  });
});

describe("an address", () => {
  it("with a bearer token gets it with each message, and another origin never", async () => {
    const seen: (string | undefined)[] = [];
    const other = await listening((incoming, response) => {
      seen.push(`other ${incoming.headers.authorization}`);
      response.writeHead(500).end();
    });
    const url = await listening((incoming, response) => {
      seen.push(incoming.headers.authorization);
      response.writeHead(307, { location: other.href }).end();
    });
    const opened = openedUpstream(url, 1_000_000, "s3cret.token");
    opened.sends(pingUnder(1));
    await expect.poll(() => opened.lost, { timeout: 10_000 }).toHaveLength(1);
    opened.sends({ jsonrpc: "2.0", method: "notifications/x" });
    await expect.poll(() => opened.said, { timeout: 10_000 }).toHaveLength(1);
    expect(seen).toEqual(["Bearer s3cret.token", "Bearer s3cret.token"]);
    expect(JSON.stringify([opened.lost, opened.said])).not.toContain("s3cret");
  });

  it("with a name and a password sends them as such", async () => {
    const seen: (string | undefined)[] = [];
    const url = await listening((incoming, response) => {
      seen.push(incoming.headers.authorization);
      response.writeHead(500).end();
    });
    url.username = "ada";
    url.password = "a%20b";
    const opened = openedUpstream(url);
    opened.sends(pingUnder(1));
    await expect.poll(() => opened.lost, { timeout: 10_000 }).toHaveLength(1);
    expect(seen).toEqual([`Basic ${Buffer.from("ada:a b").toString("base64")}`]);
  });

  it("is left within 300 ms also where the server does not answer", async () => {
    const server = await bothEras();
    const opened = await initialized(server.url);
    opened.upstream.stop();
    opened.clock.advance(300);
    expect(opened.ends).toHaveLength(1);
    opened.upstream.kill();
    expect(opened.ends).toHaveLength(1);
  });
});

describe("an error of the protocol that comes with a status of HTTP", () => {
  async function answered(status: number, id: unknown, type = "application/json"): Promise<OpenedUpstream> {
    const error = { code: -32_601, message: "Method not found" };
    const url = await listening((_request, response) => {
      response.writeHead(status, { "content-type": type });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, error }));
    });
    const opened = openedUpstream(url);
    opened.sends(pingUnder(1));
    return opened;
  }

  test.each([400, 401, 404, 500])("%i is the answer to the request that it names", async (status) => {
    const opened = await answered(status, 1);
    expect(await answerTo(opened, 1)).toMatchObject({
      error: { code: -32_601, message: "Method not found" },
    });
    expect(opened.lost).toEqual([]);
  });

  test.each([
    ["another request", 2, "application/json"],
    ["none", null, "application/json"],
    ["it as mere text", 1, "text/plain"],
  ])("is none where it names %s", async (_what, id, type) => {
    const opened = await answered(404, id, type);
    await expect.poll(() => opened.lost).toEqual([[1, "The server refused it with HTTP status 404."]]);
    expect(opened.lines).toEqual([]);
  });
});

test("a stream that floods waits at the server while its gate takes nothing", async () => {
  let sent = 0;
  const event = `data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/x", params: { text: "x".repeat(60_000) } })}\n\n`;
  const most = 600;
  const url = await listening((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const flood = (): void => {
      while (sent < most) {
        sent += 1;
        if (response.write(event)) continue;
        response.once("drain", flood);
        return;
      }
      response.end();
    };
    flood();
  });
  const opened = openedUpstream(url);
  opened.upstream.pause();
  opened.sends(pingUnder(1));
  let before = -1;
  // It stands still: the buffers of the connection are full.
  await expect
    .poll(
      () => {
        const isStill = sent > 0 && sent === before;
        before = sent;
        return isStill;
      },
      { interval: 200, timeout: 10_000 },
    )
    .toBe(true);
  expect(opened.lines).toEqual([]);
  expect(sent).toBeLessThan(most / 2);
  opened.upstream.resume();
  await expect.poll(() => opened.lines.length, { timeout: 10_000 }).toBeGreaterThan(0);
});
