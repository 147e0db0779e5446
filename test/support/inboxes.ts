/** The inbox of a face whose time and whose events are in the hands of the test. */
import { utimesSync } from "node:fs";
import { basename } from "node:path";
import { onTestFinished } from "vitest";
import type { Home } from "../../src/broker/channel/home.js";
import type { StartWatch } from "../../src/broker/files/raw-watch.js";
import type { Inbox, InboxChange } from "../../src/face/inbox.js";
import { openInbox } from "../../src/face/open-inbox.js";
import { FakeClock } from "./fake-clock.js";
import { fakeTerminal } from "./fake-terminal.js";

export interface WatchedInbox {
  readonly inbox: Inbox;
  /** What the inbox has told since the last call: ids of what arrived and left, and "other". */
  told(): readonly string[];
  /** All that it has told, as it told it. */
  readonly changes: readonly InboxChange[];
  readonly clock: FakeClock;
  /** Says what the system would: that something happened to the file `path`. */
  event(path: string): void;
  /** Lets time pass; watches answer their probes. */
  advance(ms: number): void;
}

/** Closed when the running test ends. With `errno` the system gives no watch; a deaf one hears nothing. */
export function watchedInbox(
  home: Home,
  errno: string | null = null,
  ears: "good" | "deaf" = "good",
): WatchedInbox {
  const clock = new FakeClock();
  const watches = new Map<string, (name: string | null) => void>();
  const probes: string[] = [];
  const startWatch: StartWatch = (directory, onEvent) => {
    if (errno !== null) throw Object.assign(new Error("no watch is to be had"), { code: errno });
    watches.set(directory, onEvent);
    return { close: () => {} };
  };
  const probing = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (ms: number, run: () => void) => clock.after(ms, run),
    every: (ms: number, run: () => void) => clock.every(ms, run),
    randomBytes(size: number) {
      const bytes = clock.randomBytes(size);
      probes.push(`.tmp.${Buffer.from(bytes).toString("hex")}`);
      return bytes;
    },
  };
  const answerProbes = (): void => {
    if (ears === "deaf") return;
    for (const name of probes.splice(0)) for (const tell of watches.values()) tell(name);
  };
  const inbox = openInbox(fakeTerminal({ home, clock: probing }), "tui", startWatch);
  onTestFinished(() => inbox.close());
  answerProbes();
  const changes: InboxChange[] = [];
  inbox.onChange((change) => changes.push(change));
  let heard = 0;
  return {
    inbox,
    clock,
    changes,
    told() {
      const news = changes.slice(heard);
      heard = changes.length;
      return news.flatMap(wordsOf);
    },
    event(path) {
      const directory = path.slice(0, -basename(path).length - 1);
      watches.get(directory)?.(basename(path));
    },
    advance(ms) {
      for (let passed = 0; passed < ms; passed += 50) {
        clock.advance(Math.min(50, ms - passed));
        answerProbes();
      }
    },
  };
}

/** Makes what stands at `path` look untouched for a long time, so that only what a test does counts as a change. */
export function age(path: string): void {
  utimesSync(path, 1_000, 1_000);
}

function wordsOf(change: InboxChange): readonly string[] {
  switch (change.kind) {
    case "arrived":
      return change.requests.map(({ id }) => `+${id}`);
    case "left":
      return [`-${change.request.id} ${change.ending === null ? "nothing" : change.ending.proof}`];
    case "other":
      return ["other"];
    default:
      return change satisfies never;
  }
}
