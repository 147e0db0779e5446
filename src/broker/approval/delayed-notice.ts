/**
 * When a banner is due. Invariants: whatever comes first of alarm, immediate post and settling, each wait is posted at
 * most once and reminded at most once, nothing of it comes after it was settled, and a reminder only after a post.
 * One timer whatever waits; each is told by the times that there were when it began.
 */
import type { Clock, Timer } from "../system/clock.js";
import { createDueQueue, type DueQueue } from "./due-queue.js";

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

/** After how much monotonic time what happens; read anew for each wait that begins. */
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
  timing: NoticeTiming,
  { onPost, onRemind }: NoticeEvents<Wait>,
): DelayedNotice<Wait> {
  /** When each was posted, monotonic; null where it was not yet. */
  const postedAt = new Map<Wait, number | null>();
  const posts = createDueQueue<Wait>();
  const reminders = createDueQueue<Wait>();
  const repeats = createDueQueue<Wait>();
  let timer: Timer | null = null;
  let timerAt = never;

  function post(wait: Wait): void {
    posts.remove(wait);
    if (postedAt.get(wait) !== null) return;
    postedAt.set(wait, clock.monotonic());
    onPost(wait);
  }

  function remind(wait: Wait, dueAt: number): void {
    // One that was posted no earlier than this, or not yet, needs no second banner on the heels of the first.
    if ((postedAt.get(wait) ?? dueAt) < dueAt) onRemind(wait);
  }

  /** A timer may fire a little early, or for a wait that was settled: the clock decides. */
  function runDue(queue: DueQueue<Wait>, tell: (wait: Wait, dueAt: number) => void): void {
    for (let due = queue.first(); due !== null && due.at <= clock.monotonic(); due = queue.first()) {
      queue.remove(due.item);
      tell(due.item, due.at);
    }
  }

  function run(): void {
    timer = null;
    try {
      runDue(posts, post);
      runDue(reminders, remind);
      runDue(repeats, onRemind);
    } finally {
      arm();
    }
  }

  function arm(): void {
    const at = Math.min(...[posts, reminders, repeats].map((queue) => queue.first()?.at ?? never));
    if (timer !== null && timerAt <= at && at !== never) return;
    timer?.cancel();
    timerAt = at;
    timer = at === never ? null : clock.after(Math.max(0, at - clock.monotonic()), run);
  }

  return {
    add(wait) {
      if (postedAt.has(wait)) return;
      const now = clock.monotonic();
      const { delayMs, timeoutMs } = timing;
      postedAt.set(wait, null);
      if (timeoutMs !== null) reminders.add(wait, timeoutMs / 2, now);
      if (delayMs > 0) posts.add(wait, delayMs, now);
      arm();
      if (delayMs <= 0) post(wait);
    },
    addTold(wait) {
      if (postedAt.has(wait)) return;
      const now = clock.monotonic();
      const { delayMs, timeoutMs, againMs } = timing;
      const halfMs = timeoutMs === null ? againMs : timeoutMs / 2;
      postedAt.set(wait, now);
      // A dialog is left alone for its time here, too.
      repeats.add(wait, Math.max(delayMs, Math.min(againMs, halfMs)), now);
      arm();
    },
    postNow(wait) {
      post(wait);
      arm();
    },
    settle(wait) {
      const isPosted = (postedAt.get(wait) ?? null) !== null;
      postedAt.delete(wait);
      for (const queue of [posts, reminders, repeats]) queue.remove(wait);
      arm();
      return isPosted ? "posted" : "skipped";
    },
  };
}

const never = Number.POSITIVE_INFINITY;
