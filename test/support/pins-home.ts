/** The pins of a gate in a home, as one process after another opens them. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openGatePins } from "../../src/broker/gates/open-pins.js";
import type { GatePins } from "../../src/broker/gates/pins.js";
import { livenessOf, ownIdentity } from "../../src/broker/identity/process.js";
import { rootSecretOf } from "../../src/broker/identity/root-secret.js";
import { systemClock } from "../../src/broker/system/clock.js";

export class PinsHome {
  readonly path: string;
  readonly name: string;

  constructor(path: string, name = "fs") {
    this.path = path;
    this.name = name;
    mkdirSync(path, { mode: 0o700, recursive: true });
  }

  get file(): string {
    return join(this.path, "gates", `${this.name}.json`);
  }

  /** Below `keys/`, where only wisp writes. */
  get head(): string {
    return join(this.path, "keys", "gates", this.name);
  }

  open(name = this.name): GatePins {
    const { path } = this;
    const own = ownIdentity();
    const place = { path, ensureHome: () => path, clock: systemClock };
    return openGatePins({
      ...place,
      name,
      own,
      keys: rootSecretOf(place),
      liveness: (one) => livenessOf(one, own),
    });
  }

  text(): string {
    return readFileSync(this.file, "utf8");
  }

  /** As somebody writes it who can write every file but those below `keys/`. */
  write(content: string): void {
    writeFileSync(this.file, content, { mode: 0o600 });
  }
}
