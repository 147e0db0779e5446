/** Calls of the first major as a hand-made server hands them over: what is sent, and what an answer or an error means. */
import { expect, it, onTestFinished } from "vitest";
import type { ContextV1 } from "../../../src/server/library/call-context.js";
import type { Wisp } from "../../../src/server/library/wisp.js";
import { type FakePerson, fakePerson } from "../../../src/server/testing/fake-person.js";

interface Sent {
  readonly method: string;
  readonly params?: object | undefined;
}

interface Scene {
  readonly wisp: Wisp;
  readonly person: FakePerson;
  /** Requests and notifications, in order. */
  readonly sent: Sent[];
  readonly controller: AbortController;
  context(answer?: () => Promise<unknown>): ContextV1;
}

function scene(capabilities: unknown = { elicitation: {} }): Scene {
  const person = fakePerson();
  const server = {
    getClientCapabilities: () => capabilities,
    getClientVersion: () => ({ name: "raw", version: "1" }),
  };
  const wisp = person.wisp({ name: "notes", server });
  onTestFinished(async () => {
    await wisp.close();
    person.leave();
  });
  const sent: Sent[] = [];
  const controller = new AbortController();
  return {
    wisp,
    person,
    sent,
    controller,
    context: (answer = () => new Promise(() => undefined)) => ({
      signal: controller.signal,
      _meta: { progressToken: "p" },
      async sendRequest(request) {
        sent.push(request);
        return await answer();
      },
      async sendNotification(notification) {
        sent.push(notification);
      },
    }),
  };
}

const about = { tool: "erase", arguments: { name: "list" } };
const run = () => ({ content: [] });

it("a form goes to the client, with titles as all its revisions know them, and progress says where to answer", async () => {
  const { wisp, sent, context } = scene();
  const answer = async () => ({ action: "accept", content: { decision: "approve" } });
  expect(await wisp.ask(context(answer), about, run)).toEqual({ content: [] });
  const form = sent.find(({ method }) => method === "elicitation/create");
  expect(form?.params).toMatchObject({
    mode: "form",
    requestedSchema: { properties: { decision: { enum: expect.arrayContaining(["deny", "approve"]) } } },
  });
  const progress = sent.filter(({ method }) => method === "notifications/progress");
  expect(progress.map(({ params }) => params)).toContainEqual(
    expect.objectContaining({
      progressToken: "p",
      message: expect.stringContaining("wisp approvals approve"),
    }),
  );
});

it("a client that has no dialog after all leaves the person at a terminal to answer", async () => {
  const { wisp, person, sent, context } = scene();
  const refusing = () => Promise.reject(Object.assign(new Error("no such method"), { code: -32_601 }));
  const asking = wisp.ask(context(refusing), about, run);
  await person.asked();
  person.says("approve");
  expect(await asking).toEqual({ content: [] });
  person.says(null);
  const again = wisp.ask(context(refusing), { ...about, arguments: { name: "other" } }, run);
  await person.asked();
  person.says("approve");
  expect(await again).toEqual({ content: [] });
  // It said that it has none, so it was not asked a second time.
  expect(sent.filter(({ method }) => method === "elicitation/create")).toHaveLength(1);
});

it("a client that declares no forms is sent none", async () => {
  const { wisp, person, sent, context } = scene({});
  person.says("approve");
  expect(await wisp.ask(context(), about, run)).toEqual({ content: [] });
  expect(sent.filter(({ method }) => method === "elicitation/create")).toEqual([]);
});

it("a call that was cancelled before it is asked about asks nobody; the next one does", async () => {
  const { wisp, person, controller, context } = scene({});
  controller.abort();
  const result = await wisp.ask(context(), about, run);
  expect(result).toMatchObject({ isError: true, _meta: { "wisp/refusal": { code: "approval_abandoned" } } });
  const fresh = { ...context(), signal: new AbortController().signal };
  person.says("approve");
  expect(await wisp.ask(fresh, about, run)).toEqual({ content: [] });
});

it("a call that is cancelled while it looks at the state once more does nothing; the next one asks, and does it", async () => {
  const { wisp, person, controller, context } = scene({});
  let looks = 0;
  const state = () => {
    looks += 1;
    if (looks === 2) controller.abort();
    return { list: "milk" };
  };
  person.says("approve");
  let runs = 0;
  const result = await wisp.ask(context(), { ...about, state }, () => {
    runs += 1;
    return run();
  });
  expect(looks).toBe(2);
  expect(result).toMatchObject({ _meta: { "wisp/refusal": { code: "approval_abandoned" } } });
  expect(runs).toBe(0);
  const fresh = { ...context(), signal: new AbortController().signal };
  expect(await wisp.ask(fresh, { ...about, state }, run)).toEqual({ content: [] });
});

