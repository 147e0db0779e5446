/** Writing down what happens around an ask, where a log that cannot be written is a value and no surprise. */
import type { AuditEvent, AuditLog } from "../audit/audit-log.js";
import { oneLine, reasonOf } from "./reason.js";

/** Resolves with why the events could not be written, or with null when they were. Never rejects. */
export type Write = (
  events: readonly AuditEvent[],
  durability: "durable" | "plain",
) => Promise<string | null>;

/** Writes into `audit`. Only for a yes does it matter whether that worked: whoever writes one looks at the result. */
export function writerInto(audit: AuditLog): Write {
  return async (events, durability) => {
    try {
      await audit.append(events, durability);
      return null;
    } catch (error) {
      return oneLine(reasonOf(error));
    }
  };
}

/**
 * What is written down of one request, in order. Nothing depends on it that lets anything run: a log that cannot be
 * written stops the yes.
 */
export class Notes {
  readonly #write: Write;
  #last: Promise<string | null> | null = null;

  constructor(write: Write) {
    this.#write = write;
  }

  /** Resolves with why that could not be written, or null. */
  note(events: readonly AuditEvent[]): Promise<string | null> {
    const noting = (): Promise<string | null> => this.#write(events, "plain");
    this.#last = this.#last === null ? noting() : this.#last.then(noting);
    return this.#last;
  }

  /** Resolves when everything so far is written, or could not be. */
  async written(): Promise<void> {
    await this.#last;
  }
}
