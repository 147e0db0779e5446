/**
 * When a banner is due. Invariants: whatever comes first of alarm, immediate post and settling, each wait is posted at
 * most once and reminded at most once, nothing of it comes after it was settled, and a reminder only after a post.
 * One timer whatever waits: all waits of an approver are told after the same time, so each queue is in order of its ends.
 */
import type { Clock, Timer } from "../system/clock.js";

/** The waits that a person may have to be told of, whatever a wait is to the one who adds it. */
export interface DelayedNotice<Wait> {
  /** Begins to wait: posted after the delay, unless settled before. Added once. */
  add(wait: Wait): void;
  /** The same of what a person knows already: it is only announced once more. */
  addTold(wait: Wait): void;
  /** Posts at once what was not posted yet: nothing else asks, or what did is over or was never seen. */
  postNow(wait: Wait): void;
  /** Ends the wait, and tells what became of its banner. Nothing follows; a second time tells `skipped`. */
  settle(wait: Wait): "posted" | "skipped";
}

/** After how much monotonic time what happens. */
export interface NoticeTiming {
  /** 0 posts at once. */
  readonly delayMs: number;
  /** A wait that was posted before half of this is announced once more then; null for ever, and never again. */
  readonly timeoutMs: number | null;
  /** At the latest after this, what a person knew already is announced once more, also where nothing ends it. */
  readonly againMs: number;
}

/** Who posts. Both are called with a wait that is still there, and may themselves add, post or settle. */
export interface NoticeEvents<Wait> {
  readonly onPost: (wait: Wait) => void;
  readonly onRemind: (wait: Wait) => void;
}

/** One for each approver. */
export function createDelayedNotice<Wait>(
  clock: Clock,
  { delayMs, timeoutMs, againMs }: NoticeTiming,
  { onPost, onRemind }: NoticeEvents<Wait>,
): DelayedNotice<Wait> {
  /** When each was posted, monotonic; null where it was not yet. */
  const postedAt = new Map<Wait, number | null>();
  const postDueAt = new Map<Wait, number>();
  const remindDueAt = new Map<Wait, number>();
  const againDueAt = new Map<Wait, number>();
  const halfMs = timeoutMs === null ? null : timeoutMs / 2;
  // A dialog is left alone for its time here, too.
  const toldAgainMs = Math.max(delayMs, Math.min(againMs, halfMs ?? againMs));
  let timer: Timer | null = null;
  let timerAt = Number.POSITIVE_INFINITY;

  function post(wait: Wait): void {
    postDueAt.delete(wait);
    if (postedAt.get(wait) !== null) return;
    postedAt.set(wait, clock.monotonic());
    onPost(wait);
  }

  function remind(wait: Wait, dueAt: number): void {
    remindDueAt.delete(wait);
    // One that was posted no earlier than this, or not yet, needs no second banner on the heels of the first.
    if ((postedAt.get(wait) ?? dueAt) < dueAt) onRemind(wait);
  }

  function run(): void {
    timer = null;
    try {
      // A timer may fire a little early, or for a wait that was settled: the clock decides.
      for (const [wait, at] of postDueAt) {
        if (at > clock.monotonic()) break;
        post(wait);
      }
      for (const [wait, at] of remindDueAt) {
        if (at > clock.monotonic()) break;
        remind(wait, at);
      }
      for (const [wait, at] of againDueAt) {
        if (at > clock.monotonic()) break;
        againDueAt.delete(wait);
        onRemind(wait);
      }
    } finally {
      arm();
    }
  }

  function arm(): void {
    const at = Math.min(firstOf(postDueAt), firstOf(remindDueAt), firstOf(againDueAt));
    if (timer !== null && timerAt <= at && at !== Number.POSITIVE_INFINITY) return;
    timer?.cancel();
    timerAt = at;
    timer = at === Number.POSITIVE_INFINITY ? null : clock.after(Math.max(0, at - clock.monotonic()), run);
  }

  return {
    add(wait) {
      if (postedAt.has(wait)) return;
      const now = clock.monotonic();
      postedAt.set(wait, null);
      if (halfMs !== null) remindDueAt.set(wait, now + halfMs);
      if (delayMs > 0) postDueAt.set(wait, now + delayMs);
      arm();
      if (delayMs <= 0) post(wait);
    },
    addTold(wait) {
      if (postedAt.has(wait)) return;
      const now = clock.monotonic();
      postedAt.set(wait, now);
      againDueAt.set(wait, now + toldAgainMs);
      arm();
    },
    postNow(wait) {
      post(wait);
      arm();
    },
    settle(wait) {
      const isPosted = (postedAt.get(wait) ?? null) !== null;
      postedAt.delete(wait);
      postDueAt.delete(wait);
      remindDueAt.delete(wait);
      againDueAt.delete(wait);
      arm();
      return isPosted ? "posted" : "skipped";
    },
  };
}

/** When the first of a queue is due; never for an empty one. */
function firstOf(queue: ReadonlyMap<unknown, number>): number {
  const first = queue.values().next();
  return first.done === true ? Number.POSITIVE_INFINITY : first.value;
}
