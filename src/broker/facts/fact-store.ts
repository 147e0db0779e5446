/**
 * What a person keeps for good of what agents proposed, and what they do not want proposed again. One contract test
 * (test/support/fact-store-contract.ts) runs against every implementation.
 */
import type { AnsweredBy, Via } from "../request/answer.js";
import type { Assurance } from "../request/assurance.js";
import type { FactRequest } from "../request/request.js";

/** Where a kept fact holds: in the directory that it was proposed for, or everywhere. */
export const factScopes = ["project", "global"] as const;
/** One of the two. */
export type FactScope = (typeof factScopes)[number];

/** What is said of what. All of it are the agent's words, which a person has read. */
export type FactWords = Pick<FactRequest["fact"], "subject" | "name" | "value" | "source" | "directory">;

/** Who asked to keep it, by their own word, and when. */
export interface ProposedBy {
  readonly client: FactRequest["client"];
  readonly caller: string;
  readonly thread: string | null;
  /** The instance of the server that asked. */
  readonly session: string;
  /** Epoch milliseconds, as the request was filed. */
  readonly at: number;
}

/** Whose answer decided about it, and who carried that out. */
export interface DecidedBy {
  readonly via: Via;
  /** Hash of the answer, as in receipt and audit log. */
  readonly answer: string;
  /** How sure it is that a person gave it, as whoever carried it out saw; `file` where that did not look itself. */
  readonly assurance: Assurance;
  /** The process that gave it, by its own word. */
  readonly by: Pick<AnsweredBy, "pid" | "tty">;
  /** Who carried it out, as in the audit log: the instance of a server, or which face. */
  readonly session: string;
  /** Epoch milliseconds, by the clock of whoever carried it out. */
  readonly at: number;
}

/** A fact that a person kept. It is never rewritten. */
export interface KeptFact extends FactWords {
  /** That of the request that asked. */
  readonly id: string;
  readonly scope: FactScope;
  readonly proposedBy: ProposedBy;
  readonly keptBy: DecidedBy;
}

/** A fact that a person does not want to keep. */
export interface DroppedFact extends FactWords {
  readonly id: string;
  /** Nobody may ask for it again; otherwise the same line of work may not. */
  readonly isForGood: boolean;
  readonly proposedBy: ProposedBy;
  readonly droppedBy: DecidedBy;
}

/** What lies there, and how many files there are that are none of ours: they hide nothing. */
export interface FactListing {
  /** Oldest first. */
  readonly kept: readonly KeptFact[];
  readonly dropped: readonly DroppedFact[];
  /** Links, torn files, files of others, files that this home did not seal. */
  readonly unreadable: number;
}

/** Who asks for what: a drop counts again for the same line of work, or for everybody. */
export interface Proposal {
  readonly words: FactWords;
  readonly by: Pick<ProposedBy, "client" | "thread" | "session">;
}

/** The facts of one home. Makes nothing before the first is kept or dropped. */
export interface FactStore {
  /**
   * Puts it on disk, its name too, before the promise resolves. False where it is kept under this id already. Rejects with
   * channel_unsafe, channel_unavailable.
   */
  keep(fact: KeptFact): Promise<boolean>;

  /** The same for one that is dropped. */
  drop(fact: DroppedFact): Promise<boolean>;

  /**
   * Throws channel_unsafe for a directory in which others could have put something, channel_unavailable where the system
   * lets nothing be read.
   */
  list(): FactListing;

  /** What was kept or dropped and is neither any more, for a person to read. Throws as `list`. */
  forgotten(): readonly (KeptFact | DroppedFact)[];

  /** Was this id decided already, as kept, dropped or forgotten? Throws as `list`. */
  isDecided(id: string): boolean;

  /**
   * The newest drop that counts against `proposal`, or null: one for good by what it says, one for a line of work in its
   * directory and for 30 days. Width and case of letters, and blanks, make no difference. Throws as `list`.
   */
  dropAgainst(proposal: Proposal): DroppedFact | null;

  /**
   * Moves the kept or dropped fact `id` to where it is neither any more; what it says stays to be read by a person. False
   * where there is none. Rejects as `keep`.
   */
  forget(id: string): Promise<boolean>;

  /** Removes drops for one line of work that are older than 30 days, and temporaries. Never throws. */
  sweep(): void;

  /**
   * Calls `listener` when a fact may have been kept or forgotten; within a second and a half, also where no event tells.
   * Nothing is watched before the first listener. Returns the function that stops it.
   */
  changes(listener: () => void): () => void;
}

/** Does a fact hold for somebody who works in the directory `at`? Where that is null, only what holds everywhere does. */
export function holdsIn(
  { scope, directory }: Pick<KeptFact, "scope" | "directory">,
  at: string | null,
): boolean {
  switch (scope) {
    case "global":
      return true;
    case "project":
      return at !== null && directory === at;
    default:
      return scope satisfies never;
  }
}
