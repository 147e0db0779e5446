/** Calls that a rule lets through, and calls that there is nothing to judge by. */
import { describe, expect, test } from "vitest";
import type { Timer } from "../../../../src/broker/index.js";
import { createPins } from "../../../../src/server/gate/state/gate-pins.js";
import { revisions } from "../../../support/era-call.js";
import { FakeClock } from "../../../support/fake-clock.js";
import { approval, readAtOnce, waitingProgress } from "../../../support/mcp-server.js";
import { openGateIn } from "../../../support/memory-gate.js";
import { memoryPins, PinShelf } from "../../../support/memory-pins.js";
import { envelope } from "../../../support/modern-client.js";
import { PatientClock } from "../../../support/patient-clock.js";
import { acceptPolicy, writePolicy } from "../../../support/policy-files.js";
import { done, readFile, writeFile } from "../../../support/scripted-upstream.js";

const allowsReads = { allow: ["mcp__fs__read_file"] };

/** One whose log waits for the test as well. */
class LogClock extends PatientClock {
  override after(delayMs: number, run: () => void): Timer {
    return delayMs === 250 ? FakeClock.prototype.after.call(this, delayMs, run) : super.after(delayMs, run);
  }
}

describe("a call that a rule allows", () => {
  test.each(revisions)("asks nobody, and its answer goes on byte for byte (%s)", async (revision) => {
    const memory = await openGateIn(revision);
    await acceptPolicy(memory.home, allowsReads);
    const { client, upstream, lines } = memory;
    upstream.onCall = null;
    const params = {
      name: "read_file",
      arguments: { path: "/a", more: [1.5, null, "\u{1f600}"] },
      ...(revision === "2026-07-28" && { _meta: { ...envelope(), "vendor/x": { kept: true } } }),
    };
    const id = client.request("tools/call", params);
    const call = await upstream.wire.firstOf("tools/call");
    expect(call).toEqual({ jsonrpc: "2.0", id, method: "tools/call", params });
    // Written as no serializer here would write it, with a type of content that nobody knows.
    const answer = `{"result" : {"content":[{"type":"hologram","x":1e2}],"new":{}}, "id":${id},"jsonrpc":"2.0"}`;
    upstream.says(answer);
    await client.responseTo(id);
    expect(lines.at(-1)).toBe(`${answer}\n`);
    expect(memory.face.waiting()).toEqual([]);
  });

  test("makes the gate ask the server with the client's envelope, and with nothing else of its `_meta`", async () => {
    const memory = await openGateIn("2026-07-28");
    await acceptPolicy(memory.home, allowsReads);
    const { client, upstream } = memory;
    const own = { progressToken: "p", "vendor/x": 1 };
    const read = client.request("tools/call", {
      name: "read_file",
      arguments: {},
      _meta: { ...envelope(), ...own },
    });
    expect(await client.resultOf(read)).toEqual(done);
    expect(upstream.wire.allOf("tools/list").map(({ params }) => params?._meta)).toEqual([envelope()]);
  });

  test("is written down with what it was to, and never with what was in it", async () => {
    const memory = await openGateIn("2025-11-25");
    await acceptPolicy(memory.home, allowsReads);
    const { client, gate } = memory;
    await client.resultOf(client.call("read_file", { path: "/secret-name" }));
    await gate.close("the test looks at the log");
    const passed = memory.face.audit().filter(({ kind }) => kind === "call.passed");
    expect(passed).toMatchObject([
      { verified: { server: "fs", tool: "read_file", arguments: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    ]);
    expect(JSON.stringify(memory.face.audit())).not.toContain("secret-name");
  });

  test.each(revisions)(
    "is on disk before it is sent where it is the first, and else soon after (%s)",
    async (revision) => {
      const clock = new LogClock();
      const memory = await openGateIn(revision, { clock, capabilities: {} });
      await acceptPolicy(memory.home, allowsReads);
      const passed = () => memory.face.audit().filter(({ kind }) => kind === "call.passed").length;
      const seen: number[] = [];
      memory.upstream.onCall = () => {
        seen.push(passed());
        return done;
      };
      for (const token of ["a", "b"]) await memory.call({}, token, "read_file").result();
      expect(seen).toEqual([1, 1]);
      clock.advance(250);
      await expect.poll(passed).toBe(2);
    },
  );

  test.each(revisions)(
    "reaches nobody while the log cannot be written, from the first on (%s)",
    async (revision) => {
      const memory = await openGateIn(revision, { capabilities: {} });
      await acceptPolicy(memory.home, allowsReads);
      memory.failing = "durable";
      for (const token of ["a", "b"]) {
        expect(await memory.call({}, token, "read_file").result()).toMatchObject({
          isError: true,
          _meta: { "wisp/refusal": { code: "audit_unavailable", retryable: true } },
        });
      }
      expect(memory.upstream.calls).toEqual([]);
      memory.failing = "none";
      expect(await memory.call({}, "c", "read_file").result()).toEqual(done);
      expect(memory.upstream.calls).toHaveLength(1);
    },
  );

  test("reaches nobody after a write that failed, until the log has those that had gone by", async () => {
    const clock = new LogClock();
    const memory = await openGateIn("2025-11-25", { clock, capabilities: {} });
    await acceptPolicy(memory.home, allowsReads);
    const read = (token: string) => memory.call({}, token, "read_file").result();
    const passed = () => memory.face.audit().filter(({ kind }) => kind === "call.passed").length;
    for (const token of ["a", "b"]) expect(await read(token)).toEqual(done);
    memory.failing = "plain";
    clock.advance(250);
    await new Promise(setImmediate);
    memory.failing = "durable";
    expect(await read("c")).toMatchObject({ isError: true });
    expect(memory.upstream.calls).toHaveLength(2);
    expect(passed()).toBe(1);
    memory.failing = "none";
    expect(await read("d")).toEqual(done);
    expect(passed()).toBe(3);
  });

  test("is asked about where another server of the name was let through while this one was looked at", async () => {
    const shelf = new PinShelf();
    const [pins, others] = [createPins(memoryPins(shelf)), createPins(memoryPins(shelf))];
    let isFirst = true;
    const memory = await openGateIn("2025-11-25", {
      config: readAtOnce,
      pins: {
        ...pins,
        async pin(server, tool, by) {
          if (isFirst) await others.pin({ ...server, hash: "0f".repeat(32), text: "another" }, tool, "rule");
          isFirst = false;
          await pins.pin(server, tool, by);
        },
      },
    });
    await acceptPolicy(memory.home, allowsReads);
    const call = memory.call({}, "p", "read_file");
    await call.dialog();
    expect(memory.upstream.calls).toEqual([]);
    expect(memory.face.only().subject).toMatchObject({ definition: { before: "another" } });
    memory.face.approve(memory.face.only());
    expect(await call.result()).toEqual(done);
    expect(await memory.call({}, "q", "read_file").result()).toEqual(done);
  });

  test("is asked about once its definition is another than the one that was allowed", async () => {
    const memory = await openGateIn("2025-11-25", { config: readAtOnce });
    await acceptPolicy(memory.home, allowsReads);
    const { client, upstream } = memory;
    await client.resultOf(client.call("read_file", {}));
    upstream.tools = [writeFile, { ...readFile, description: "Reads a file, and mails it." }];
    upstream.wire.notify("notifications/tools/list_changed");
    await client.firstOf("notifications/tools/list_changed");
    const second = memory.call({}, "second", "read_file");
    await second.dialog();
    expect(memory.face.only().subject).toMatchObject({
      tool: "read_file",
      definition: { before: expect.not.stringContaining("mails"), after: expect.stringContaining("mails") },
    });
    second.reply(approval);
    expect(await second.result()).toEqual(done);
    // That yes pins the new one.
    expect(await client.resultOf(client.call("read_file", {}))).toEqual(done);
    expect(memory.client.allOf("elicitation/create")).toHaveLength(1);
  });
});

describe("a call that a rule denies", () => {
  test.each(revisions)("reaches nobody, and says so in `_meta` alone (%s)", async (revision) => {
    const memory = await openGateIn(revision);
    writePolicy(memory.home, { deny: [{ rule: "mcp__fs__write_file", reason: "write nothing" }] });
    const result = await memory.call({}, "p").result();
    expect(result).toMatchObject({
      isError: true,
      _meta: { "wisp/refusal": { code: "policy_refused", retryable: false } },
    });
    expect(result).not.toHaveProperty("structuredContent");
    expect(result.content?.[0]?.text).toMatch(
      /^Refused: write nothing\. A rule of the person's refuses this/,
    );
    await acceptPolicy(memory.home, allowsReads);
    expect(await memory.call({}, "q", "read_file").result()).toEqual(done);
    expect(memory.upstream.calls).toHaveLength(1);
  });
});

describe("a gate that is read-only", () => {
  test("refuses what nothing proves to read, whatever the server says of it, and passes the rest", async () => {
    const memory = await openGateIn("2025-11-25", { isReadOnly: true });
    for (const name of ["write_file", "read_file"]) {
      expect(await memory.call({}, name, name).result()).toMatchObject({
        isError: true,
        _meta: { "wisp/refusal": { code: "read_only_mode" } },
      });
    }
    expect(memory.face.waiting()).toEqual([]);
    await memory.client.roundTrip();
    expect(memory.upstream.calls).toEqual([]);
  });

  test.each(revisions)(
    "refuses what a rule allows that does not say it only reads (%s)",
    async (revision) => {
      const memory = await openGateIn(revision, { isReadOnly: true });
      const proven = { rule: "mcp__fs__read_file", readOnly: true };
      await acceptPolicy(memory.home, { allow: ["mcp__fs__write_file", proven] });
      expect(await memory.call({}, "p").result()).toMatchObject({
        isError: true,
        _meta: { "wisp/refusal": { code: "read_only_mode" } },
      });
      expect(memory.face.waiting()).toEqual([]);
      expect(await memory.call({}, "q", "read_file").result()).toEqual(done);
      expect(memory.upstream.calls).toHaveLength(1);
    },
  );
});

describe("the definition of a tool", () => {
  test.each(revisions)("is asked for, page by page, where a call comes first (%s)", async (revision) => {
    const memory = await openGateIn(revision);
    await acceptPolicy(memory.home, allowsReads);
    memory.upstream.pageSize = 1;
    expect(await memory.call({}, "p", "read_file").result()).toEqual(done);
    const lists = memory.upstream.wire.allOf("tools/list");
    expect(lists.map(({ params }) => params?.cursor)).toEqual([undefined, "1"]);
    expect(new Set(lists.map(({ id }) => id)).size).toBe(2);
    for (const { id } of lists) expect(id).toMatch(/^wisp:/);
    // None of it is the client's.
    expect(memory.client.received.filter(({ id }) => String(id).startsWith("wisp:"))).toEqual([]);
  });

  test("is learnt from the lists that go by", async () => {
    const memory = await openGateIn("2025-11-25");
    await acceptPolicy(memory.home, allowsReads);
    const { client, upstream } = memory;
    await client.responseTo(client.request("tools/list"));
    await client.resultOf(client.call("read_file", {}));
    expect(upstream.wire.allOf("tools/list")).toHaveLength(1);
  });

  test.each([
    ["no tool of that name", [readFile]],
    ["several of that name", [readFile, writeFile, writeFile]],
  ])("that is none (%s) lets nothing be forwarded", async (_what, tools) => {
    const memory = await openGateIn("2025-11-25");
    await acceptPolicy(memory.home, { allow: ["mcp__fs__*"] });
    memory.upstream.tools = tools;
    const { client } = memory;
    const { error } = await client.responseTo(client.call("write_file", {}));
    expect(error).toMatchObject({ code: -32_602, message: expect.stringContaining("write_file") });
    expect(await client.resultOf(client.call("read_file", {}))).toEqual(done);
    expect(memory.upstream.calls).toHaveLength(1);
  });

  test("that cannot be had lets nothing be forwarded, and is asked for again by the next call", async () => {
    const memory = await openGateIn("2025-11-25");
    await acceptPolicy(memory.home, allowsReads);
    const { client, upstream } = memory;
    const { tools } = upstream;
    upstream.tools = "none" as unknown as typeof tools;
    expect(await client.resultOf(client.call("read_file", {}))).toMatchObject({
      isError: true,
      _meta: { "wisp/refusal": { code: "upstream_unavailable", retryable: true } },
    });
    upstream.tools = tools;
    expect(await client.resultOf(client.call("read_file", {}))).toEqual(done);
    expect(upstream.calls).toHaveLength(1);
  });
});

describe("what is no call of a tool", () => {
  test("goes both ways as it was received", async () => {
    const { gate, client, upstream, lines } = await openGateIn("2025-11-25");
    const line =
      '{"method":"resources/read","jsonrpc":"2.0","params":{"uri":"x:\\u0079","odd":{}},"id":"r"}\n';
    gate.fromClient(Buffer.from(line));
    await upstream.wire.firstOf("resources/read");
    expect(upstream.lines.at(-1)).toBe(line);
    for (const said of [
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":  1}}',
      '{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{}}',
      '{"jsonrpc":"2.0","id":"r","error":{"code":1,"message":"no","data":[]}}',
    ]) {
      upstream.says(said);
      await expect.poll(() => lines.at(-1)).toBe(`${said}\n`);
    }
    await client.roundTrip();
  });
});

test("the gate tells no progress of its own once the call was sent", async () => {
  const clock = new LogClock();
  const memory = await openGateIn("2025-11-25", { capabilities: {}, clock, config: readAtOnce });
  const { client, upstream } = memory;
  upstream.onCall = null;
  const call = memory.call({ path: "/a" }, "p");
  await waitingProgress(client);
  const before = client.allOf("notifications/progress").length;
  clock.advance(20_000);
  await client.roundTrip();
  expect(client.allOf("notifications/progress").length).toBeGreaterThan(before);
  memory.face.approve(memory.face.only());
  const { id } = await upstream.wire.firstOf("tools/call");
  upstream.wire.notify("notifications/progress", { progressToken: "p", progress: 5 });
  await client.first(({ params }) => params?.progress === 5);
  clock.advance(60_000);
  upstream.says(JSON.stringify({ jsonrpc: "2.0", id, result: done }));
  expect(await call.result()).toEqual(done);
  expect(client.allOf("notifications/progress").at(-1)?.params?.progress).toBe(5);
});

test("progress of the gate's own stays below one, so that the server's stays increasing", async () => {
  const memory = await openGateIn("2025-11-25", { capabilities: {} });
  const { client, upstream } = memory;
  upstream.onCall = ({ params }) => {
    const { progressToken } = (params?._meta ?? {}) as { readonly progressToken?: string };
    upstream.wire.notify("notifications/progress", { progressToken, progress: 1 });
    return done;
  };
  const call = memory.call({ path: "/a" }, "p");
  await waitingProgress(client);
  memory.face.approve(memory.face.only());
  expect(await call.result()).toEqual(done);
  const numbers = client.allOf("notifications/progress").map(({ params }) => Number(params?.progress));
  expect(numbers.length).toBeGreaterThan(2);
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  expect(numbers.at(-1)).toBe(1);
  expect(numbers.filter((number) => number < 1)).toHaveLength(numbers.length - 1);
});
