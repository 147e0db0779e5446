/** GrantStore and late requests in a directory, as one process after another opens them. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { GrantStore, LateRequests, Yes } from "../../src/broker/grants/grant-store.js";
import { openLateRequests } from "../../src/broker/grants/late.js";
import { momentsOf } from "../../src/broker/grants/life.js";
import { type GrantStoreOptions, openGrantStore } from "../../src/broker/grants/unspent.js";
import { rootSecretOf } from "../../src/broker/identity/root-secret.js";
import { systemClock } from "../../src/broker/system/clock.js";
import { FakeClock } from "./fake-clock.js";
import { boundTo, Record, yesTo } from "./grants.js";
import { ttlSeconds } from "./grants-contract.js";
import { tempDirectory } from "./temp-home.js";

export class GrantsHome {
  readonly clock = new FakeClock();
  readonly record = new Record();
  /** Which boot the machine is in, and how long it is up at the clock's zero. */
  boot = "boot-1";
  upSinceMs = 1_000_000;
  readonly path: string;

  constructor(path: string) {
    this.path = path;
    mkdirSync(this.path, { mode: 0o700, recursive: true });
  }

  get grants(): string {
    return join(this.path, "grants");
  }

  get spent(): string {
    return join(this.path, "keys", "spent");
  }

  /** The machine starts again: the uptime begins anew. */
  reboot(): void {
    this.boot = `${this.boot}+`;
    this.upSinceMs = -this.clock.monotonic();
  }

  options(overrides: Partial<GrantStoreOptions> = {}): GrantStoreOptions {
    const { path, clock, boot } = this;
    const ensureHome = (): string => path;
    return {
      path,
      ensureHome,
      clock,
      moment: momentsOf(clock, boot, () => Math.floor(clock.monotonic() + this.upSinceMs)),
      ttlSeconds,
      // The fake clock would give every home the same secret.
      keys: rootSecretOf({ path, ensureHome, clock: systemClock }),
      recorded: (id) => this.record.of(id),
      isServerGone: () => false,
      ...overrides,
    };
  }

  /** As a process that just started sees them. */
  open(overrides: Partial<GrantStoreOptions> = {}): GrantStore {
    return openGrantStore(this.options(overrides));
  }

  openLate(lateSeconds = 86_400): LateRequests {
    return openLateRequests({ ...this.options(), lateSeconds });
  }
}

/** A home in which a process that is gone kept one approval. */
export async function left(overrides: Partial<Yes> = {}) {
  const home = new GrantsHome(join(tempDirectory(), "home"));
  const yes = yesTo(overrides);
  home.record.answered(yes);
  const approval = await home.open().keep(yes);
  if (approval === null) throw new Error("it was not kept");
  return { home, yes, approval, path: join(home.grants, `${approval.id}.json`) };
}

export async function expectUsedOnce(home: GrantsHome, id: string): Promise<void> {
  expect(home.open().find(boundTo())?.id).toBe(id);
  expect(await home.open().claim(id)).toBe(true);
  expect(await home.open().claim(id)).toBe(false);
  expect(home.open().find(boundTo())).toBeNull();
}

/** An approval that nothing is wrong with still works beside what was refused. */
export async function expectGoodOneWorks(home: GrantsHome): Promise<void> {
  const yes = yesTo();
  home.record.answered(yes);
  await home.open().keep(yes);
  await expectUsedOnce(home, yes.request.id);
}
