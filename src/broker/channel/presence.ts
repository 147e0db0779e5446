/** How a process that asks shows that it lives; a face has none. */
export interface Presence {
  /** Called before each filing: makes the record and begins the heartbeat. Throws channel_unavailable. */
  begin(): void;
  /** What waits has changed; asked for and written with the next heartbeat. */
  waiting(ids: () => readonly string[]): void;
  /** Of what waits, what no call waits for any more: written at once, for a person may be about to answer it. */
  detached(ids: readonly string[]): void;
  /** Stops the heartbeat, and removes the record unless `isLeft`: then something still waits in its name. */
  end(isLeft: boolean): void;
}
