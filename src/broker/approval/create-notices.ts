/**
 * Banners about requests, from their first wait to what is known of each. Invariants: a request is announced at most
 * once and reminded of at most once, whatever comes first; of one that repeats what a person was just told of, only the
 * reminder comes; nothing is posted after the end; nobody waits for a post.
 */
import { repeatMs } from "../grants/grant-store.js";
import type { Banner, BannerReceipt, Notifier } from "../notify/notifier.js";
import type { Request } from "../request/request.js";
import type { Clock } from "../system/clock.js";
import { createBannerBurst, type DueNotice } from "./banner-burst.js";
import { requestBanner, severalBanner } from "./banner-text.js";
import { createDelayedNotice } from "./delayed-notice.js";
import { type BannerWord, type Notices, neverTold } from "./notices.js";

/** Where banners go, when, and what they say. */
export interface NoticesParts {
  readonly clock: Clock;
  /** Each gets every banner, and none waits for another. Like the next two read anew for each. */
  readonly notifiers: readonly Notifier[];
  /** So long a dialog is left alone; 0 not at all. */
  readonly delaySeconds: number;
  /** How long a person has for what is not a fact; 0 for ever, and then nobody is reminded. */
  readonly timeoutSeconds: number;
  /** The command that answers a request that is filed, for a person to type. */
  readonly answering: (request: Request) => string;
  /** The command that lists what waits. */
  readonly listing: string;
  /** Hears of every attempt and of the requests that it announced; the end waits for what it does. */
  readonly onReceipt: (receipt: BannerReceipt, requests: readonly string[]) => Promise<void>;
}

/** The same, for whoever also tells the caller what was announced. */
export interface NoticeBoard extends Notices {
  /**
   * What became of each attempt to announce request `id`, oldest first; grows while there are attempts. Known while
   * it waits and for the newest 256 that were settled; empty for every other id.
   */
  receiptsOf(id: string): readonly BannerReceipt[];
  /** Resolves when no attempt to announce request `id` is under way, which one that hangs is for seconds. */
  whenTold(id: string): Promise<void>;
  /** Resolves when every attempt has its receipt, which is at once. */
  close(): Promise<void>;
}

/** Results are made right after a request was settled: so many can be settled together. */
const mostSettledKept = 256;

/** Where a request is answered that no face can see. */
const inDialog = "in the client's dialog";

/** What is known of one request. */
interface Announced {
  readonly request: Request;
  readonly filed: boolean;
  readonly receipts: BannerReceipt[];
  readonly isRepeat: boolean;
  /** A banner of it was due. */
  isDue: boolean;
  /** When a banner last told of it, or of the same before, monotonic; null where none did. */
  toldAt: number | null;
  /** Attempts that have no receipt yet. */
  running: number;
  /** Each attempt, until it has ended. */
  readonly attempts: Set<Promise<void>>;
}

/** Has no timer and starts nothing before the first wait. */
export function createNotices(parts: NoticesParts): NoticeBoard {
  const { clock, answering, listing, onReceipt } = parts;
  const waiting = new Map<string, Announced>();
  const settled = new Map<string, Announced>();
  const attempts = new Set<Promise<void>>();
  const ending = new AbortController();
  const burst = createBannerBurst<Announced>(clock, tell);
  const notice = createDelayedNotice<Announced>(
    clock,
    {
      get delayMs() {
        return parts.delaySeconds * 1_000;
      },
      get timeoutMs() {
        return parts.timeoutSeconds === 0 ? null : parts.timeoutSeconds * 1_000;
      },
      againMs: repeatMs,
    },
    {
      onPost: (wait) => burst.offer({ wait, source: wait.request.kind }),
      onRemind: (wait) => burst.offer({ wait, source: "reminder" }),
    },
  );

  function tell(due: readonly DueNotice<Announced>[]): void {
    const [first, ...others] = due;
    if (first === undefined) return;
    const { wait, source } = first;
    const banner =
      others.length === 0
        ? requestBanner(wait.request, source, wait.filed ? answering(wait.request) : inDialog)
        : severalBanner(waiting.size, listing);
    const about = due.map((one) => one.wait);
    for (const one of about) one.isDue = true;
    for (const notifier of parts.notifiers) attempt(notifier, banner, about);
  }

  function attempt(notifier: Notifier, banner: Banner, about: readonly Announced[]): void {
    for (const one of about) one.running += 1;
    const kept = [attempts, ...about.map((one) => one.attempts)];
    const ended = post(notifier, banner, about).finally(() => {
      for (const set of kept) set.delete(ended);
    });
    for (const set of kept) set.add(ended);
  }

  async function post(notifier: Notifier, banner: Banner, about: readonly Announced[]): Promise<void> {
    const receipt = await notifier.post(banner, ending.signal);
    for (const one of about) {
      one.running -= 1;
      one.receipts.push(receipt);
      if (receipt.outcome === "posted") one.toldAt = clock.monotonic();
    }
    await onReceipt(
      receipt,
      about.map(({ request }) => request.id),
    );
  }

  function quiet(wait: Announced): void {
    notice.settle(wait);
    burst.settle(wait);
  }

  return {
    get delaySeconds() {
      return parts.delaySeconds;
    },
    waits(request, { filed, dialog, toldMsAgo }) {
      if (ending.signal.aborted || waiting.has(request.id)) return;
      const isRepeat = toldMsAgo !== null;
      const toldAt = isRepeat ? clock.monotonic() - toldMsAgo : null;
      const wait: Announced = {
        request,
        filed,
        receipts: [],
        isRepeat,
        isDue: false,
        toldAt,
        running: 0,
        attempts: new Set(),
      };
      waiting.set(request.id, wait);
      if (request.kind === "fact") {
        burst.offer({ wait, source: "fact" });
        return;
      }
      if (isRepeat) {
        notice.addTold(wait);
        return;
      }
      notice.add(wait);
      if (!dialog) notice.postNow(wait);
    },
    dialogEnded(id) {
      const wait = waiting.get(id);
      if (wait !== undefined) notice.postNow(wait);
    },
    settled(id) {
      const wait = waiting.get(id);
      if (wait === undefined) return neverTold;
      waiting.delete(id);
      quiet(wait);
      settled.set(id, wait);
      const [oldest] = settled.keys();
      if (settled.size > mostSettledKept && oldest !== undefined) settled.delete(oldest);
      const { toldAt } = wait;
      const toldMsAgo = toldAt === null ? null : Math.round(clock.monotonic() - toldAt);
      return { word: wordOf(wait), toldMsAgo };
    },
    receiptsOf: (id) => (waiting.get(id) ?? settled.get(id))?.receipts ?? [],
    async whenTold(id) {
      await Promise.allSettled((waiting.get(id) ?? settled.get(id))?.attempts ?? []);
    },
    async close() {
      ending.abort();
      for (const wait of waiting.values()) quiet(wait);
      await Promise.allSettled(attempts);
    },
  };
}

function wordOf({ isRepeat, isDue, running, receipts }: Announced): BannerWord {
  if (running > 0 || receipts.some(({ outcome }) => outcome === "posted")) return "posted";
  return isDue || isRepeat ? "none" : "skipped";
}
