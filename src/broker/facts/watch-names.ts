/**
 * Notices that names came to directories or left them. An event is a hint, and a timer looks once a second: events may be
 * lost, and the directories may be made, removed or replaced at any time. Neither keeps the process alive.
 */
import type { BigIntStats } from "node:fs";
import { lookAt, namesIn, stateOf } from "../files/look.js";
import { temporaryPrefix } from "../files/publish.js";
import { identityOf, type StartWatch } from "../files/raw-watch.js";
import type { Clock, Timer } from "../system/clock.js";

const lookMs = 1_000;

/**
 * Returns how to listen to `directories`. Nothing is looked at or watched while nobody listens; what came or left before
 * the first one listened is not told. To stop twice does nothing.
 */
export function watchNames(
  directories: readonly string[],
  clock: Clock,
  startWatch: StartWatch,
): (listener: () => void) => () => void {
  const listeners = new Set<() => void>();
  let stop: (() => void) | null = null;

  function tell(): void {
    for (const told of [...listeners]) if (listeners.has(told)) told();
  }

  function start(): () => void {
    const watches = directories.map((directory) => new NameWatch(directory, startWatch, tell));
    const look = (): void => {
      // Each must look.
      if (watches.filter((watch) => watch.look()).length > 0) tell();
    };
    for (const watch of watches) watch.look();
    const timer: Timer = clock.every(lookMs, look);
    return () => {
      timer.cancel();
      for (const watch of watches) watch.stop();
    };
  }

  return (listener) => {
    const told = (): void => listener();
    listeners.add(told);
    stop ??= start();
    return () => {
      listeners.delete(told);
      if (listeners.size > 0) return;
      stop?.();
      stop = null;
    };
  };
}

/** One directory, from its first look on. */
class NameWatch {
  readonly #directory: string;
  readonly #startWatch: StartWatch;
  readonly #onChange: () => void;
  #watcher: { close(): void } | null = null;
  #identity: string | null = null;
  #state: string | null = null;
  /** Coarse clocks give two changes in a row the same time, so what is new is looked at once more. */
  #isNew = false;
  #names = "";

  constructor(directory: string, startWatch: StartWatch, onChange: () => void) {
    this.#directory = directory;
    this.#startWatch = startWatch;
    this.#onChange = onChange;
  }

  /** Have names come or gone since the last look? */
  look(): boolean {
    const stats = lookAt(this.#directory);
    if (stats?.isDirectory() !== true) {
      this.stop();
      return this.#note("");
    }
    this.#arm(stats);
    const state = stateOf(stats);
    if (state === this.#state && !this.#isNew) return false;
    this.#isNew = state !== this.#state;
    this.#state = state;
    return this.#note(this.#read());
  }

  stop(): void {
    this.#disarm();
    this.#identity = null;
    this.#state = null;
  }

  #disarm(): void {
    this.#watcher?.close();
    this.#watcher = null;
  }

  #arm(stats: BigIntStats): void {
    const identity = identityOf(stats);
    if (this.#watcher !== null && identity === this.#identity) return;
    this.#disarm();
    this.#identity = identity;
    try {
      const onEvent = (name: string | null): void => this.#onEvent(name);
      this.#watcher = this.#startWatch(this.#directory, onEvent, () => this.#disarm());
    } catch {
      // EMFILE, ENOSPC and the like: the timer does without, and this is tried again when it looks.
    }
  }

  #onEvent(name: string | null): void {
    if (name?.startsWith(temporaryPrefix) === true) return;
    if (this.#note(this.#read())) this.#onChange();
  }

  #read(): string {
    const names = namesIn(this.#directory).filter((name) => !name.startsWith(temporaryPrefix));
    return names.sort().join("/");
  }

  #note(names: string): boolean {
    const isChange = names !== this.#names;
    this.#names = names;
    return isChange;
  }
}
