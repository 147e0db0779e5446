import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { writeAcceptedConfig } from "../../support/config-files.js";
import { openFace } from "../../support/face.js";
import {
  appears,
  approval,
  connectInMemory,
  makePlaces,
  printing,
  readAtOnce,
  startInMemory,
  textOf,
  waitingProgress,
  withProgress,
} from "../../support/mcp-server.js";
import { type Message, type RawClient, showsForms } from "../../support/raw-client.js";

/** Every method and response on the wire, in the order it came. */
function orderOf(client: RawClient): readonly string[] {
  return client.received.map(({ method, id }) => method ?? `response ${id}`);
}

/** Says that it runs, and that it was asked to end. */
const trapping = "trap 'touch asked-to-end; exit' TERM; touch started; sleep 600 & wait";

describe("a cancelled call", () => {
  test("withdraws its dialog, settles as abandoned and gets no response", async () => {
    const { client, face, served, settled } = await connectInMemory({ capabilities: showsForms });
    const call = client.call("run_command", printing);
    const dialog = await client.firstOf("elicitation/create");
    const { id } = face.only();
    client.notify("notifications/cancelled", { requestId: call, reason: "changed my mind" });
    expect((await client.firstOf("notifications/cancelled")).params?.requestId).toBe(dialog.id);
    served.stop("over");
    await settled();
    expect(client.hasResponseTo(call)).toBe(false);
    expect(face.receiptOf(id)).toMatchObject({ outcome: "abandoned", ran: false });
  });

  test("that was cancelled in the same breath asks nobody and makes nothing", async () => {
    const { client, home } = await connectInMemory({ capabilities: showsForms });
    const call = client.call("run_command", printing, withProgress);
    client.notify("notifications/cancelled", { requestId: call });
    await client.roundTrip();
    expect(orderOf(client)).not.toContain("elicitation/create");
    expect(client.hasResponseTo(call)).toBe(false);
    expect(existsSync(home)).toBe(false);
  });

  test("ends the command that runs for it, and gets no response", async () => {
    const { client, face, groups, served, work, settled } = await connectInMemory();
    const call = client.call("run_command", { line: trapping }, withProgress);
    await waitingProgress(client);
    face.approve(face.only());
    await appears(join(work, "started"));
    client.notify("notifications/cancelled", { requestId: call });
    await appears(join(work, "asked-to-end"));
    served.stop("over");
    await settled();
    expect(groups.size).toBe(0);
    expect(face.audit().at(-1)).toMatchObject({ kind: "effect.finished", details: { ending: "cancelled" } });
    expect(client.hasResponseTo(call)).toBe(false);
  });
});

describe("the end of a connection", () => {
  test("settles what waits as withdrawn", async () => {
    const { client, face, leave, settled } = await connectInMemory({ capabilities: showsForms });
    client.call("run_command", printing);
    await client.firstOf("elicitation/create");
    const { id } = face.only();
    await leave();
    await settled();
    expect(face.waiting()).toEqual([]);
    expect(face.receiptOf(id)).toMatchObject({ outcome: "withdrawn", ran: false, note: "the client left" });
  });

  test("by the server says why", async () => {
    const { client, face, served, settled } = await connectInMemory();
    client.call("run_command", printing, withProgress);
    await waitingProgress(client);
    const { id } = face.only();
    served.stop("the server got SIGTERM");
    await settled();
    expect(face.receiptOf(id)).toMatchObject({ outcome: "withdrawn", note: "the server got SIGTERM" });
  });

  test("ends the command that runs", async () => {
    const { client, face, groups, served, work, settled } = await connectInMemory();
    client.call("run_command", { line: trapping }, withProgress);
    await waitingProgress(client);
    face.approve(face.only());
    await appears(join(work, "started"));
    served.stop("over");
    await settled();
    expect(existsSync(join(work, "asked-to-end"))).toBe(true);
    expect(groups.size).toBe(0);
    expect(face.audit().at(-1)).toMatchObject({ kind: "effect.finished", details: { ending: "cancelled" } });
  });

  test("before any call leaves nothing behind", async () => {
    const { client, home, served, settled } = await connectInMemory({ capabilities: showsForms });
    await client.responseTo(client.request("tools/list"));
    served.stop("over");
    await settled();
    expect(existsSync(home)).toBe(false);
  });

  test("of a probe leaves nothing behind, and the fall-back serves in its place", async () => {
    const { client, home, face } = await startInMemory();
    await client.responseTo(
      client.request("server/discover", {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "modern", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      }),
    );
    await client.initialize({ capabilities: showsForms });
    expect(existsSync(home)).toBe(false);
    const call = client.call("run_command", printing);
    client.answer(await client.firstOf("elicitation/create"), approval);
    expect((await client.resultOf(call)).structuredContent).toMatchObject({ outcome: "approved" });
    expect(face.waiting()).toEqual([]);
  });
});

