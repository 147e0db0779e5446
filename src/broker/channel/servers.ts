/**
 * `servers/<instance>.json`: one record per live server, by which everybody else tells whether a request still
 * has somebody behind it. Its modification time is the heartbeat.
 */
import { unlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { ensureSafeDirectory } from "../files/safe-directory.js";
import { errnoOf, WispError } from "../request/errors.js";
import type { Clock, Timer } from "../system/clock.js";
import type { Home } from "./home.js";
import type { Presence } from "./presence.js";
import { heartbeatMs, type ServerRecord } from "./server-record.js";

/** Where the record lies, and what it says. */
export interface ServerPresenceOptions {
  readonly home: Home;
  readonly clock: Clock;
  /** Everything of the record but what waits; asked for at each writing, for the client may not be known yet. */
  readonly record: () => Omit<ServerRecord, "waiting" | "detached">;
}

/** The record of this server, written with its first request and removed at its end. */
export function serverPresence(options: ServerPresenceOptions): Presence {
  return new Record(options);
}

/** A record is for other processes to find its server, not to hold everything: of each list the newest. */
const mostListed = 1_000;

class Record implements Presence {
  readonly #options: ServerPresenceOptions;
  #beat: Timer | null = null;
  #waiting: () => readonly string[] = () => [];
  #detached: readonly string[] = [];
  #isOutdated = true;
  #path: string | null = null;

  constructor(options: ServerPresenceOptions) {
    this.#options = options;
  }

  begin(): void {
    if (this.#beat !== null) return;
    this.#write();
    this.#beat = this.#options.clock.every(heartbeatMs, () => this.#keepAlive());
  }

  waiting(ids: () => readonly string[]): void {
    this.#waiting = ids;
    this.#isOutdated = true;
  }

  detached(ids: readonly string[]): void {
    this.#detached = ids;
    this.#isOutdated = true;
    if (this.#beat !== null) this.#keepAlive();
  }

  end(isLeft: boolean): void {
    this.#beat?.cancel();
    this.#beat = null;
    if (this.#path === null || isLeft) return;
    try {
      unlinkSync(this.#path);
    } catch {
      // Gone already, or on a disk that fails: the process's end tells the rest.
    }
    this.#path = null;
  }

  #keepAlive(): void {
    try {
      if (this.#isOutdated || this.#path === null) this.#write();
      else utimesSync(this.#path, this.#options.clock.now() / 1_000, this.#options.clock.now() / 1_000);
    } catch {
      // The record or the disk is gone: the next beat writes it anew. Filing has its own check.
      this.#path = null;
    }
  }

  #write(): void {
    const { home, record } = this.#options;
    const facts = record();
    const path = join(home.servers, `${facts.instance}.json`);
    const waiting = this.#waiting().slice(-mostListed);
    const text = JSON.stringify({ ...facts, waiting, detached: this.#detached.slice(-mostListed) });
    ensureSafeDirectory(home.servers);
    try {
      // Last writer wins, and there is one writer. Without fsync: it means nothing without its live process.
      writeFileAtomic.sync(path, text, { mode: 0o600, fsync: false });
    } catch (error) {
      throw new WispError("channel_unavailable", `Cannot write ${path} (${errnoOf(error)}).`, {
        cause: error,
      });
    }
    this.#path = path;
    this.#isOutdated = false;
  }
}
