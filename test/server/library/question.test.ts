/** A tool of somebody else's server asks what only a person knows. */
import { describe, expect, it } from "vitest";
import { fakeClock } from "../../../src/server/testing/fake-clock.js";
import { type LibraryOptions, type LibraryServer, serveV1, serveV2 } from "../../support/library-server.js";
import { textOf } from "../../support/mcp-server.js";
import { answerDialog, askedIn2026, sendLeg } from "../../support/modern-client.js";
import { showsForms } from "../../support/raw-client.js";

async function introduced(server: LibraryServer, capabilities = {}): Promise<LibraryServer> {
  await server.client.initialize({ capabilities });
  return server;
}

const call2025 = ({ client }: LibraryServer): number => client.call("place", {});
const call2026 = ({ client }: LibraryServer): number =>
  sendLeg(client, { tool: "place", args: {}, capabilities: {} });

const kinds = [
  ["the first major", async (options?: LibraryOptions) => introduced(await serveV1(options)), call2025],
  [
    "the second major, 2025",
    async (options?: LibraryOptions) => introduced(await serveV2(options)),
    call2025,
  ],
  ["the second major, 2026", serveV2, call2026],
] as const;

describe.each(kinds)("a question of a server of %s", (_name, serve, call) => {
  it("brings what the person chose", async () => {
    const server = await serve();
    server.person.says({ choose: ["b"] });
    const result = await server.client.resultOf(call(server));
    expect(JSON.parse(textOf(result))).toEqual({ kind: "answered", values: ["b"], text: null });
  });

  it("brings what the person wrote, where a text may be written", async () => {
    const server = await serve({ schema: { question: "Which shelf?" } });
    server.person.says({ write: "the green one" });
    const result = await server.client.resultOf(call(server));
    expect(JSON.parse(textOf(result))).toEqual({ kind: "answered", values: null, text: "the green one" });
  });

  it("that is declined brings a result which says so; the next one may be answered", async () => {
    const server = await serve();
    server.person.says({ no: "ask Ada" });
    const result = await server.client.resultOf(call(server));
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("Declined: the person does not want to answer: ask Ada.");
    server.person.says({ choose: ["a"] });
    const other = await serve();
    other.person.says({ choose: ["a"] });
    expect(JSON.parse(textOf(await other.client.resultOf(call(other)))).values).toEqual(["a"]);
  });

  it("that asks nothing is refused, and nobody is asked", async () => {
    const server = await serve({ schema: { question: " " } });
    const result = await server.client.resultOf(call(server));
    expect(result).toMatchObject({ isError: true, _meta: { "wisp/refusal": { code: "invalid_input" } } });
  });

  it("that nobody answers says that this is no no", async () => {
    const clock = fakeClock();
    const server = await serve({ clock });
    const asking = call(server);
    await server.person.asked();
    clock.advance(60_000);
    const result = await server.client.resultOf(asking);
    expect(result._meta).toMatchObject({ "wisp/refusal": { code: "approval_pending" } });
    // Its author's server has no tool of ours that collects it.
    expect(textOf(result)).toContain("To collect the answer make exactly the same call again");
    expect(textOf(result)).not.toContain("read_answer");
    server.person.says({ choose: ["a"] });
    expect(JSON.parse(textOf(await server.client.resultOf(call(server)))).values).toEqual(["a"]);
  });
});

describe("the client's dialog", () => {
  /** An answer that comes sooner is one that nobody can have given. */
  const readingMs = 500;

  it("of 2025 answers", async () => {
    const clock = fakeClock();
    const server = await introduced(await serveV2({ clock }), showsForms);
    const asking = call2025(server);
    const dialog = await server.client.firstOf("elicitation/create");
    clock.advance(readingMs);
    server.client.answer(dialog, { action: "accept", content: { choice: "1" } });
    expect(JSON.parse(textOf(await server.client.resultOf(asking))).values).toEqual(["a"]);
  });

  it("of 2026 answers in the next leg", async () => {
    const clock = fakeClock();
    const { client } = await serveV2({ clock });
    const leg = { tool: "place", args: {} };
    const dialog = await askedIn2026(client, leg);
    clock.advance(readingMs);
    const answered = answerDialog(client, leg, dialog, { action: "accept", content: { choice: "2" } });
    expect(JSON.parse(textOf(await client.resultOf(answered))).values).toEqual(["b"]);
  });
});
