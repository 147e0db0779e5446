/** A keeper of facts over memory, with everything that it hands over to. */
import { randomBytes } from "node:crypto";
import { createFactKeeper, type FactKeeperParts } from "../../src/broker/approval/create-fact-keeper.js";
import type { FactAsk } from "../../src/broker/approval/fact-keeper.js";
import type { Channel } from "../../src/broker/channel/channel.js";
import type { Answer } from "../../src/broker/request/answer.js";
import { newIdentifier } from "../../src/broker/request/identifier.js";
import type { FactRequest } from "../../src/broker/request/request.js";
import { answerTo, testServer } from "./builders.js";
import { factWords } from "./facts.js";
import { FakeClock } from "./fake-clock.js";
import { HeardNotices } from "./heard-notices.js";
import { MemoryAuditLog } from "./memory-audit-log.js";
import { type MemoryChannelOptions, memoryChannel, memoryPlace } from "./memory-channel.js";
import { FactShelf, memoryFacts } from "./memory-facts.js";

export function factAsk(
  words: Partial<FactAsk["words"]> = {},
  by: Partial<Omit<FactAsk, "words">> = {},
): FactAsk {
  return {
    words: factWords(words),
    client: { name: "test-client", version: "1.0.0" },
    caller: "stdio",
    thread: "setup",
    ...by,
  };
}

/** One home and one server that asks in it. */
export class FactScene {
  readonly clock = new FakeClock();
  readonly place = memoryPlace();
  readonly shelf = new FactShelf();
  readonly audit = new MemoryAuditLog();
  readonly notices = new HeardNotices();
  readonly channel = this.open();
  readonly facts = memoryFacts(this.shelf, this.clock);

  /** The channel of another process; of a face unless it files. */
  open(options: Partial<MemoryChannelOptions> = {}): Channel {
    return memoryChannel(this.place, { clock: this.clock, ...options });
  }

  /** The keeper of this server, or of another one where a test says otherwise. */
  keeper(overrides: Partial<FactKeeperParts> = {}) {
    const { clock, audit, facts, notices, channel } = this;
    const parts = {
      clock,
      audit,
      facts,
      notices,
      channel,
      server: testServer,
      similar: () => [],
      keepDays: 7,
    };
    return createFactKeeper({ ...parts, ...overrides });
  }

  /** A keeper of another server, with the channel that it asks through. */
  other(overrides: Partial<FactKeeperParts> = {}) {
    const server = { ...testServer, instance: newIdentifier(randomBytes, 16) };
    const channel = this.open({ server });
    return this.keeper({ server, channel, ...overrides });
  }

  /** Answers as a face does. */
  answer(request: FactRequest, overrides: Partial<Answer> = {}): Answer {
    const answer = answerTo(request, { decision: "keep", scope: "project", ...overrides });
    this.channel.answer(answer);
    return answer;
  }

  /** What waits in the place. */
  get waiting(): readonly FactRequest[] {
    return this.channel.pending().requests.filter((one): one is FactRequest => one.kind === "fact");
  }
}

/** The ids, the oldest first. */
export function idsIn(facts: ReadonlyMap<string, unknown>): readonly string[] {
  return [...facts.keys()];
}
