/** A server of somebody else's whose tools ask through the library, of either major of the SDK, with a fake person. */

import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { onTestFinished } from "vitest";
import * as z from "zod";
import { type Clock, systemClock } from "../../src/broker/system/clock.js";
import type { QuestionSchema } from "../../src/server/library/ask-question.js";
import type { StateOfThings } from "../../src/server/library/bound-state.js";
import type { Approved } from "../../src/server/library/run-approved.js";
import type { Wisp } from "../../src/server/library/wisp.js";
import { type FakePerson, fakePerson } from "../../src/server/testing/fake-person.js";
import { memoryClient, type RawClient } from "./raw-client.js";

export interface LibraryServer {
  readonly client: RawClient;
  readonly person: FakePerson;
  /** What was done, in order: the names of notes that were erased. */
  readonly erased: string[];
  /** What the call would be done to; a test changes it. */
  readonly notes: Record<string, string | null>;
  /** The wisps that were made, one for each server. */
  readonly wisps: readonly Wisp[];
  /** The client goes away. */
  leave(): Promise<void>;
}

export interface LibraryOptions {
  readonly clock?: Clock;
  /** Is nothing bound? */
  readonly isUnbound?: boolean;
  /** Called where the tool erases, instead of erasing. */
  readonly onErase?: (approved: Approved) => void | Promise<void>;
  readonly schema?: QuestionSchema;
}

export const shelf: QuestionSchema = {
  question: "Which shelf?",
  options: [
    { value: "a", label: "The upper" },
    { value: "b", label: "The lower" },
  ],
};

/** One of the second major, which speaks both eras. */
export async function serveV2(options: LibraryOptions = {}): Promise<LibraryServer> {
  const { client, transport, leave } = await memoryClient();
  const scene = sceneOf(options);
  const handle = serveStdio(
    () => {
      const server = new McpServer({ name: "notes", version: "1" });
      const wisp = scene.wispFor(server);
      server.registerTool("erase", { inputSchema: z.object({ name: z.string() }) }, ({ name }, ctx) =>
        wisp.ask(ctx, scene.about(name), (approved) => scene.erase(approved)),
      );
      server.registerTool("place", { inputSchema: z.object({}) }, async (_none, ctx) => {
        const reply = await wisp.question(ctx, scene.schema);
        return reply.kind === "answered" ? scene.placed(reply) : reply.result;
      });
      server.server.onclose = () => void wisp.close();
      return server;
    },
    { transport },
  );
  onTestFinished(() => handle.close());
  return { ...scene, client, leave };
}

/** One of the first major. */
export async function serveV1(options: LibraryOptions = {}): Promise<LibraryServer> {
  const { client, transport, leave } = await memoryClient();
  const scene = sceneOf(options);
  const server = new McpServerV1({ name: "notes", version: "1" });
  const wisp = scene.wispFor(server);
  server.registerTool("erase", { inputSchema: { name: z.string() } }, ({ name }, extra) =>
    wisp.ask(extra, scene.about(name), (approved) => scene.erase(approved)),
  );
  server.registerTool("place", {}, async (extra) => {
    const reply = await wisp.question(extra, scene.schema);
    return reply.kind === "answered" ? scene.placed(reply) : reply.result;
  });
  server.server.onclose = () => void wisp.close();
  await server.connect(transport as unknown as Parameters<typeof server.connect>[0]);
  onTestFinished(() => server.close());
  return { ...scene, client, leave };
}

type Text = { content: { type: "text"; text: string }[] };

function textResult(text: string): Text {
  return { content: [{ type: "text", text }] };
}

function sceneOf({ clock = systemClock, isUnbound = false, onErase, schema = shelf }: LibraryOptions) {
  const person = fakePerson(clock);
  const erased: string[] = [];
  const notes: Record<string, string | null> = { list: "milk" };
  const wisps: Wisp[] = [];
  onTestFinished(async () => {
    await Promise.all(wisps.map((wisp) => wisp.close("the test is over")));
    person.leave();
  });
  const state = (): StateOfThings => ({ ...notes });
  return {
    person,
    erased,
    notes,
    wisps,
    schema,
    wispFor(server: Parameters<FakePerson["wisp"]>[0]["server"]): Wisp {
      const wisp = person.wisp({ name: "notes", server });
      wisps.push(wisp);
      return wisp;
    },
    about: (name: string) => ({
      tool: "erase",
      title: "Erase a note",
      description: "Erases the note for good.",
      arguments: { name },
      ...(!isUnbound && { state }),
    }),
    async erase(approved: Approved): Promise<Text> {
      await onErase?.(approved);
      const name = String(approved.arguments.name);
      erased.push(name);
      return textResult(`Erased ${name}.`);
    },
    placed: (reply: { readonly values: readonly string[] | null; readonly text: string | null }) =>
      textResult(JSON.stringify(reply)),
  };
}