describe("a home that cannot be used", () => {
  const environment = { WISP_HOME: "not/absolute" };

  /** A default home of its own for the running test. Called first, so that it is taken away last. */
  function useDefaultHome(): string {
    const { root, remove } = makePlaces();
    vi.stubEnv("HOME", root);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      remove();
    });
    return root;
  }

  test("lets the server start and refuses a call without a dialog, naming why", async () => {
    useDefaultHome();
    const { client, work } = await connectInMemory({}, { environment });
    const result = await client.resultOf(
      client.call("run_command", { argv: ["touch", "ran"] }, withProgress),
    );
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { outcome: "failed", code: "approval_unavailable" },
    });
    expect(textOf(result)).toBe(
      "Failed, no person could be asked and nothing ran: channel_unsafe: WISP_HOME=not/absolute is not an absolute " +
        "path. A project's files must not decide where approvals are asked; the client has no dialog. Tell the " +
        "person to run: WISP_HOME=not/absolute wisp doctor",
    );
    expect(readdirSync(work)).toEqual([]);
  });

  test("leaves it to the dialog alone, and its decision is written down in the default home", async () => {
    const defaults = useDefaultHome();
    const { client } = await connectInMemory({ capabilities: showsForms }, { environment });
    const call = client.call("run_command", printing, withProgress);
    client.answer(await client.firstOf("elicitation/create"), approval);
    expect((await client.resultOf(call)).structuredContent).toMatchObject({
      outcome: "approved",
      via: "elicitation",
      stdout: "once",
    });
    // Nothing waits in a directory: a command that answers there would lead nowhere.
    expect(JSON.stringify(client.received)).toContain("Waiting for a person. Answer in the client's dialog");
    expect(JSON.stringify(client.received)).not.toContain("wisp approvals");
    const kinds = openFace(join(defaults, ".wisp"))
      .audit()
      .map((record) => record.kind);
    expect(kinds).toEqual(expect.arrayContaining(["approval.decided", "effect.started", "effect.finished"]));
  });

  test("has not been obtained when the dialog alone was dismissed", async () => {
    writeAcceptedConfig(join(useDefaultHome(), ".wisp"), readAtOnce);
    const { client } = await connectInMemory({ capabilities: showsForms }, { environment });
    const call = client.call("run_command", printing, withProgress);
    const dialog = await client.firstOf("elicitation/create");
    const why = "channel_unsafe: WISP_HOME=not/absolute is not an absolute path.";
    expect(dialog.params?.message).toContain(`No terminal can answer this: ${why}`);
    expect(dialog.params?.message).toContain(
      "In a terminal this says how to repair that: WISP_HOME=not/absolute wisp doctor",
    );
    const beats = client.allOf("notifications/progress").map(({ params }) => params?.message);
    expect(beats.at(-1)).toContain(`No terminal can answer this: ${why}`);
    client.answer(dialog, { action: "cancel" });
    const result = await client.resultOf(call);
    expect(result.structuredContent).toMatchObject({ outcome: "not_obtained" });
    expect(textOf(result)).toContain(`Not obtained: ${why}`);
    const again = client.call("run_command", printing, withProgress);
    const next = ({ method, id }: Message) => method === "elicitation/create" && id !== dialog.id;
    client.answer(await client.first(next), approval);
    expect((await client.resultOf(again)).structuredContent).toMatchObject({ outcome: "approved" });
  });

  test("because it belongs to another program is left alone", async () => {
    const defaults = useDefaultHome();
    const foreign = join(defaults, "foreign");
    mkdirSync(foreign, { mode: 0o700 });
    writeFileSync(join(foreign, "format"), "somebody else\n", { mode: 0o600 });
    const { client } = await connectInMemory(
      { capabilities: showsForms },
      { environment: { WISP_HOME: foreign } },
    );
    const call = client.call("run_command", printing);
    client.answer(await client.firstOf("elicitation/create"), approval);
    expect((await client.resultOf(call)).structuredContent).toMatchObject({ outcome: "approved" });
    expect(readdirSync(foreign)).toEqual(["format"]);
  });
});
