/** Facts under the clients of the official SDK, in each way they open a connection; the first checks every result. */
import { Client, type VersionNegotiationMode } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport as TransportV1 } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { type FactPerson, personAt, testCommand } from "../../support/fact-server.js";
import { type MemoryServerOptions, serveOn } from "../../support/mcp-server.js";
import type { ToolResult } from "../../support/raw-client.js";

const uri = "wisp://facts";

interface SdkClient {
  readonly person: FactPerson;
  readonly updates: readonly string[];
  call(name: string, args?: object): Promise<ToolResult>;
  read(): Promise<string>;
  /** Resolves, once subscribed, with what ends it. */
  subscribe(): Promise<() => Promise<void>>;
}

type Connect = (options?: MemoryServerOptions) => Promise<SdkClient>;

const clients: readonly (readonly [name: string, connect: Connect])[] = [
  ["v1", connectV1],
  ["v2, legacy", connectV2("legacy")],
  ["v2, auto", connectV2("auto")],
  ["v2, pinned", connectV2({ pin: "2026-07-28" })],
];

async function connectV1(options: MemoryServerOptions = {}): Promise<SdkClient> {
  const client = new ClientV1({ name: "v1", version: "1" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = serveOn(far, options);
  onTestFinished(() => client.close());
  const updates: string[] = [];
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void updates.push(params.uri),
  );
  // The same shape, declared twice.
  await client.connect(near as unknown as TransportV1);
  // From here on it validates every result against the published schema and throws where one does not fit.
  await client.listTools();
  return {
    person: personAt(server),
    updates,
    call: async (name, args = {}) => (await client.callTool({ name, arguments: { ...args } })) as ToolResult,
    read: async () => textIn(await client.readResource({ uri })),
    async subscribe() {
      await client.subscribeResource({ uri });
      return async () => void (await client.unsubscribeResource({ uri }));
    },
  };
}

function connectV2(mode: VersionNegotiationMode): Connect {
  return async (options) => {
    const client = new Client({ name: "v2", version: "2" }, { versionNegotiation: { mode } });
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = serveOn(far, options);
    onTestFinished(() => client.close());
    const updates: string[] = [];
    client.setNotificationHandler(
      "notifications/resources/updated",
      ({ params }) => void updates.push(params.uri),
    );
    await client.connect(near);
    await client.listTools();
    return {
      person: personAt(server),
      updates,
      call: async (name, args = {}) =>
        (await client.callTool({ name, arguments: { ...args } })) as ToolResult,
      read: async () => textIn(await client.readResource({ uri })),
      async subscribe() {
        if (mode === "legacy") {
          await client.subscribeResource({ uri });
          return async () => void (await client.unsubscribeResource({ uri }));
        }
        const stream = await client.listen({ resourceSubscriptions: [uri] });
        return () => stream.close();
      },
    };
  };
}

function textIn({ contents }: { readonly contents: readonly object[] }): string {
  return String((contents[0] as { readonly text?: unknown } | undefined)?.text);
}

describe.each(clients)("%s", (_name, connect) => {
  test("takes every result of both tools", async () => {
    const { call, person } = await connect();
    const outcomes: unknown[] = [];
    const note = ({ structuredContent = {} }: ToolResult): void => {
      outcomes.push(structuredContent.code ?? structuredContent.outcome);
    };
    note(await call("read_facts"));
    note(await call("keep_fact", testCommand));
    note(await call("keep_fact", testCommand));
    await person.decides(person.only(), { decision: "keep", scope: "project" });
    await expect
      .poll(async () => (await call("keep_fact", testCommand)).structuredContent?.outcome)
      .toBe("approved");
    const dropped = { ...testCommand, name: "dropped" };
    note(await call("keep_fact", dropped));
    await person.decides(person.only(), { decision: "drop" });
    await expect
      .poll(async () => (await call("keep_fact", dropped)).structuredContent?.code)
      .toBe("fact_dropped");
    const standings = (await call("read_facts")).structuredContent?.requests;
    expect(standings).toMatchObject([{ standing: "kept" }, { standing: "dropped" }]);
    for (let more = 0; more < 21; more += 1) {
      const result = await call("keep_fact", { ...testCommand, name: `${more}` });
      if (more === 20) note(result);
    }
    note(await call("keep_fact", { ...testCommand, value: "" }));
    note(await call("read_facts", { id: "x" }));
    note(await call("read_facts", { query: "npm" }));
    const unfiled = await connect({ config: { approval: { outOfBand: false } } });
    note(await unfiled.call("keep_fact", testCommand));
    const homeless = await connect({ environment: { WISP_HOME: "not/absolute" } });
    note(await homeless.call("read_facts"));
    expect(outcomes).toEqual([
      "read",
      "pending",
      "pending",
      "pending",
      "rate_limited",
      "invalid_input",
      "invalid_input",
      "read",
      "approval_unavailable",
      "channel_unsafe",
    ]);
  });

  test("reads the resource, and hears of changes while it subscribes", async () => {
    const { read, subscribe, updates, person, call } = await connect();
    expect(JSON.parse(await read())).toEqual({ facts: [], truncated: false, unreadable: 0 });
    const stop = await subscribe();
    const { id } = await person.kept();
    await expect.poll(() => updates, { timeout: 20_000 }).toEqual([uri]);
    expect(JSON.parse(await read())).toMatchObject({ facts: [{ id }] });
    await stop();
    await call("read_facts");
    await person.facts.forget(id);
    await call("read_facts");
    expect(updates).toEqual([uri]);
  });
});
