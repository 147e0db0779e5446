/** What `config.json` changes on the wire, and what a broken one leaves. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { brokenConfigs, sealConfig, writeAcceptedConfig, writeConfig } from "../../support/config-files.js";
import {
  approval,
  connectInMemory,
  type MemoryServer,
  makePlaces,
  printing,
  textOf,
  waitingProgress,
  withProgress,
} from "../../support/mcp-server.js";
import { ProvableLog } from "../../support/provable-log.js";
import { showsForms } from "../../support/raw-client.js";

const ruledOut = { low: "terminal", moderate: "terminal", high: "terminal", dangerous: "terminal" };

/** A new connection to the same home. */
function again({ home }: MemoryServer, introduction: Parameters<typeof connectInMemory>[0] = {}) {
  return connectInMemory(introduction, { environment: { WISP_HOME: home } });
}

describe("the configuration", () => {
  test("is not read before the first ask, and again for each ask; what waits keeps its time", async () => {
    const server = await connectInMemory({}, { config: "{" });
    await server.client.responseTo(server.client.request("tools/list"));
    writeConfig(server.home, { approval: { timeoutSeconds: 30 } });
    const first = server.client.call("run_command", printing, withProgress);
    expect((await waitingProgress(server.client)).params?.message).toContain("(30 s left)");
    const waits = server.face.only();
    writeConfig(server.home, { approval: { timeoutSeconds: 50 } });
    const second = server.client.call("run_command", { argv: ["printf", "b"] }, { progressToken: "q" });
    expect((await waitingProgress(server.client, "q")).params?.message).toContain("(50 s left)");
    expect(server.face.waiting().find(({ id }) => id === waits.id)?.expiresAt).toBe(waits.expiresAt);
    for (const request of server.face.waiting()) server.face.approve(request);
    for (const call of [first, second]) {
      const { structuredContent } = await server.client.resultOf(call);
      expect(structuredContent).toMatchObject({ outcome: "approved" });
    }
    expect(server.said).toEqual(["config.json changed; in force from now on: approval.timeoutSeconds"]);
    const changed = server.face.audit().filter(({ kind }) => kind === "config.changed");
    expect(changed).toMatchObject([{ details: { keys: ["approval.timeoutSeconds"], waiting: [] } }]);
  });

  test("that is loosened by hand is not in force before it is accepted, and that is said once", async () => {
    const server = await connectInMemory({}, { config: {} });
    const ask = async (text: string): Promise<string> => {
      const call = server.client.call("run_command", { argv: ["printf", text] }, { progressToken: text });
      const { params } = await waitingProgress(server.client, text);
      server.face.approve(server.face.only());
      await server.client.resultOf(call);
      return String(params?.message);
    };
    expect(await ask("a")).toContain("(10 min left)");
    expect(server.said).toEqual([]);
    writeConfig(server.home, { approval: { timeoutSeconds: 900, ancestry: "never" } });
    expect(await ask("b")).toContain("(10 min left)");
    expect(await ask("c")).toContain("(10 min left)");
    const accept = `WISP_HOME=${server.home} wisp accept`;
    const waiting = `approval.timeoutSeconds, approval.ancestry wait for: ${accept}`;
    expect(server.said).toEqual([
      `config.json changed, and nothing of what is in force; config.json: ${waiting}`,
    ]);
    sealConfig(server.home, { "approval.timeoutSeconds": 900 });
    expect(await ask("d")).toContain("(15 min left)");
    expect(server.said.slice(1)).toEqual([
      `config.json changed; in force from now on: approval.timeoutSeconds; config.json: approval.ancestry waits for: ${accept}`,
    ]);
  });

  test("of which something waits from the start says so with the first ask", async () => {
    const server = await connectInMemory();
    writeConfig(server.home, { notify: { command: ["tell"] } });
    const call = server.client.call("run_command", printing, withProgress);
    await waitingProgress(server.client);
    const notice = `config.json: notify.command waits for: WISP_HOME=${server.home} wisp accept`;
    expect(server.said).toEqual([notice]);
    // Every face shows it with the request.
    expect(server.face.only().reasons).toContain(notice);
    server.face.approve(server.face.only());
    expect((await server.client.resultOf(call)).structuredContent).toMatchObject({ outcome: "approved" });
  });

  test("of which the accepted copy counts for nothing is the strictest, and every face says so", async () => {
    const server = await connectInMemory({}, { config: {} });
    sealConfig(server.home, { "approval.timeoutSeconds": 900 });
    const seal = join(server.home, "keys", "sealed", "config.json");
    const good = readFileSync(seal);
    writeFileSync(seal, "{}");
    const call = server.client.call("run_command", printing, withProgress);
    expect((await waitingProgress(server.client)).params?.message).toContain("(10 min left)");
    const why = "the accepted copy of config.json counts for nothing: not as wisp writes it";
    const notice = `${why}; the strictest settings hold until: WISP_HOME=${server.home} wisp accept`;
    expect(server.said).toEqual([notice]);
    expect(server.face.only().reasons).toContain(notice);
    writeFileSync(seal, good);
    server.face.approve(server.face.only());
    expect((await server.client.resultOf(call)).structuredContent).toMatchObject({ outcome: "approved" });
  });

  test.each<[what: string, config: unknown, said: string]>([
    ["looser", { audit: { rotateBytes: 1_048_576, keep: 0 } }, "audit.rotateBytes, audit.keep wait for:"],
    ["broken", "{", "config.json cannot be used"],
  ])(
    "that somebody made %s throws nothing of the log away, and that is said",
    async (_what, config, said) => {
      const { client, home, face, said: lines } = await connectInMemory({}, { config: {} });
      const log = new ProvableLog(home);
      await log.write(2_700);
      expect(log.read().length).toBeGreaterThan(1_048_576);
      writeConfig(home, config);
      const call = client.call("run_command", printing, withProgress);
      await waitingProgress(client);
      face.approve(face.only());
      expect((await client.resultOf(call)).structuredContent).toMatchObject({ outcome: "approved" });
      expect(log.files()).toEqual(["log.jsonl"]);
      expect(log.verify()).toMatchObject({ ok: true });
      expect(log.read().split("\n").length).toBeGreaterThan(2_700);
      expect(lines.join("\n")).toContain(said);
    },
  );

  test("that breaks while a request waits rules out the next dialog, and the one that waits is answered", async () => {
    const config = { approval: { unseenAnswerMs: 0 } };
    const { client, face, home, said } = await connectInMemory({ capabilities: showsForms }, { config });
    const first = client.call("run_command", printing);
    const dialog = await client.firstOf("elicitation/create");
    writeConfig(home, '{"approval": ');
    const second = client.call("run_command", { argv: ["printf", "b"] }, withProgress);
    await waitingProgress(client);
    expect(client.allOf("elicitation/create")).toHaveLength(1);
    expect(said).toEqual(["config.json cannot be used: config.json:1: not JSON"]);
    client.answer(dialog, approval);
    expect((await client.resultOf(first)).structuredContent).toMatchObject({ via: "elicitation" });
    writeConfig(home, config);
    face.approve(face.only());
    expect((await client.resultOf(second)).structuredContent).toMatchObject({
      outcome: "approved",
      via: "cli",
    });
    const third = client.call("run_command", { argv: ["printf", "c"] });
    const isNext = ({ method, id }: { method?: string; id?: string | number }): boolean =>
      method === "elicitation/create" && id !== dialog.id;
    client.answer(await client.first(isNext), approval);
    expect((await client.resultOf(third)).structuredContent).toMatchObject({ via: "elicitation" });
  });

  test("may let a request wait for ever", async () => {
    const { client, face } = await connectInMemory({}, { config: { approval: { timeoutSeconds: 0 } } });
    const call = client.call("run_command", printing, withProgress);
    expect((await waitingProgress(client)).params?.message).not.toContain("left");
    expect(face.only().expiresAt).toBeNull();
    face.approve(face.only());
    expect((await client.resultOf(call)).structuredContent).toMatchObject({ outcome: "approved" });
  });

  test("rules the dialog of one client out, and of no other", async () => {
    const clients = { quiet: { dialog: false } };
    const config = { approval: { clients, unseenAnswerMs: 0 } };
    const quiet = await connectInMemory({ capabilities: showsForms, name: "quiet" }, { config });
    const call = quiet.client.call("run_command", printing, withProgress);
    await waitingProgress(quiet.client);
    quiet.face.approve(quiet.face.only());
    expect((await quiet.client.resultOf(call)).structuredContent).toMatchObject({ via: "cli" });
    expect(quiet.client.allOf("elicitation/create")).toEqual([]);
    const other = await again(quiet, { capabilities: showsForms, name: "other" });
    const asked = other.client.call("run_command", printing);
    other.client.answer(await other.client.firstOf("elicitation/create"), approval);
    expect((await other.client.resultOf(asked)).structuredContent).toMatchObject({ via: "elicitation" });
  });

  test("rules dialogs out at one level, and at no other", async () => {
    const config = { approval: { require: { dangerous: "terminal" }, unseenAnswerMs: 0 } };
    const { client, face, work } = await connectInMemory({ capabilities: showsForms }, { config });
    mkdirSync(join(work, "build"));
    const strict = client.call("run_command", { argv: ["rm", "-rf", "build"] }, withProgress);
    await waitingProgress(client);
    await client.roundTrip();
    expect(client.allOf("elicitation/create")).toEqual([]);
    face.approve(face.only());
    expect((await client.resultOf(strict)).structuredContent).toMatchObject({ via: "cli" });
    const plain = client.call("run_command", printing);
    client.answer(await client.firstOf("elicitation/create"), approval);
    expect((await client.resultOf(plain)).structuredContent).toMatchObject({ via: "elicitation" });
  });
});