function holdingItself(): Readonly<Record<string, unknown>> {
  const object: Record<string, unknown> = { name: "list" };
  object.again = [object];
  return object;
}

function nested(depth: number): Readonly<Record<string, unknown>> {
  return depth === 0 ? {} : { in: nested(depth - 1) };
}

it.each([
  ["a number that is rounded on the way", { size: 2 ** 53 }],
  ["a lone surrogate", { name: "\ud800" }],
  ["NUL", { name: "a\0b" }],
  ["a value that JSON has no word for", { size: 1n }],
  ["no number", { size: Number.NaN }],
  ["a number without end", { size: [Number.POSITIVE_INFINITY] }],
  ["undefined in a list", { names: ["a", undefined] }],
  ["a gap in a list", { names: Object.assign(["a"], { length: 3 }) }],
  ["a function", { size: () => 1 }],
  ["a symbol", { size: Symbol("s") }],
  ["a date", { on: new Date(0) }],
  ["a map", { of: new Map([["a", 1]]) }],
  ["what writes itself as something else", { on: { toJSON: () => "other" } }],
  ["a key that is no text", { [Symbol("k")]: 1 }],
  ["an object that holds itself", holdingItself()],
  ["more depth than anybody shows", nested(1_000)],
])("arguments with %s are refused, and nobody is asked; plain ones are asked about", async (_what, given) => {
  const { wisp, person, context } = scene({});
  const result = await wisp.ask(context(), { ...about, arguments: given }, run);
  expect(result).toMatchObject({ isError: true, _meta: { "wisp/refusal": { code: "invalid_input" } } });
  const asking = wisp.ask(context(), about, run);
  expect(await person.asked()).toMatchObject({ subject: { arguments: { name: "list" } } });
  person.says("approve");
  expect(await asking).toEqual({ content: [] });
});

it("arguments that are left out are not shown", async () => {
  const { wisp, person, context } = scene({});
  const asking = wisp.ask(context(), { ...about, arguments: { name: "list", size: undefined } }, run);
  expect(await person.asked()).toMatchObject({ subject: { arguments: { name: "list" } } });
  person.says("approve");
  expect(await asking).toEqual({ content: [] });
});

it("arguments that are refused are named by their place, and the same object twice is none of them", async () => {
  const { wisp, person, context } = scene({});
  const result = await wisp.ask(context(), { ...about, arguments: { a: [{ b: Number.NaN }] } }, run);
  expect(JSON.stringify(result)).toContain("The arguments are no JSON: $.a[0].b is NaN.");
  const shared = { name: "list" };
  person.says("approve");
  expect(await wisp.ask(context(), { ...about, arguments: { a: shared, b: [shared] } }, run)).toEqual({
    content: [],
  });
});

it.each([
  ["nothing", undefined],
  ["null", null],
  ["a text", "ctx"],
  ["an empty object", {}],
  ["the arguments of the tool", { name: "list" }],
  ["a signal alone", { signal: new AbortController().signal }],
  ["one of the second major without its ways", { mcpReq: { signal: new AbortController().signal } }],
  ["one of the second major that is none", { mcpReq: null }],
])("a context that is %s is refused as one, and nobody is asked", async (_what, wrong) => {
  const { wisp, person, context } = scene({});
  await expect(wisp.ask(wrong as unknown as ContextV1, about, run)).rejects.toMatchObject({
    code: "invalid_input",
    message: "That is no context of a call.",
  });
  person.says("approve");
  expect(await wisp.ask(context(), about, run)).toEqual({ content: [] });
});

it("a state that cannot be looked at is refused, and nobody is asked", async () => {
  const { wisp, person, context } = scene({});
  const state = () => Promise.reject(new Error("no such note"));
  const result = await wisp.ask(context(), { ...about, state }, run);
  expect(result).toMatchObject({ isError: true, _meta: { "wisp/refusal": { code: "invalid_input" } } });
  expect(JSON.stringify(result)).toContain("no such note");
  person.says("approve");
  expect(await wisp.ask(context(), about, run)).toEqual({ content: [] });
});

it.each(["", "Notes", "my notes", "-notes", "n".repeat(33)])(
  "a server cannot be called %j, for no rule could speak of it",
  (name) => {
    const { person } = scene();
    const server = { getClientCapabilities: () => ({}), getClientVersion: () => null };
    expect(() => person.wisp({ name, server })).toThrow(/cannot be the name of a server/);
    expect(() => person.wisp({ name: "notes-2", server })).not.toThrow();
  },
);
