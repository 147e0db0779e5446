/** Events of what ran because it was approved. */
import { count, flag, group, maybe, one, rarely, seconds, text } from "./event-fields.js";
import { allowedVia, assurance, run, scope } from "./shared-fields.js";

const program = {
  path: text("Where it lies."),
  device: text("The device it lies on."),
  inode: text("Its number there."),
  size: count("In bytes."),
  mtime: text("When it was last written, in nanoseconds since 1970."),
};

/** By kind. */
export const effectEvents = {
  "effect.started": {
    says: "Before an approved command begins: it is on disk first.",
    verified: {
      program: group(program, "The file that is executed."),
      directory: text("Where it runs."),
    },
    selfReported: {},
    details: {
      scope: maybe(scope),
      via: allowedVia,
      assurance: maybe(assurance),
      timeoutSeconds: seconds("For how long it may run."),
      run,
    },
  },
  "effect.finished": {
    says: "After it ended, or why it did not begin.",
    verified: {},
    selfReported: {},
    details: {
      ending: one(
        ["exited", "timed_out", "cancelled", "abandoned", "not_started", "drifted", "unknown"],
        "How. `drifted`: what was approved is no longer there. `unknown`: wisp lost sight of it.",
      ),
      exitCode: rarely(count("Its exit code; null where a signal ended it.")),
      signal: rarely(text("The signal that ended it.")),
      truncated: rarely(flag("Was its output too long to be shown whole?")),
      durationMs: rarely(count("How long it ran, in milliseconds.")),
      errno: rarely(text("Why the system did not start it.")),
      why: rarely(text("Why nothing ran, or why it is unknown.")),
      run,
    },
  },
} as const;
