/**
 * Noticing changes in one directory. Events are a hint, the directory is the truth: one raw watch with a
 * self-test, one timer that looks at the directory itself, and polling where events do not come. Never a timer
 * or a descriptor per request.
 */
import { type BigIntStats, unlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { lookThrough } from "../files/look.js";
import { temporaryPrefix } from "../files/publish.js";
import { identityOf, rawWatch, type StartWatch } from "../files/raw-watch.js";
import type { Clock, Timer } from "../system/clock.js";

/** Told of what may have changed, perhaps several times of one change: it looks for itself. */
export interface WatchListener {
  /** Something happened to the file `name`. */
  onName(name: string): void;
  /** Anything may have changed: read the directory. */
  onRescan(): void;
  /** The directory is gone; called once until it is back. */
  onRemoved(): void;
  /** The timer came round, whatever the directory says. */
  onTick(): void;
}

/** Which directory is watched, and who is told. */
export interface WatchOptions {
  readonly directory: string;
  readonly clock: Clock;
  readonly listener: WatchListener;
  /** May a file be put into the directory as it stands now? Asked before the self-test, which needs one. */
  readonly isSafe: () => boolean;
  /** Does watching keep the process alive? True in a face that waits, false in a server. */
  readonly isHolding: boolean;
  readonly startWatch?: StartWatch;
}

/** Watches from `resume` until `stop`. The directory may be missing, and may be replaced at any time. */
export class DirectoryWatch {
  /** How changes are noticed now. */
  mode: "watch" | "poll" = "watch";
  /** How often the directory was found replaced and watched anew. */
  rearms = 0;

  readonly #options: WatchOptions;
  readonly #startWatch: StartWatch;
  #watcher: { close(): void } | null = null;
  #identity: string | null = null;
  #mtimeNs = 0n;
  #isRemoved = false;
  #probe: { readonly name: string; readonly timer: Timer } | null = null;
  #tick: Timer | null = null;
  #reprobeAt = 0;
  #fastUntil = 0;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#startWatch = options.startWatch ?? rawWatch;
  }

  /** Begins or goes on looking, and looks once now. Call when something new waits: polling is then fast again. */
  resume(): void {
    this.#fastUntil = this.#options.clock.monotonic() + fastPollForMs;
    const wasPaused = this.#tick === null;
    if (this.#watcher === null && this.mode === "watch") this.#arm();
    else if (wasPaused && this.#isReplaced()) this.#rearm();
    if (wasPaused) this.#schedule();
  }

  /** Stops the timer while nothing waits; the watch stays, and its first event after a pause is as good as any. */
  pause(): void {
    this.#tick?.cancel();
    this.#tick = null;
  }

  stop(): void {
    this.pause();
    this.#disarm();
    this.mode = "watch";
  }

  #schedule(): void {
    const { clock, isHolding } = this.#options;
    const isFast = clock.monotonic() < this.#fastUntil;
    const delayMs = this.mode === "watch" ? lookMs : isFast ? fastPollMs : slowPollMs;
    this.#tick = clock.after(
      delayMs,
      () => {
        this.#schedule();
        this.look();
        this.#options.listener.onTick();
      },
      isHolding,
    );
  }

  /** One `stat` of the directory decides whether it must be read. */
  look(): void {
    const { clock, listener } = this.#options;
    const stats = lookThrough(this.#options.directory);
    if (stats === null) {
      this.#noteRemoved();
      return;
    }
    if (identityOf(stats) !== this.#identity) this.#rearm();
    else if (stats.mtimeNs !== this.#mtimeNs || isYoung(stats, clock.now())) {
      this.#mtimeNs = stats.mtimeNs;
      listener.onRescan();
    }
    if (this.mode === "poll" && clock.monotonic() >= this.#reprobeAt) this.#arm();
  }

  /** Only the identity: what changed during a pause is told by what is looked at after filing. */
  #isReplaced(): boolean {
    const stats = lookThrough(this.#options.directory);
    return stats !== null && identityOf(stats) !== this.#identity;
  }

  #rearm(): void {
    if (this.#identity !== null) this.rearms += 1;
    this.#disarm();
    this.#arm();
    this.#options.listener.onRescan();
  }

  #noteRemoved(): void {
    if (this.#isRemoved) return;
    this.#isRemoved = true;
    this.#disarm();
    // The next directory under this name is another one, whatever its inode number.
    this.#identity = "";
    this.#options.listener.onRemoved();
  }

  /** Starts the watch and its self-test. Identity and time are read before, so nothing falls in between. */
  #arm(): void {
    const { directory, clock } = this.#options;
    const stats = lookThrough(directory);
    if (stats === null) return;
    this.#isRemoved = false;
    this.#identity = identityOf(stats);
    this.#mtimeNs = stats.mtimeNs;
    this.#reprobeAt = clock.monotonic() + reprobeMs;
    if (!this.#options.isSafe()) {
      this.#fallBack();
      return;
    }
    try {
      this.#watcher?.close();
      this.#watcher = this.#startWatch(
        directory,
        (name) => this.#onEvent(name),
        () => this.#fallBack(),
      );
      this.#sendProbe();
    } catch {
      // EMFILE, ENOSPC and the like: no watch is to be had now. Polling needs none, and this is tried again.
      this.#fallBack();
    }
  }

  #sendProbe(): void {
    const { clock, directory } = this.#options;
    this.#probe?.timer.cancel();
    const name = `${temporaryPrefix}${Buffer.from(clock.randomBytes(8)).toString("hex")}`;
    // A loop that was busy runs timers before it reads events: one turn more tells a dead watch from a late look.
    const timer = clock.after(probeMs, () => {
      if (this.#probe?.name === name) this.#probe = { name, timer: clock.after(0, () => this.#fallBack()) };
    });
    this.#probe = { name, timer };
    const path = join(directory, name);
    writeFileSync(path, "", { flag: "wx", mode: 0o600 });
    unlinkSync(path);
  }

  #onEvent(name: string | null): void {
    if (name !== null && name === this.#probe?.name) {
      this.#probe.timer.cancel();
      this.#probe = null;
      this.#setMode("watch");
      return;
    }
    if (name === null || name === basename(this.#options.directory)) this.look();
    else if (!name.startsWith(".")) this.#options.listener.onName(name);
  }

  #fallBack(): void {
    this.#disarm();
    this.#setMode("poll");
  }

  #disarm(): void {
    this.#watcher?.close();
    this.#watcher = null;
    this.#probe?.timer.cancel();
    this.#probe = null;
  }

  #setMode(mode: "watch" | "poll"): void {
    if (this.mode === mode) return;
    this.mode = mode;
    if (this.#tick === null) return;
    this.pause();
    this.#schedule();
    this.#options.listener.onRescan();
  }
}

/** While anything waits the directory itself is looked at this often: events can be lost without a word. */
const lookMs = 1_000;
/** Without events: often while the person is likely to be at it, then less. */
const fastPollMs = 50;
const slowPollMs = 200;
const fastPollForMs = 30_000;
/** A watch whose own probe does not come back within this time delivers nothing. */
export const probeMs = 250;
/** A full event queue can make a healthy watch fail its probe, so it is tried again. */
const reprobeMs = 30_000;
/** Coarse clocks give two changes in a row the same time, so a directory this young is read again. */
const youngMs = 100;

function isYoung(stats: BigIntStats, now: number): boolean {
  return now - Number(stats.mtimeMs) < youngMs;
}
