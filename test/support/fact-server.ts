/** A server and a raw client of either era that proposes and reads facts, and the person who decides about them. */

import { expect } from "vitest";
import { DirectoryChannel } from "../../src/broker/channel/directory.js";
import { homeAt } from "../../src/broker/channel/home.js";
import type { FactStore, KeptFact } from "../../src/broker/facts/fact-store.js";
import type { Answer } from "../../src/broker/request/answer.js";
import type { FactRequest } from "../../src/broker/request/request.js";
import { systemClock } from "../../src/broker/system/clock.js";
import { factsOf } from "../../src/server/mcp/found-home.js";
import { answerTo } from "./builders.js";
import { keptFact } from "./facts.js";
import { connectInMemory, type MemoryServer, type MemoryServerOptions, startInMemory } from "./mcp-server.js";
import { envelope } from "./modern-client.js";
import type { Message, RawClient, ToolResult } from "./raw-client.js";

export const eras = ["2025", "2026"] as const;
export type TestEra = (typeof eras)[number];

/** What a client of one era says to a server. */
export interface FactCaller {
  /** Sends a request and waits for its response. */
  ask(method: string, params?: object): Promise<Message>;
  keep(args?: object): Promise<ToolResult>;
  read(args?: object): Promise<ToolResult>;
}

/** The person at a home. */
export interface FactPerson {
  /** What waits, oldest first. */
  waiting(): readonly FactRequest[];
  /** The one that waits. */
  only(): FactRequest;
  /** Links a decision into the slot; resolves once it was carried out and the request is gone. */
  decides(request: FactRequest, overrides: Partial<Answer>): Promise<void>;
  /** Keeps something that nobody proposed here. */
  kept(overrides?: Partial<KeptFact>): Promise<KeptFact>;
  /** The store of another process. */
  readonly facts: FactStore;
}

export interface FactServer extends MemoryServer, FactCaller {
  readonly person: FactPerson;
}

/** Words that nobody minds to keep. */
export const testCommand = { subject: "api", name: "test command", value: "npm test" };

/** Nothing was asked of it and nothing made by it. */
export async function factServer(era: TestEra, options: MemoryServerOptions = {}): Promise<FactServer> {
  const server = era === "2025" ? await connectInMemory({}, options) : await startInMemory(options);
  return { ...server, ...callerOf(server.client, era), person: personAt(server) };
}

export function callerOf(client: RawClient, era: TestEra): FactCaller {
  const meta = era === "2025" ? {} : { _meta: envelope() };
  const ask: FactCaller["ask"] = (method, params = {}) =>
    client.responseTo(client.request(method, { ...params, ...meta }));
  const call = async (name: string, args: object): Promise<ToolResult> => {
    const { result, error } = await ask("tools/call", { name, arguments: args });
    if (result === undefined) throw new Error(`The call failed: ${error?.message}`);
    return result;
  };
  return {
    ask,
    keep: (args = testCommand) => call("keep_fact", args),
    read: (args = {}) => call("read_facts", args),
  };
}

/** `work` is where its servers are started. */
export function personAt({ home: path, work }: { readonly home: string; readonly work: string }): FactPerson {
  const home = homeAt(path, false);
  const channel = new DirectoryChannel({ home, clock: systemClock, asker: null, onRefused: () => {} });
  const facts = factsOf({ home, fault: null }, systemClock);
  const waiting = (): readonly FactRequest[] =>
    channel.pending().requests.filter((request) => request.kind === "fact");
  return {
    facts,
    waiting,
    only() {
      const [first, ...others] = waiting();
      if (first === undefined || others.length > 0) throw new Error(`${others.length} others wait.`);
      return first;
    },
    async decides(request, overrides) {
      channel.answer(answerTo(request, { scope: null, ...overrides }));
      const ids = () => waiting().map(({ id }) => id);
      await expect.poll(ids, { timeout: 20_000 }).not.toContain(request.id);
    },
    async kept(overrides = {}) {
      const fact = keptFact({ directory: work, ...overrides });
      await facts.keep(fact);
      return fact;
    },
  };
}
