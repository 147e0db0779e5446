/** The person that authors get for their tests. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Wisp } from "../../../src/server/library/wisp.js";
import { type FakePerson, fakePerson } from "../../../src/server/testing/fake-person.js";

const server = { getClientCapabilities: () => ({}), getClientVersion: () => null };

const context = () => ({
  signal: new AbortController().signal,
  sendRequest: async () => ({}),
  sendNotification: async () => undefined,
});

function asked(): { readonly person: FakePerson; readonly wisp: Wisp; ask(name: string): Promise<unknown> } {
  const person = fakePerson();
  const wisp = person.wisp({ name: "notes", server });
  onTestFinished(async () => {
    await wisp.close();
    person.leave();
  });
  const ask = (name: string) =>
    wisp.ask(context(), { tool: "erase", arguments: { name } }, () => ({ done: name }));
  return { person, wisp, ask };
}

it("says nothing at first, and then also answers what waits already", async () => {
  const { person, ask } = asked();
  const asking = ask("list");
  expect(await person.asked()).toMatchObject({ subject: { arguments: { name: "list" } } });
  person.says("approve");
  expect(await asking).toEqual({ done: "list" });
});

it("says what the test makes of each request", async () => {
  const { person, ask } = asked();
  person.says((request) =>
    JSON.stringify(request).includes("private") ? { no: "not that one" } : "approve",
  );
  expect(await ask("list")).toEqual({ done: "list" });
  expect(JSON.stringify(await ask("private"))).toContain("not that one");
  expect(await ask("other")).toEqual({ done: "other" });
});

it("tells each request once, oldest first, also those that came before anybody asked for them", async () => {
  const { person, ask } = asked();
  const first = ask("one");
  const told = await person.asked();
  const second = ask("two");
  person.says("approve");
  await Promise.all([first, second]);
  expect(told).toMatchObject({ subject: { arguments: { name: "one" } } });
  expect(await person.asked()).toMatchObject({ subject: { arguments: { name: "two" } } });
});

it("declines a question without words", async () => {
  const { person, wisp } = asked();
  person.says("decline");
  const reply = await wisp.question(context(), { question: "Which shelf?" });
  expect(reply).toMatchObject({ kind: "declined", result: { isError: true } });
});

it("leaves nothing behind", async () => {
  const person = fakePerson();
  const wisp = person.wisp({ name: "notes", server });
  person.says("deny");
  await wisp.ask(context(), { tool: "erase", arguments: {} }, () => ({}));
  await wisp.close();
  person.leave();
  expect(existsSync(dirname(person.home))).toBe(false);
});
