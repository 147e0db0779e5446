/** What a yes lets an author's tool do, what is written down of it, and what lets it through without one. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakeClock } from "../../../src/server/testing/fake-clock.js";
import { type LibraryOptions, type LibraryServer, serveV2 } from "../../support/library-server.js";
import { textOf } from "../../support/mcp-server.js";
import { acceptPolicy, writePolicy } from "../../support/policy-files.js";

async function served(options: LibraryOptions = {}): Promise<LibraryServer> {
  const server = await serveV2(options);
  await server.client.initialize();
  return server;
}

const erase = ({ client }: LibraryServer, name = "list"): number => client.call("erase", { name });

interface Record {
  readonly kind: string;
  readonly call: string | null;
  readonly verified: unknown;
  readonly details: { readonly [key: string]: unknown };
}

function logOf({ person }: LibraryServer): readonly Record[] {
  const lines = readFileSync(join(person.home, "audit", "log.jsonl"), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as Record);
}

describe("what is done", () => {
  it("is written down before it begins and after it ended", async () => {
    let before: readonly string[] = [];
    const server = await served({
      onErase() {
        before = logOf(server).map(({ kind }) => kind);
      },
    });
    server.person.says("approve");
    await server.client.resultOf(erase(server));
    expect(before).toContain("effect.started");
    expect(before).not.toContain("effect.finished");
    const started = logOf(server).find(({ kind }) => kind === "effect.started");
    expect(started?.verified).toMatchObject({ server: "notes", tool: "erase" });
    const finished = logOf(server).find(({ kind }) => kind === "effect.finished");
    expect(finished).toMatchObject({ call: started?.call, details: { ending: "answered" } });
  });

  it("is written down as unknown where the tool throws, and the caller hears what was thrown", async () => {
    const server = await served({
      onErase: () => {
        throw new Error("the disk is full");
      },
    });
    server.person.says("approve");
    const result = await server.client.resultOf(erase(server));
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("the disk is full");
    const finished = logOf(server).find(({ kind }) => kind === "effect.finished");
    expect(finished?.details).toMatchObject({ ending: "unknown", why: "the disk is full" });
  });

  it("gets the arguments as they were shown, whatever became of the author's own", async () => {
    const given: unknown[] = [];
    const server = await served({ onErase: (approved) => void given.push(approved.arguments) });
    server.person.says("approve");
    await server.client.resultOf(erase(server));
    expect(given).toEqual([{ name: "list" }]);
  });

  it("has a person told where nothing but the arguments is bound", async () => {
    const server = await served({ isUnbound: true });
    const asking = erase(server);
    const request = await server.person.asked();
    expect(request).toMatchObject({ subject: { state: "none" } });
    expect(request.kind === "approval" && request.reasons).toContain("state not bound");
    server.notes.list = "changed";
    server.person.says("approve");
    expect(textOf(await server.client.resultOf(asking))).toBe("Erased list.");
  });
});

describe("a yes that came while no call was there", () => {
  /** The call ended as pending, and then a person said yes. */
  async function approvedLate(): Promise<LibraryServer> {
    const clock = fakeClock();
    const server = await served({ clock });
    const asking = erase(server);
    const request = await server.person.asked();
    clock.advance(60_000);
    const pending = await server.client.resultOf(asking);
    expect(pending._meta).toMatchObject({
      "wisp/refusal": { code: "approval_pending", request: request.id },
    });
    expect(pending.isError).toBe(true);
    server.person.says("approve");
    await expect.poll(() => logOf(server).map(({ kind }) => kind)).toContain("approval.settled");
    server.person.says(null);
    return server;
  }

  it("lets the same call do it once", async () => {
    const server = await approvedLate();
    expect(textOf(await server.client.resultOf(erase(server)))).toBe("Erased list.");
    expect(server.erased).toEqual(["list"]);
    const again = erase(server);
    await server.person.asked();
    server.person.says({ no: "once is enough" });
    expect((await server.client.resultOf(again)).isError).toBe(true);
    expect(server.erased).toEqual(["list"]);
  });

  it("lets nothing be done where the state is another one; asked again, it is done", async () => {
    const server = await approvedLate();
    server.notes.list = "milk, eggs";
    const result = await server.client.resultOf(erase(server));
    expect(result._meta).toMatchObject({ "wisp/refusal": { code: "replay_drift" } });
    expect(server.erased).toEqual([]);
    server.person.says("approve");
    expect(textOf(await server.client.resultOf(erase(server)))).toBe("Erased list.");
  });
});

