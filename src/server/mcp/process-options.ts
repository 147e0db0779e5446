/** What a server of ours takes from the process that it runs in: its clock and its environment, and who stands around it. */
import { createRequire } from "node:module";
import { release } from "node:os";
import { createNotifiers, desktopOf, ownAncestors, processWitness, systemClock } from "../../broker/index.js";
import type { AskingOptions } from "./asking.js";

/** Of this process. To be called at its start: a wrapper between it and its client may end soon. */
export function processOptions(): Omit<AskingOptions, "say"> {
  const { env: environment } = process;
  const ancestry = ownAncestors();
  const desktop = desktopOf(process.platform, release());
  const machine = { clock: systemClock, desktop, environment, nodeNotifier };
  return {
    environment,
    directory: process.cwd(),
    clock: systemClock,
    createWitness: (options) => processWitness({ ...options, ancestry }),
    createNotifiers: (wanted) => createNotifiers(wanted, machine),
    openRules: async (place) => (await loadRules()).fileRules(place),
  };
}

/** A tenth of this program, which nobody waits for while a server introduces itself. */
function loadRules() {
  return import("./file-rules.js");
}

/** Makes ready what judges calls. What keeps it from that is told to the first call that needs it. */
export function loadRulesEarly(): void {
  loadRules().catch(() => undefined);
}

/** Throws where the package is not installed: whoever only copied the programs has none beside them. */
function nodeNotifier(): string {
  const require = createRequire(import.meta.url);
  return require.resolve("node-notifier");
}
