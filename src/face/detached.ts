/** Requests whose agent stopped waiting: nothing runs when they are answered, and that must be known before. */
import {
  type FoundServer,
  type Home,
  isDetached,
  type Kind,
  type Request,
  readServerRecord,
} from "../broker/index.js";

/** The ids of those among `requests`, by the word of their servers' records. Each record is read once. */
export function detachedIds(requests: readonly Request[], home: Home): readonly string[] {
  const records = new Map<string, FoundServer | null>();
  const recordOf = (instance: string): FoundServer | null => {
    const known = records.get(instance);
    const found = known === undefined ? readServerRecord(home, instance) : known;
    records.set(instance, found);
    return found;
  };
  return requests
    .filter((request) => isDetached(request, recordOf(request.server.instance)))
    .map(({ id }) => id);
}

/**
 * What became of its agent, and what an answer does now. How long it is kept is its server's to know; `keepsNone` says that
 * answers to questions are not.
 */
export function detachedText(kind: Kind, keepsNone: boolean): string {
  switch (kind) {
    case "approval":
      return `stopped waiting; a yes now is kept for its next identical call ${unlessConfigured("5 min")}`;
    case "question":
      return keepsNone
        ? "went on; no answer is kept: yours counts only if it asks again before"
        : `went on; your answer is kept for it ${unlessConfigured("10 min")}`;
    case "fact":
      return "went on; nobody waits for a fact";
    default:
      return kind satisfies never;
  }
}

function unlessConfigured(time: string): string {
  return `(${time} unless configured otherwise)`;
}
