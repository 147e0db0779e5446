/** Facts that a person kept or dropped, complete and valid; a test overrides only what its rule is about. */
import { randomBytes } from "node:crypto";
import type {
  DecidedBy,
  DroppedFact,
  FactWords,
  KeptFact,
  Proposal,
  ProposedBy,
} from "../../src/broker/facts/fact-store.js";
import { newIdentifier } from "../../src/broker/request/identifier.js";
import { sha256Hex } from "../../src/broker/request/long-text.js";
import { testServer } from "./builders.js";

export function factWords(overrides: Partial<FactWords> = {}): FactWords {
  return {
    subject: "api",
    name: "test command",
    value: "npm test",
    source: "package.json",
    directory: "/home/p/api",
    ...overrides,
  };
}

export function proposedBy(overrides: Partial<ProposedBy> = {}): ProposedBy {
  return {
    client: { name: "test-client", version: "1.0.0" },
    caller: "stdio",
    thread: "setup",
    session: testServer.instance,
    at: 1_790_000_000_000,
    ...overrides,
  };
}

export function decidedBy(overrides: Partial<DecidedBy> = {}): DecidedBy {
  return {
    via: "cli",
    answer: sha256Hex("yes"),
    assurance: "terminal",
    by: { pid: 4_242, tty: "/dev/pts/3" },
    session: testServer.instance,
    at: 1_790_000_012_000,
    ...overrides,
  };
}

/** Under an id of its own. */
export function keptFact(overrides: Partial<KeptFact> = {}): KeptFact {
  return {
    id: newIdentifier(randomBytes),
    scope: "project",
    ...factWords(),
    proposedBy: proposedBy(),
    keptBy: decidedBy(),
    ...overrides,
  };
}

/** Under an id of its own. */
export function droppedFact(overrides: Partial<DroppedFact> = {}): DroppedFact {
  return {
    id: newIdentifier(randomBytes),
    isForGood: false,
    ...factWords(),
    proposedBy: proposedBy(),
    droppedBy: decidedBy(),
    ...overrides,
  };
}

export function proposal(words: Partial<FactWords> = {}, by: Partial<Proposal["by"]> = {}): Proposal {
  return { words: factWords(words), by: proposedBy(by) };
}