describe("rules", () => {
  it("that deny refuse the call, and nobody is asked; another call asks", async () => {
    const server = await served();
    writePolicy(server.person.home, { deny: ["mcp__notes__erase"] });
    const result = await server.client.resultOf(erase(server));
    expect(result._meta).toMatchObject({ "wisp/refusal": { code: "policy_refused" } });
    expect(server.erased).toEqual([]);
    writePolicy(server.person.home, { deny: ["mcp__notes__other"] });
    server.person.says("approve");
    await server.client.resultOf(erase(server));
    expect(server.erased).toEqual(["list"]);
  });

  it("that allow and were accepted let it through without asking, and that is written down", async () => {
    const server = await served();
    await acceptPolicy(server.person.home, { allow: ["mcp__notes__erase"] });
    expect(textOf(await server.client.resultOf(erase(server)))).toBe("Erased list.");
    const started = logOf(server).find(({ kind }) => kind === "effect.started");
    expect(started?.details).toMatchObject({ via: "policy" });
  });
});

describe("a rule that binds state", () => {
  const bound = (state: unknown) => ({ ask: [{ rule: "mcp__notes__erase", state }] });

  it("binds it beside what the author looks at, and a change of it lets nothing be done", async () => {
    const server = await served();
    const file = join(server.person.home, "..", "bound.txt");
    writeFileSync(file, "before");
    writePolicy(server.person.home, bound({ paths: [file] }));
    const asking = erase(server);
    const request = await server.person.asked();
    expect(request).toMatchObject({
      subject: { state: { bound: expect.arrayContaining([expect.objectContaining({ target: "list" })]) } },
    });
    expect(JSON.stringify(request)).toContain("bound.txt");
    writeFileSync(file, "after");
    server.person.says("approve");
    const result = await server.client.resultOf(asking);
    expect(result._meta).toMatchObject({ "wisp/refusal": { code: "replay_drift" } });
    expect(textOf(result)).toContain("bound.txt");
    expect(server.erased).toEqual([]);
    await server.client.resultOf(erase(server));
    expect(server.erased).toEqual(["list"]);
  });

  it("that wants what another tool says is not passed over; without it the call asks", async () => {
    const server = await served();
    writePolicy(server.person.home, bound({ tool: "read", args: {} }));
    const result = await server.client.resultOf(erase(server));
    expect(result._meta).toMatchObject({ "wisp/refusal": { code: "invalid_input" } });
    writePolicy(server.person.home, { ask: ["mcp__notes__erase"] });
    server.person.says("approve");
    await server.client.resultOf(erase(server));
    expect(server.erased).toEqual(["list"]);
  });

  it("and says that there is none tells a person nothing of that", async () => {
    const server = await served({ isUnbound: true });
    await acceptPolicy(server.person.home, bound("none"));
    const asking = erase(server);
    const request = await server.person.asked();
    expect(request.kind === "approval" && request.reasons).not.toContain("state not bound");
    server.person.says("approve");
    expect(textOf(await server.client.resultOf(asking))).toBe("Erased list.");
  });
});

describe("the end of a connection", () => {
  it("withdraws what waits, and does nothing more", async () => {
    const server = await served();
    erase(server);
    const request = await server.person.asked();
    await server.leave();
    await server.wisps[0]?.close();
    const settled = logOf(server).find(({ kind }) => kind === "approval.settled");
    expect(settled).toMatchObject({ call: request.id, details: { outcome: "withdrawn" } });
    expect(server.erased).toEqual([]);
  });

  it("twice is like once", async () => {
    const server = await served();
    server.person.says("approve");
    await server.client.resultOf(erase(server));
    await Promise.all(server.wisps.flatMap((wisp) => [wisp.close(), wisp.close("again")]));
    expect(server.erased).toEqual(["list"]);
  });
});
