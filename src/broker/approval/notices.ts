/**
 * What a person is told of requests that wait, by banners. Whoever asks says what happens to a request; when a banner
 * is due, and whether, is decided here.
 */
import type { Request } from "../request/request.js";

/** How a request waits. */
export interface HowItWaits {
  /** Every face can answer it; otherwise only the client's dialog can. */
  readonly filed: boolean;
  /** A dialog of the client is up for it: the banner leaves it some time. */
  readonly dialog: boolean;
  /** How long ago a person was told of the same, where that is so short that it is no news; else null. */
  readonly toldMsAgo: number | null;
}

/**
 * `posted`: a banner was handed over, or still is. `skipped`: it was settled before one was due. `none`: it was not to be
 * announced, or nothing could post it.
 */
export type BannerWord = "posted" | "skipped" | "none";

/** What became of the banner of a request that waits no more. */
export interface NoticeEnd {
  readonly word: BannerWord;
  /** How long ago a banner last told a person of it, or of the same before; null where none did for certain. */
  readonly toldMsAgo: number | null;
}

/** One for each connection. Nothing here throws, answers anything or keeps a process alive. */
export interface Notices {
  /** How long the next dialog is left alone before a banner; 0 not at all. */
  readonly delaySeconds: number;
  /**
   * It is filed, or raised in memory. Once for each request; a second time changes nothing. A fact is announced at once,
   * and never again: it waits for days.
   */
  waits(request: Request, how: HowItWaits): void;
  /** The dialog's way ended without deciding, or nobody saw it: what was not announced yet is announced at once. */
  dialogEnded(id: string): void;
  /** It does not wait any more. What became of its banner; a second time, or for an unknown id, `none`. */
  settled(id: string): NoticeEnd;
  /** Nothing is announced from here on, and what is being posted is given up. Idempotent. */
  close(): void;
}

/** Of what was not to be announced. */
export const neverTold: NoticeEnd = { word: "none", toldMsAgo: null };

/** Announces nothing, for whoever has nobody to tell. */
export const silentNotices: Notices = {
  delaySeconds: 0,
  waits: () => undefined,
  dialogEnded: () => undefined,
  settled: () => neverTold,
  close: () => undefined,
};
