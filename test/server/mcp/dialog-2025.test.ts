import { McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { afterEach, describe, expect, test } from "vitest";
import * as z from "zod";
import type { DialogAnswer } from "../../../src/broker/approval/dialog.js";
import type { CallWire } from "../../../src/server/mcp/call-wire.js";
import { dialog2025 } from "../../../src/server/mcp/dialog-2025.js";
import { approvalDialogsOf, commandAction } from "../../../src/server/mcp/form.js";
import { peerOf } from "../../../src/server/mcp/peer.js";
import { approvalRequest, commandSubject } from "../../support/builders.js";
import { type Message, memoryClient, showsForms } from "../../support/raw-client.js";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const request = approvalRequest();
const place = {
  home: null,
  answeringLine: ({ id }: { readonly id: string }) => `wisp approvals approve ${id}`,
  doctorLine: "WISP_HOME=/h wisp doctor",
};
const facts = { unseenDecline: "decline" } as const;
const fault = "channel_unsafe: /h is open to others";

/** A server whose one tool asks through the dialog; the test holds the other end of the wire. */
async function asking(revision = "2025-11-25") {
  const { client, transport } = await memoryClient();
  const withdrawal = new AbortController();
  let heard: (answer: DialogAnswer) => void;
  const answer = new Promise<DialogAnswer>((resolve) => {
    heard = resolve;
  });
  const handle = serveStdio(
    ({ era }) => {
      const server = new McpServer({ name: "s", version: "1" });
      server.registerTool("ask", { inputSchema: z.object({}) }, async (_args, ctx: ServerContext) => {
        const peer = peerOf(server, ctx, era === "legacy" ? "2025" : "2026");
        const signal = AbortSignal.any([ctx.mcpReq.signal, withdrawal.signal]);
        const said = await dialog2025(
          approvalDialogsOf(commandAction),
          peer,
          ctx.mcpReq.send,
          place,
          facts,
        ).ask(request, signal, null);
        heard(said);
        return { content: [{ type: "text", text: said.kind }] };
      });
      return server;
    },
    { transport },
  );
  closers.push(() => handle.close());
  await client.initialize({ capabilities: showsForms, revision });
  const callId = client.call("ask", {});
  return { client, withdrawal, answer, callId, dialog: await client.firstOf("elicitation/create") };
}

describe("the dialog on the wire", () => {
  test("is a form with the command first and a required decision", async () => {
    const { dialog } = await asking();
    expect(dialog.params).toMatchObject({
      mode: "form",
      message: expect.stringMatching(/^git push origin main\n/),
      requestedSchema: { type: "object", required: ["decision"] },
    });
  });

  test.each([
    ["2025-11-25", "oneOf"],
    ["2025-06-18", "enumNames"],
  ])("in revision %s titles its options by %s", async (revision, key) => {
    const { dialog } = await asking(revision);
    const schema = dialog.params?.requestedSchema as { properties: { decision: object } };
    expect(Object.keys(schema.properties.decision)).toContain(key);
  });
});

/** The dialog over a client that answers at once; `sent` are the requests it got, with their options. */
function overFake() {
  const sent: { message: Sent; options: Options }[] = [];
  const send = async (message: Sent, options: Options): Promise<unknown> => {
    sent.push({ message, options });
    return { action: "decline" };
  };
  const dialog = dialog2025(
    approvalDialogsOf(commandAction),
    { revision: "2025-11-25" },
    send as CallWire["send"],
    place,
    facts,
  );
  return { dialog, sent };
}

type Sent = { readonly method: string; readonly params: { readonly message: string } };
type Options = { readonly timeout: number; readonly signal: AbortSignal };

describe("what is sent", () => {
  const { signal } = new AbortController();

  test("waits as long as a timer can, for the approver decides when time is up", async () => {
    const { dialog, sent } = overFake();
    expect(await dialog.ask(request, signal, null)).toEqual({ kind: "decline" });
    expect(sent.map(({ options }) => options)).toEqual([{ timeout: 2 ** 31 - 1, signal }]);
  });

  test("names the command for a terminal where a terminal can answer, and otherwise why none can", async () => {
    const { dialog, sent } = overFake();
    await dialog.ask(request, signal, fault);
    await dialog.ask(request, signal, null);
    const [alone, both] = sent.map(({ message }) => message.params.message);
    expect(alone).not.toContain("wisp approvals");
    expect(alone).toContain(
      `No terminal can answer this: ${fault}. In a terminal this says how to repair that: ${place.doctorLine}`,
    );
    expect(both).toContain("wisp approvals");
    expect(both).not.toContain("No terminal");
  });

  test("is nothing where the dialog can only deny and no terminal can answer", async () => {
    const { dialog, sent } = overFake();
    const line = "x".repeat(2_000);
    const long = approvalRequest({ subject: commandSubject({ line }) });
    expect(await dialog.ask(long, signal, fault)).toMatchObject({ kind: "failed" });
    expect(sent).toEqual([]);
    expect(await dialog.ask(long, signal, null)).toEqual({ kind: "decline" });
  });
});

describe("the client's answer", () => {
  test.each([
    [
      { action: "accept", content: { decision: "approve" } },
      { kind: "approve", scope: "once" },
    ],
    [{ action: "accept", content: { decision: "deny" } }, { kind: "deny" }],
    [{ action: "decline" }, { kind: "decline" }],
    [{ action: "cancel" }, { kind: "dismissed" }],
    [{ action: "cancel", content: { decision: "approve" } }, { kind: "dismissed" }],
    [{ action: "decline", content: { decision: "approve" } }, { kind: "decline" }],
  ])("%j means %j", async (reply, meaning) => {
    const { client, dialog, answer } = await asking();
    client.answer(dialog, reply);
    expect(await answer).toEqual(meaning);
  });

  test.each([
    [{ action: "accept" }],
    [{ action: "accept", content: {} }],
    [{ action: "accept", content: null }],
    [{ action: "accept", content: { decision: "approve", more: true } }],
    [{ action: "accept", content: { decision: { const: "approve" } } }],
    [{ action: "accept", content: "approve" }],
    [{ action: "approve" }],
    [{}],
  ])("%j is invalid, never an approval", async (reply) => {
    const { client, dialog, answer } = await asking();
    client.answer(dialog, reply);
    expect((await answer).kind).toBe("invalid");
  });

  test.each([-32602, -32603, -1])("with the error %i means that the dialog failed", async (code) => {
    const { client, dialog, answer } = await asking();
    client.refuse(dialog, code, "approve");
    expect(await answer).toEqual({ kind: "failed", why: expect.stringContaining(String(code)) });
  });
});

test("a client that knows no dialogs says so with -32601, whatever it declared", async () => {
  const { client, dialog, answer } = await asking();
  client.refuse(dialog, -32601, "approve");
  expect(await answer).toEqual({ kind: "unsupported", why: expect.stringContaining("no dialog") });
});

test("what an unread decline means is what is known of the client", () => {
  const send = async (): Promise<never> => {
    throw new Error("Nothing is sent.");
  };
  for (const unseenDecline of ["cancel", "decline"] as const) {
    expect(
      dialog2025(approvalDialogsOf(commandAction), { revision: "2025-11-25" }, send, place, {
        unseenDecline,
      }),
    ).toMatchObject({
      unseenDecline,
    });
  }
});

describe("a withdrawn dialog", () => {
  test("is cancelled on the wire by its own id before the call's result, and its late answer changes nothing", async () => {
    const { client, withdrawal, callId, dialog } = await asking();
    withdrawal.abort("answered elsewhere");
    const cancelled = await client.firstOf("notifications/cancelled");
    expect(cancelled.params).toEqual({ requestId: dialog.id, reason: "answered elsewhere" });
    const result = await client.responseTo(callId);
    expect(client.placeOf(cancelled)).toBeLessThan(client.placeOf(result));
    client.answer(dialog, { action: "accept", content: { decision: "approve" } });
    await client.roundTrip();
    expect(client.received.filter((message: Message) => message.id === callId)).toHaveLength(1);
  });

  test("that was withdrawn before it was raised never reaches the wire", async () => {
    const { client, transport } = await memoryClient();
    const server = new McpServer({ name: "s", version: "1" });
    server.registerTool("ask", { inputSchema: z.object({}) }, async (_args, ctx) => {
      const peer = peerOf(server, ctx, "2025");
      const dialog = dialog2025(approvalDialogsOf(commandAction), peer, ctx.mcpReq.send, place, facts);
      const said = await dialog.ask(request, AbortSignal.abort("too late"), null);
      return { content: [{ type: "text", text: said.kind }] };
    });
    await server.connect(transport);
    closers.push(() => server.close());
    await client.initialize({ capabilities: showsForms });
    await client.resultOf(client.call("ask", {}));
    expect(client.allOf("elicitation/create")).toEqual([]);
  });

  test("ends with the connection", async () => {
    const { answer } = await asking();
    await Promise.all(closers.splice(0).map((close) => close()));
    expect((await answer).kind).not.toBe("approve");
  });
});
