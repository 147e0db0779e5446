/** A store of facts in a directory, as one process after another opens it. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { FactStore } from "../../src/broker/facts/fact-store.js";
import type { FactPlace } from "../../src/broker/facts/filed.js";
import { type FactStoreOptions, openFactStore } from "../../src/broker/facts/store.js";
import { rootSecretOf } from "../../src/broker/identity/root-secret.js";
import { systemClock } from "../../src/broker/system/clock.js";
import { FakeClock } from "./fake-clock.js";

export class FactsHome {
  readonly clock = new FakeClock();
  readonly path: string;

  constructor(path: string) {
    this.path = path;
    mkdirSync(this.path, { mode: 0o700, recursive: true });
  }

  get facts(): string {
    return join(this.path, "facts");
  }

  place(name: FactPlace): string {
    return join(this.facts, name);
  }

  file(name: FactPlace, id: string): string {
    return join(this.place(name), `${id}.json`);
  }

  /** As a process sees them that has just started. */
  open(overrides: Partial<FactStoreOptions> = {}): FactStore {
    const { path, clock } = this;
    const ensureHome = (): string => path;
    // The fake clock would give every home the same secret.
    const keys = rootSecretOf({ path, ensureHome, clock: systemClock });
    return openFactStore({ path, ensureHome, clock, keys, ...overrides });
  }
}
