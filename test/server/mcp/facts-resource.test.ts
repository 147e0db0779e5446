/** The resource `wisp://facts`: read in both eras, watched while somebody subscribes, and changed by nothing here. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { eras, type FactServer, factServer, testCommand } from "../../support/fact-server.js";
import { FakeClock } from "../../support/fake-clock.js";
import type { Message } from "../../support/raw-client.js";

const uri = "wisp://facts";
const updated = "notifications/resources/updated";

/** What the resource holds. */
async function factsIn({ ask }: FactServer): Promise<unknown> {
  const { result } = await ask("resources/read", { uri });
  const { contents } = result as unknown as { readonly contents: readonly { readonly text: string }[] };
  return JSON.parse(contents[0]?.text ?? "");
}

/** Subscribes as clients of each era do, and resolves with what ends it. */
async function subscribe(server: FactServer, era: string, uris = [uri]): Promise<() => Promise<void>> {
  const { client, ask } = server;
  if (era === "2025") {
    expect((await ask("resources/subscribe", { uri })).error).toBeUndefined();
    return async () => void (await ask("resources/unsubscribe", { uri }));
  }
  const id = listen(server, uris);
  await acknowledged(server, id);
  return async () => {
    client.notify("notifications/cancelled", { requestId: id });
    await ask("tools/list");
  };
}

function listen({ client }: FactServer, uris: readonly string[]): number {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return client.request("subscriptions/listen", { notifications: { resourceSubscriptions: uris }, _meta });
}

function acknowledged({ client }: FactServer, id: number): Promise<Message> {
  return client.first(
    ({ method, params }) =>
      method === "notifications/subscriptions/acknowledged" && subscriptionIn(params) === id,
  );
}

function subscriptionIn(params: Message["params"]): unknown {
  return (params?._meta as Readonly<Record<string, unknown>> | undefined)?.[
    "io.modelcontextprotocol/subscriptionId"
  ];
}

describe.each(eras)("in the %s era", (era) => {
  test("it is listed, and holds what holds here as JSON in plain ASCII", async () => {
    const server = await factServer(era);
    const { ask, person, work } = server;
    const { result } = await ask("resources/list");
    expect(result?.resources).toEqual([
      {
        uri,
        name: "facts",
        title: "Kept facts",
        description: expect.stringContaining("data"),
        mimeType: "application/json",
      },
    ]);
    expect(await factsIn(server)).toEqual({ facts: [], truncated: false, unreadable: 0 });
    const hostile = { ...testCommand, value: "\u001b[2J\u202e\u009b1m\n\u2028" };
    const { id, keptBy } = await person.kept(hostile);
    await person.kept({ directory: join(work, "below") });
    expect(await factsIn(server)).toEqual({
      facts: [{ ...hostile, id, keptAt: keptBy.at }],
      truncated: false,
      unreadable: 0,
    });
    const reply = JSON.stringify(await ask("resources/read", { uri }));
    expect(reply).toMatch(/^[\x20-\x7e]*$/);
  });

  test("who subscribed hears of each fact that is kept or forgotten here, and of no other", async () => {
    const server = await factServer(era);
    const { client, person, work } = server;
    const stop = await subscribe(server, era);
    const heard = () => client.allOf(updated);
    const { id } = await person.kept();
    await expect.poll(() => heard().length, { timeout: 20_000 }).toBe(1);
    expect(heard()[0]?.params?.uri).toBe(uri);
    await person.kept({ directory: join(work, "below") });
    await person.facts.forget(id);
    await expect.poll(() => heard().length, { timeout: 20_000 }).toBe(2);
    expect(await factsIn(server)).toEqual({ facts: [], truncated: false, unreadable: 0 });
    await stop();
    await person.kept();
    const again = await subscribe(server, era);
    await person.kept({ scope: "global" });
    await expect.poll(() => heard().length, { timeout: 20_000 }).toBe(3);
    await again();
    expect(heard()).toHaveLength(3);
  });

  test("a fact that cannot be read is counted, and who subscribed hears of it; the others stay", async () => {
    const server = await factServer(era);
    const { client, person, home } = server;
    const { id } = await person.kept();
    await subscribe(server, era);
    writeFileSync(join(home, "facts/project/k7q2mx9d.json"), '{"v": 1, "half', { mode: 0o600 });
    await expect.poll(() => client.allOf(updated).length, { timeout: 20_000 }).toBe(1);
    expect(await factsIn(server)).toMatchObject({ facts: [{ id }], unreadable: 1 });
  });

  test("nothing is watched before somebody subscribed, nor after they stopped or left", async () => {
    const clock = new FakeClock();
    const server = await factServer(era, { clock });
    const { person, leave, settled } = server;
    await person.kept();
    await factsIn(server);
    expect(clock.timers).toBe(0);
    const stop = await subscribe(server, era);
    expect(clock.timers).toBeGreaterThan(0);
    await stop();
    expect(clock.timers).toBe(0);
    await subscribe(server, era);
    expect(clock.timers).toBeGreaterThan(0);
    await leave();
    await settled();
    expect(clock.timers).toBe(0);
  });

  test("who did not subscribe hears nothing, and neither reading nor subscribing makes anything", async () => {
    const server = await factServer(era);
    const { client, person, ask, home } = server;
    await factsIn(server);
    const stop = await subscribe(server, era);
    await stop();
    expect(existsSync(home)).toBe(false);
    await person.kept();
    await ask("tools/list");
    expect(client.allOf(updated)).toEqual([]);
  });

  test("another address is not known", async () => {
    const { ask, errors } = await factServer(era);
    for (const other of [
      "wisp://approvals",
      "wisp://facts/",
      "wisp://facts?scope=global",
      "file:///etc/passwd",
    ]) {
      expect((await ask("resources/read", { uri: other })).error?.code).toBe(-32_602);
    }
    expect(errors).toEqual([]);
    expect((await ask("resources/read", { uri })).error).toBeUndefined();
  });
});

test("in the 2025 era nobody can subscribe to anything else", async () => {
  const { ask } = await factServer("2025");
  for (const method of ["resources/subscribe", "resources/unsubscribe"]) {
    expect((await ask(method, { uri: "wisp://approvals" })).error?.message).toContain("wisp://approvals");
  }
  expect((await ask("resources/subscribe", { uri })).error).toBeUndefined();
});

test("in the 2026 era one subscribes by listening alone", async () => {
  const { ask } = await factServer("2026");
  expect((await ask("resources/subscribe", { uri })).error?.code).toBe(-32_601);
});
