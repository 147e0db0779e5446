/** How requests ended, for a person who looks back: from receipts and the audit log. */

/** Opened by `openHistory`; reads when it is asked. */
export interface History {
  /** The newest endings first. Throws channel_unsafe, channel_unavailable. */
  read(): readonly HistoryEntry[];
}

/** One ending. Every text is safe to print. */
export interface HistoryEntry {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly id: string;
  /** `approved (once, terminal) in wisp approvals` */
  readonly outcome: string;
  /** One mark that tells the kind of ending without colour: ✓ yes, ✗ no, – nobody, ! failed. */
  readonly mark: "✓" | "✗" | "–" | "!";
  /** What it asked for; null where no record says it. */
  readonly what: string | null;
  /** What came of it: `exit 0`, `did not run`; null where nothing says. */
  readonly effect: string | null;
}
