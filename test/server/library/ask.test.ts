/** A tool of somebody else's server asks a person, in both majors of the SDK and both eras. */
import { describe, expect, it } from "vitest";
import { type LibraryServer, serveV1, serveV2 } from "../../support/library-server.js";
import { textOf } from "../../support/mcp-server.js";
import { answerDialog, askedIn2026, sendLeg } from "../../support/modern-client.js";
import { showsForms } from "../../support/raw-client.js";

/** A call without a dialog, in the words of the era. */
type Call = (server: LibraryServer, name?: string) => Promise<number>;

const call2025: Call = async ({ client }, name = "list") => client.call("erase", { name });
const call2026: Call = async ({ client }, name = "list") =>
  sendLeg(client, { tool: "erase", args: { name }, capabilities: {} });

async function introduced(server: LibraryServer, capabilities = {}): Promise<LibraryServer> {
  await server.client.initialize({ capabilities });
  return server;
}

const kinds = [
  ["the first major", async (options = {}) => introduced(await serveV1(options)), call2025],
  ["the second major, 2025", async (options = {}) => introduced(await serveV2(options)), call2025],
  ["the second major, 2026", serveV2, call2026],
] as const;

describe.each(kinds)("a server of %s", (_name, serve, call) => {
  it("lets its tool do what a person approved, once", async () => {
    const server = await serve();
    const { client, person, erased } = server;
    const asking = await call(server);
    const request = await person.asked();
    expect(request).toMatchObject({
      kind: "approval",
      client: { name: "raw" },
      subject: {
        type: "tool",
        server: "notes",
        tool: "erase",
        title: "Erase a note",
        arguments: { name: "list" },
        state: { bound: [{ target: "list" }] },
      },
    });
    expect(erased).toEqual([]);
    person.says("approve");
    expect(textOf(await client.resultOf(asking))).toBe("Erased list.");
    expect(erased).toEqual(["list"]);
  });

  it("does nothing after a no, and tells its words; the next call asks and does it", async () => {
    const server = await serve();
    const { client, person, erased } = server;
    person.says({ no: "keep it" });
    const result = await client.resultOf(await call(server));
    expect(result).toMatchObject({
      isError: true,
      _meta: { "wisp/refusal": { code: "approval_denied", retryable: false } },
    });
    expect(result.structuredContent).toBeUndefined();
    expect(textOf(result)).toBe("Denied by the person: keep it. Do not retry this call.");
    expect(erased).toEqual([]);
    person.says("approve");
    await client.resultOf(await call(server, "other"));
    expect(erased).toEqual(["other"]);
  });

  it("does nothing where what was shown changed between the yes and the tool; asked again, it does it", async () => {
    const server = await serve();
    const { client, person, erased, notes } = server;
    const asking = await call(server);
    await person.asked();
    notes.list = "milk, eggs";
    person.says("approve");
    const result = await client.resultOf(asking);
    expect(result._meta).toMatchObject({ "wisp/refusal": { code: "replay_drift" } });
    expect(textOf(result)).toContain("changed since it was shown: list");
    expect(erased).toEqual([]);
    await client.resultOf(await call(server));
    expect(erased).toEqual(["list"]);
  });

  it("counts as changed what was not there when it was shown", async () => {
    const server = await serve();
    const { client, person, erased, notes } = server;
    const asking = await call(server);
    await person.asked();
    notes.other = null;
    person.says("approve");
    expect(textOf(await client.resultOf(asking))).toContain("changed since it was shown: other");
    expect(erased).toEqual([]);
    await client.resultOf(await call(server));
    expect(erased).toEqual(["list"]);
  });
});

describe("the client's dialog", () => {
  const yes = { action: "accept", content: { decision: "approve" } };

  it.each([
    ["the first major", serveV1],
    ["the second major", serveV2],
  ] as const)("of 2025 approves for a server of %s", async (_name, serve) => {
    const server = await introduced(await serve(), showsForms);
    const { client, erased } = server;
    const asking = await call2025(server);
    const dialog = await client.firstOf("elicitation/create");
    expect(dialog.params?.message).toContain("erase");
    client.answer(dialog, yes);
    expect(textOf(await client.resultOf(asking))).toBe("Erased list.");
    expect(erased).toEqual(["list"]);
  });

  it("of 2026 approves in the next leg of the call", async () => {
    const { client, erased } = await serveV2();
    const leg = { tool: "erase", args: { name: "list" } };
    const dialog = await askedIn2026(client, leg);
    expect(dialog.state).toMatch(/^wisp:/);
    expect(erased).toEqual([]);
    const result = await client.resultOf(answerDialog(client, leg, dialog, yes));
    expect(textOf(result)).toBe("Erased list.");
    expect(erased).toEqual(["list"]);
  });

  it("of 2026 approves nothing with a state that is not its own; with its own it does", async () => {
    const { client, erased } = await serveV2();
    const leg = { tool: "erase", args: { name: "list" } };
    const dialog = await askedIn2026(client, leg);
    const other = { ...dialog, state: `${dialog.state.slice(0, -4)}AAAA` };
    const refused = await client.resultOf(answerDialog(client, leg, other, yes));
    expect(refused).toMatchObject({ isError: true, _meta: { "wisp/refusal": { code: "invalid_input" } } });
    expect(erased).toEqual([]);
    await client.resultOf(answerDialog(client, leg, dialog, yes));
    expect(erased).toEqual(["list"]);
  });

  it("of 2026 approves nothing in a call with other arguments", async () => {
    const { client, erased, person } = await serveV2();
    const leg = { tool: "erase", args: { name: "list" } };
    const dialog = await askedIn2026(client, leg);
    const other = { tool: "erase", args: { name: "other" } };
    const asking = answerDialog(client, other, dialog, yes);
    expect((await client.resultOf(asking)).resultType).toBe("input_required");
    expect(erased).toEqual([]);
    person.says("approve");
    await client.resultOf(await call2026({ client } as LibraryServer, "third"));
    expect(erased).toEqual(["third"]);
  });
});
