/**
 * Tells a person that something waits, where they are looking. A banner never answers anything and is never proof
 * that somebody saw it. One contract test (test/support/notifier-contract.ts) runs against every implementation.
 */
import type { Level } from "../request/request.js";

/** What a banner is about: something that waits, the same once more half-way, or an agent's own `notify`. */
export type BannerSource = "approval" | "reminder" | "fact" | "question" | "notify";

/** What to tell. All texts as they came: who posts makes them safe to show and cuts them. */
export interface Banner {
  readonly title: string;
  readonly body: string;
  /** The body for places outside this machine: nothing of what would run, and no path. */
  readonly outside: string;
  readonly source: BannerSource;
  /** The id of the request it announces; null where it announces none, or several. */
  readonly request: string | null;
  readonly level: Level | null;
  /** As the client calls itself. */
  readonly client: string | null;
  /** The last element of the directory's path. */
  readonly project: string | null;
}

/** A route that was not taken, or a limit that stood in the way, and why; safe to show. */
export interface Skipped {
  readonly route: string;
  readonly why: string;
}

/** What became of one banner; title and body as they were shown. `posted` never means seen. */
export interface BannerReceipt {
  readonly title: string;
  readonly body: string;
  readonly source: BannerSource;
  /** `failed`: no route worked. `refused`: it was not even tried. */
  readonly outcome: "posted" | "failed" | "refused";
  /** The route that posted it; null where none did. */
  readonly route: string | null;
  /** In the order in which they were tried. */
  readonly skipped: readonly Skipped[];
  /** Epoch milliseconds of its end. */
  readonly at: number;
}

/** One place where banners are shown. */
export interface Notifier {
  /**
   * Resolves with the receipt, in seconds at most; never rejects, and never keeps the process from ending. `signal`
   * gives up at once and ends whatever is still running for it: also to be aborted when the process ends.
   */
  post(banner: Banner, signal: AbortSignal): Promise<BannerReceipt>;
}
