/** Throw-away directories and homes for tests; everything is removed when the test ends. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { RefusedAnswer } from "../../src/broker/channel/channel.js";
import { DirectoryChannel, type DirectoryChannelOptions } from "../../src/broker/channel/directory.js";
import { type Home, homeAt } from "../../src/broker/channel/home.js";
import { serverPresence } from "../../src/broker/channel/servers.js";
import { ownIdentity, ownParent } from "../../src/broker/identity/process.js";
import type { Witness } from "../../src/broker/request/assurance.js";
import type { Clock } from "../../src/broker/system/clock.js";
import { systemClock } from "../../src/broker/system/clock.js";
import { takesAll } from "./witnesses.js";

/** An empty private directory that is removed when the running test ends. */
export function tempDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "wisp-test-"));
  onTestFinished(() => {
    restoreModes(path);
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}

/** A home that does not exist yet, in a directory that is removed when the running test ends. */
export function tempHome(): Home {
  return homeAt(join(tempDirectory(), "home"), false);
}

/** A home whose directories exist already, for planting files before anybody opens it. */
export function madeHome(): Home {
  const home = tempHome();
  for (const path of [home.path, home.pending, home.settled, home.rejected, home.servers, home.spool]) {
    mkdirSync(path, { mode: 0o700 });
  }
  return home;
}

export interface Opened {
  readonly channel: DirectoryChannel;
  readonly refused: RefusedAnswer[];
}

/** What a test wants otherwise; without a `witness` every answer is taken. */
export type AskerOverrides = Partial<DirectoryChannelOptions> & { readonly witness?: Witness };

const self = ownIdentity();

export const ownServer = {
  pid: self.pid,
  startedAt: self.startedAt,
  boot: self.boot,
  instance: "abcdefghjkmnpqrs",
} as const;

/** The channel as this process's server opens it; closed when the running test ends. */
export function openAsker(home: Home, overrides: AskerOverrides = {}): Opened {
  const opened = askerOf(home, overrides);
  onTestFinished(() => opened.channel.close());
  return opened;
}

/** The same, for whoever closes it. */
export function askerOf(home: Home, { witness = takesAll, ...overrides }: AskerOverrides = {}): Opened {
  const refused: RefusedAnswer[] = [];
  const clock: Clock = overrides.clock ?? systemClock;
  const record = () => ({
    v: 1 as const,
    ...ownServer,
    namespace: self.namespace,
    parent: ownParent(),
    client: null,
    home: home.path,
  });
  const channel = new DirectoryChannel({
    home,
    clock,
    asker: {
      server: ownServer,
      by: { pid: self.pid, startedAt: self.startedAt, tty: null, version: "0.1.0" },
      presence: serverPresence({ home, clock, record }),
      witness,
    },
    onRefused: (one) => refused.push(one),
    ...overrides,
  });
  return { channel, refused };
}

/** The channel as a face opens it; closed when the running test ends. */
export function openFace(home: Home, overrides: Partial<DirectoryChannelOptions> = {}): DirectoryChannel {
  const channel = faceOf(home, overrides);
  onTestFinished(() => channel.close());
  return channel;
}

/** The same, for whoever closes it. */
export function faceOf(home: Home, overrides: Partial<DirectoryChannelOptions> = {}): DirectoryChannel {
  return new DirectoryChannel({ home, clock: systemClock, asker: null, onRefused: () => {}, ...overrides });
}

/** What a test closed to its owner could not be removed otherwise. */
function restoreModes(path: string): void {
  try {
    chmodSync(path, 0o700);
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (entry.isDirectory()) restoreModes(join(path, entry.name));
    }
  } catch {
    // A test may have removed it.
  }
}