describe("without a channel", () => {
  const config = { approval: { outOfBand: false, unseenAnswerMs: 0 } };

  test("the dialog alone asks, and nothing is filed", async () => {
    const { client, home } = await connectInMemory({ capabilities: showsForms }, { config });
    const call = client.call("run_command", printing, withProgress);
    const dialog = await client.firstOf("elicitation/create");
    expect(dialog.params?.message).toContain("No terminal can answer this");
    expect(JSON.stringify(client.received)).not.toContain("wisp approvals");
    client.answer(dialog, approval);
    expect((await client.resultOf(call)).structuredContent).toMatchObject({
      outcome: "approved",
      via: "elicitation",
      stdout: "once",
    });
    expect(readdirSync(home).sort()).toEqual(["audit", "config.json", "format", "keys"]);
  });

  test("a dialog that is dismissed leaves the approval not obtained, and the next call can be approved", async () => {
    const { client, home } = await connectInMemory({ capabilities: showsForms }, { config });
    const call = client.call("run_command", printing);
    const dialog = await client.firstOf("elicitation/create");
    client.answer(dialog, { action: "cancel" });
    expect((await client.resultOf(call)).structuredContent).toMatchObject({ outcome: "not_obtained" });
    const next = client.call("run_command", printing);
    const isNext = ({ method, id }: { method?: string; id?: string | number }): boolean =>
      method === "elicitation/create" && id !== dialog.id;
    client.answer(await client.first(isNext), approval);
    expect((await client.resultOf(next)).structuredContent).toMatchObject({ outcome: "approved" });
    expect(existsSync(join(home, "pending"))).toBe(false);
  });

  test("a client without a dialog is refused with the reason, until the channel is there again", async () => {
    const server = await connectInMemory({}, { config });
    const result = await server.client.resultOf(
      server.client.call("run_command", { argv: ["touch", "ran"] }, withProgress),
    );
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { outcome: "failed", code: "approval_unavailable", request: null },
    });
    expect(textOf(result)).toMatch(/^Failed, no person could be asked and nothing ran: .*switched off/);
    expect(readdirSync(server.work)).toEqual([]);
    expect(readdirSync(server.home).sort()).toEqual(["audit", "config.json", "format", "keys"]);
    writeAcceptedConfig(server.home, {});
    const { client } = await again(server);
    const call = client.call("run_command", printing, withProgress);
    await waitingProgress(client);
    server.face.approve(server.face.only());
    expect((await client.resultOf(call)).structuredContent).toMatchObject({ outcome: "approved" });
  });
});

