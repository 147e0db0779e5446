/** Grants and late requests in a directory, as one process after another opens them. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Grants, LateRequests } from "../../src/broker/approval/grants.js";
import { openLateRequests } from "../../src/broker/grants/late.js";
import { momentsOf } from "../../src/broker/grants/life.js";
import { type GrantsOptions, openGrants } from "../../src/broker/grants/unspent.js";
import { rootSecretOf } from "../../src/broker/identity/root-secret.js";
import { systemClock } from "../../src/broker/system/clock.js";
import { FakeClock } from "./fake-clock.js";
import { Record } from "./grants.js";
import { ttlSeconds } from "./grants-contract.js";

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
    return join(this.grants, "spent");
  }

  /** The machine starts again: the uptime begins anew. */
  reboot(): void {
    this.boot = `${this.boot}+`;
    this.upSinceMs = -this.clock.monotonic();
  }

  options(overrides: Partial<GrantsOptions> = {}): GrantsOptions {
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
  open(overrides: Partial<GrantsOptions> = {}): Grants {
    return openGrants(this.options(overrides));
  }

  openLate(lateSeconds = 86_400): LateRequests {
    return openLateRequests({ ...this.options(), lateSeconds });
  }
}
