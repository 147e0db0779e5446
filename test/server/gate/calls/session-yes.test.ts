/** A yes for the session: what it lets through without asking again, and when it does not count any more. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makePlaces, waitingProgress } from "../../../support/mcp-server.js";
import { openGateIn } from "../../../support/memory-gate.js";
import { acceptPolicy } from "../../../support/policy-files.js";
import { done, writeFile } from "../../../support/scripted-upstream.js";

/** A gate before which a call was approved for the session; each further call asks, or does not. */
async function approvedForSession(state: object | null) {
  const places = makePlaces();
  const file = join(places.work, "a");
  writeFileSync(file, "one\n");
  const rule = state === null ? "mcp__fs__write_file" : { rule: "mcp__fs__write_file", state };
  await acceptPolicy(places.home, { ask: [rule] });
  const memory = await openGateIn("2025-11-25", { capabilities: {}, places });
  const given = { path: file, content: "two\n" };
  let calls = 0;
  /** Calls; approves where somebody is asked. */
  async function isAsked(args: Readonly<Record<string, unknown>> = given): Promise<boolean> {
    calls += 1;
    const token = `p${calls}`;
    const call = memory.call(args, token);
    const waiting = waitingProgress(memory.client, token).then(() => true);
    const asked = await Promise.race([waiting, call.result().then(() => false)]);
    if (asked) memory.face.approve(memory.face.only());
    expect(await call.result()).toEqual(done);
    return asked;
  }
  const first = memory.call(given, "first");
  await waitingProgress(memory.client, "first");
  const { scopes } = memory.face.only();
  memory.face.approve(memory.face.only(), { scope: "session" });
  expect(await first.result()).toEqual(done);
  return { memory, file, given, isAsked, scopes };
}

test("lets the same call through again, and no call with other arguments", async () => {
  const { memory, given, isAsked } = await approvedForSession({ paths: ["$.path"] });
  expect(await isAsked()).toBe(false);
  expect(await isAsked({ ...given, content: "three\n" })).toBe(true);
  expect(await isAsked({ ...given, mode: "append" })).toBe(true);
  expect(await isAsked()).toBe(false);
  expect(memory.upstream.calls).toHaveLength(5);
});

test("does not count any more once the tool says something else of itself", async () => {
  const { memory, isAsked } = await approvedForSession({ paths: ["$.path"] });
  expect(await isAsked()).toBe(false);
  memory.upstream.tools = [{ ...writeFile, description: "Deletes a file." }];
  memory.upstream.wire.notify("notifications/tools/list_changed");
  await memory.client.firstOf("notifications/tools/list_changed");
  expect(await isAsked()).toBe(true);
});

test("does not count while what it is bound to is another one", async () => {
  const { file, isAsked } = await approvedForSession({ paths: ["$.path"] });
  expect(await isAsked()).toBe(false);
  writeFileSync(file, "other\n");
  expect(await isAsked()).toBe(true);
});

test("that does not count any more is named by the request that asks again, and by no other", async () => {
  const { memory, file, given } = await approvedForSession({ paths: ["$.path"] });
  const why = "the yes for the session does not count: what it was for is another now";
  const ask = async (token: string, args: Readonly<Record<string, unknown>>) => {
    const call = memory.call(args, token);
    await waitingProgress(memory.client, token);
    const { reasons } = memory.face.only();
    memory.face.approve(memory.face.only());
    expect(await call.result()).toEqual(done);
    return reasons;
  };
  expect(await ask("other", { ...given, content: "three\n" })).not.toContain(why);
  writeFileSync(file, "other\n");
  expect(await ask("again", given)).toContain(why);
});

test("is for the session at most, whatever is bound", async () => {
  for (const state of [null, "none", { paths: ["$.path"] }]) {
    const { scopes } = await approvedForSession(state as object | null);
    expect(scopes).toEqual(["once", "session"]);
  }
});