describe("a configuration that cannot be used", () => {
  test.each(brokenConfigs)(
    "because it is $what lets only a terminal answer, and a good one works",
    async ({ plant, says }) => {
      const server = await connectInMemory({ capabilities: showsForms }, { config: {} });
      plant(server.home);
      const call = server.client.call("run_command", printing, withProgress);
      await waitingProgress(server.client);
      await server.client.roundTrip();
      expect(server.client.allOf("elicitation/create")).toEqual([]);
      const { reasons } = server.face.only();
      expect(reasons[0]).toBe("no rule speaks of it, so it asks");
      expect(reasons[1]).toContain("config.json cannot be used: ");
      expect(reasons[1]).toContain(says);
      expect(reasons[1]).toContain("only a terminal outside the client answers");
      expect(server.face.only()).toMatchObject({ scopes: ["once"], subject: { pattern: null } });
      server.face.approve(server.face.only());
      expect((await server.client.resultOf(call)).structuredContent).toMatchObject({ outcome: "approved" });
      writeAcceptedConfig(server.home, { approval: { unseenAnswerMs: 0 } });
      const good = await again(server, { capabilities: showsForms });
      const next = good.client.call("run_command", printing);
      good.client.answer(await good.client.firstOf("elicitation/create"), approval);
      expect((await good.client.resultOf(next)).structuredContent).toMatchObject({ via: "elicitation" });
    },
  );

  test("where no channel can be used either refuses, naming what to repair first", async () => {
    const { root, remove } = makePlaces();
    vi.stubEnv("HOME", root);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      remove();
    });
    const environment = { WISP_HOME: "not/absolute" };
    const standard = join(root, ".wisp");
    writeConfig(standard, { approval: { zebra: 1 } });
    const { client, work } = await connectInMemory({ capabilities: showsForms }, { environment });
    const touching = { argv: ["touch", "ran"] };
    const result = await client.resultOf(client.call("run_command", touching));
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { outcome: "failed", code: "config_invalid", request: null },
    });
    expect(textOf(result)).toContain("config.json cannot be used: config.json:1: approval.zebra is no key.");
    expect(textOf(result)).toContain("WISP_HOME=not/absolute is not an absolute path");
    expect(client.allOf("elicitation/create")).toEqual([]);
    expect(readdirSync(work)).toEqual([]);
    // The same with a good file: the default home's, for the one that was named is refused.
    writeAcceptedConfig(standard, { approval: { unseenAnswerMs: 0 } });
    const good = await connectInMemory({ capabilities: showsForms }, { environment });
    const call = good.client.call("run_command", printing);
    good.client.answer(await good.client.firstOf("elicitation/create"), approval);
    expect((await good.client.resultOf(call)).structuredContent).toMatchObject({ outcome: "approved" });
  });

  test("of a client without a dialog is not what keeps it from asking where the channel cannot be used", async () => {
    const { root, remove } = makePlaces();
    vi.stubEnv("HOME", root);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      remove();
    });
    writeConfig(join(root, ".wisp"), "{");
    const { client } = await connectInMemory({}, { environment: { WISP_HOME: "not/absolute" } });
    const result = await client.resultOf(client.call("run_command", printing));
    expect(result.structuredContent).toMatchObject({ outcome: "failed", code: "approval_unavailable" });
  });
});

describe("the home whose configuration counts", () => {
  test("is the default one where the named one is refused, and the named one's counts for nothing", async () => {
    const { root, remove } = makePlaces();
    vi.stubEnv("HOME", root);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      remove();
    });
    const foreign = join(root, "foreign");
    writeAcceptedConfig(foreign, { approval: { unseenAnswerMs: 0 } });
    writeFileSync(join(foreign, "format"), "somebody else\n", { mode: 0o600 });
    writeConfig(join(root, ".wisp"), { approval: { require: ruledOut } });
    const introduction = { capabilities: showsForms };
    const { client } = await connectInMemory(introduction, { environment: { WISP_HOME: foreign } });
    const result = await client.resultOf(client.call("run_command", printing));
    expect(textOf(result)).toContain("does not count for what is moderate");
    expect(client.allOf("elicitation/create")).toEqual([]);
    writeConfig(join(root, ".wisp"), {});
    const good = await connectInMemory(introduction, { environment: { WISP_HOME: foreign } });
    const call = good.client.call("run_command", printing);
    good.client.answer(await good.client.firstOf("elicitation/create"), approval);
    expect((await good.client.resultOf(call)).structuredContent).toMatchObject({ outcome: "approved" });
  });
});
