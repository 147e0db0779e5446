/** Remembered rules in a home, as one process after another opens them. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { livenessOf, ownIdentity } from "../../src/broker/identity/process.js";
import { rootSecretOf } from "../../src/broker/identity/root-secret.js";
import type { RememberedRule, RememberedRules } from "../../src/broker/policy/remembered.js";
import { openRememberedRules } from "../../src/broker/policy/remembered-store.js";
import { type Clock, systemClock } from "../../src/broker/system/clock.js";
import { FakeClock } from "./fake-clock.js";

export class RememberedHome {
  readonly clock = new FakeClock();
  readonly path: string;

  constructor(path: string) {
    this.path = path;
    mkdirSync(this.path, { mode: 0o700, recursive: true });
  }

  get file(): string {
    return join(this.path, "remembered.json");
  }

  get seal(): string {
    return join(this.path, "keys", "sealed", "remembered.json");
  }

  /** As a process sees them that has just started. */
  open(clock: Clock = this.clock): RememberedRules {
    return openRememberedRules(rememberedOptions(this.path, clock));
  }

  text(): string {
    return readFileSync(this.file, "utf8");
  }

  /** As somebody writes it who can write every file but those below `keys/`. */
  write(content: string | Uint8Array): void {
    writeFileSync(this.file, content, { mode: 0o600 });
    chmodSync(this.file, 0o600);
  }

  edit(change: (rules: readonly RememberedRule[]) => readonly unknown[]): void {
    const { permissions } = JSON.parse(this.text());
    this.write(JSON.stringify({ permissions: { remembered: change(permissions.remembered) } }));
  }
}

/** What opens the rules of the home at `path` in this process. */
export function rememberedOptions(path: string, clock: Clock = systemClock) {
  const ensureHome = (): string => path;
  const own = ownIdentity();
  return {
    path,
    ensureHome,
    clock,
    // The fake clock would give every home the same secret.
    keys: rootSecretOf({ path, ensureHome, clock: systemClock }),
    own,
    liveness: (one: Parameters<typeof livenessOf>[0]) => livenessOf(one, own),
  };
}
