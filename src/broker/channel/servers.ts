/**
 * `servers/<instance>.json`: one record per live server, by which everybody else tells whether a request still
 * has somebody behind it. Its modification time is the heartbeat.
 */
import { renameSync, unlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { lookAt } from "../files/look.js";
import { temporaryPrefix } from "../files/publish.js";
import { readBytes } from "../files/read.js";
import { ensureSafeDirectory } from "../files/safe-directory.js";
import { errnoOf, WispError } from "../request/errors.js";
import type { Clock, Timer } from "../system/clock.js";
import type { Home } from "./home.js";
import type { Presence } from "./presence.js";
import { heartbeatMs, longestRecord, type ServerRecord } from "./server-record.js";

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

interface Written {
  readonly path: string;
  readonly text: string;
}

class Record implements Presence {
  readonly #options: ServerPresenceOptions;
  #beat: Timer | null = null;
  #waiting: () => readonly string[] = () => [];
  #detached: readonly string[] = [];
  #isOutdated = true;
  #written: Written | null = null;

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
    if (this.#written === null || isLeft) return;
    try {
      unlinkSync(this.#written.path);
    } catch {
      // Gone already, or on a disk that fails: the process's end tells the rest.
    }
    this.#written = null;
  }

  #keepAlive(): void {
    const now = this.#options.clock.now() / 1_000;
    try {
      // By this record other servers know whose answers do not count: nobody gets rid of it for longer than a beat.
      if (this.#isOutdated || this.#written === null || !isAsWritten(this.#written)) this.#write();
      else utimesSync(this.#written.path, now, now);
    } catch {
      // The record or the disk is gone: the next beat writes it anew. Filing has its own check.
      this.#written = null;
    }
  }

  #write(): void {
    const { home, record, clock } = this.#options;
    const facts = record();
    const path = join(home.servers, `${facts.instance}.json`);
    const waiting = this.#waiting().slice(-mostListed);
    const text = JSON.stringify({ ...facts, waiting, detached: this.#detached.slice(-mostListed) });
    ensureSafeDirectory(home.servers);
    try {
      makeRoom(path, home, clock);
      // Last writer wins, and there is one writer. Without fsync: it means nothing without its live process.
      writeFileAtomic.sync(path, text, { mode: 0o600, fsync: false });
    } catch (error) {
      throw new WispError("channel_unavailable", `Cannot write ${path} (${errnoOf(error)}).`, {
        cause: error,
      });
    }
    this.#written = { path, text };
    this.#isOutdated = false;
  }
}

/** Read as others read it: a record that they refuse is none. */
function isAsWritten({ path, text }: Written): boolean {
  const result = readBytes(path, longestRecord);
  return result.kind === "bytes" && Buffer.from(result.bytes).equals(Buffer.from(text, "utf8"));
}

/** A link would be followed to what it names, and a directory cannot be replaced: such are moved out of the way. */
function makeRoom(path: string, { servers }: Home, clock: Clock): void {
  const there = lookAt(path);
  if (there === null || there.isFile()) return;
  const name = Buffer.from(clock.randomBytes(8)).toString("hex");
  renameSync(path, join(servers, `${temporaryPrefix}${name}`));
}
