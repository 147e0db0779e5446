/** Facts and questions whose server was stopped or killed, decided with the built programs. */
import { describe, expect } from "vitest";
import { type Home, homeAt } from "../../src/broker/channel/home.js";
import { wispOn } from "../support/built.js";
import { chatOn, leave } from "../support/chat-pty.js";
import { personAt, testCommand } from "../support/fact-server.js";
import { factState } from "../support/fact-trip.js";
import { replyPrompt, test } from "../support/person.js";
import { type Pty, startInPty } from "../support/pty.js";
import { asksPerson, ownPlaces, serve } from "../support/served.js";
import { openFace } from "../support/temp-home.js";
import { openTui, pressUntil } from "../support/tui.js";

const serverGone = 9;
const over = { isWaiting: false, hasSlot: false };

/** A fact of a built server that is stopped. */
async function stopped() {
  const served = await serve(ownPlaces());
  const { child, client } = served.server;
  const proposes = async () =>
    (await client.resultOf(client.call("keep_fact", testCommand))).structuredContent;
  await proposes();
  const request = personAt(served).only();
  child.kill("SIGSTOP");
  const waiting = `waiting for the server (process ${child.pid})`;
  const home = homeAt(served.home, false);
  return { home, request, waiting, proposes, goOn: () => void child.kill("SIGCONT") };
}

/** A question of a built server. */
async function asked() {
  const served = await serve(ownPlaces());
  const call = await asksPerson(served, { question: "Which region?" });
  const { child, client } = served.server;
  const { id } = served.face.question();
  const home = homeAt(served.home, false);
  return { home, id, child, result: () => client.resultOf(call), ended: served.server.ended };
}

function typing(home: Home, ...words: readonly string[]): Pty {
  return startInPty(wispOn(home, ...words), { isApart: true, columns: 120 });
}

/** Each waits for seconds before it says for whom. */
const waitsForServer = {
  async drop() {
    const { home, request, waiting, proposes, goOn } = await stopped();
    const pty = typing(home, "facts", "drop", request.id);
    await pty.seen(waiting);
    expect(factState(home, request)).toMatchObject({ standing: "undecided", hasSlot: true });
    goOn();
    expect(await pty.ended).toBe(0);
    expect(pty.output()).toMatch(/^dropped \([^)]+\): /m);
    expect(factState(home, request)).toEqual({ ...over, standing: "dropped", told: "drop" });
    expect(await proposes()).toMatchObject({ outcome: "refused", code: "fact_dropped" });
  },

  async chat() {
    const { home, request, waiting, goOn } = await stopped();
    const pty = await chatOn(home, { isApart: true });
    pty.type(`/facts keep ${request.id}\r`);
    await pty.seen(waiting);
    expect(factState(home, request)).toMatchObject({ standing: "undecided", hasSlot: true });
    goOn();
    await pty.seen("kept (project, ");
    await leave(pty);
    expect(factState(home, request)).toEqual({ ...over, standing: "kept", told: "keep" });
  },

  async answer() {
    const { home, id, child, result } = await asked();
    child.kill("SIGSTOP");
    const pty = typing(home, "questions", "answer", id);
    await pty.seen(replyPrompt);
    pty.type("eu\n");
    await pty.seen(`waiting for the server (process ${child.pid})`);
    child.kill("SIGCONT");
    expect(await pty.ended).toBe(0);
    expect((await result()).structuredContent).toMatchObject({ outcome: "answered", answer: { text: "eu" } });
  },
};

describe("a stopped server is waited for, and carries it out when it goes on", () => {
  test("by facts drop, by chat and by questions answer", async ({ person: _ }) => {
    const { drop, chat, answer } = waitsForServer;
    await Promise.all([drop(), chat(), answer()]);
  });

  test("by the full-screen face", async ({ person: _ }) => {
    const { home, request, goOn } = await stopped();
    const tui = await openTui(home, { isApart: true });
    await tui.seen("Keep a fact?");
    await pressUntil(tui, "y", () => openFace(home).slot(request.id).kind !== "free");
    expect(factState(home, request)).toMatchObject({ standing: "undecided", isWaiting: true });
    goOn();
    await tui.seen("kept (project");
    expect(factState(home, request)).toMatchObject({ standing: "kept", told: "keep" });
  });
});

describe("a question of a server that was killed is not answered", () => {
  test("before it is shown", async ({ person: _ }) => {
    const { home, id, child, ended } = await asked();
    child.kill("SIGKILL");
    await ended;
    const pty = typing(home, "questions", "answer", id);
    expect(await pty.ended, pty.output()).toBe(serverGone);
    expect(pty.output()).not.toContain(replyPrompt);
  });

  test("while it stands there", async ({ person }) => {
    const { home, id, child, ended } = await asked();
    const pty = typing(home, "questions", "answer", id);
    await pty.seen(replyPrompt);
    child.kill("SIGKILL");
    await ended;
    pty.type("eu\n");
    expect(await pty.ended, pty.output()).toBe(serverGone);
    expect(pty.output()).not.toMatch(/^answered/m);
    const next = await serve({ ...ownPlaces(), home: home.path });
    const call = await asksPerson(next, { question: "Which region?" });
    await person.replies(home.path, next.face.question(), "eu");
    const { structuredContent } = await next.server.client.resultOf(call);
    expect(structuredContent).toMatchObject({ outcome: "answered", answer: { text: "eu" } });
  });
});
