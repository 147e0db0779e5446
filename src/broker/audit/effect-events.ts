/** Events of what ran because it was approved. */
import { count, flag, group, hash, maybe, one, rarely, seconds, text } from "./event-fields.js";
import { allowedVia, assurance, claims, run, scope } from "./shared-fields.js";

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
    says: "Before an approved command begins, or an approved call is sent on: it is on disk first.",
    verified: {
      program: rarely(group(program, "The file that is executed.")),
      directory: rarely(text("Where it runs.")),
      server: rarely(text("Of a call of a tool: the server that it goes to, by the name of its gate.")),
      identity: rarely(hash("Of what that server was started as, or of its address.")),
      tool: rarely(text("Of a call of a tool: its name.")),
      arguments: rarely(hash("Of a call of a tool: its arguments, as they are sent.")),
    },
    selfReported: {},
    details: {
      scope: maybe(scope),
      via: allowedVia,
      assurance: maybe(assurance),
      timeoutSeconds: rarely(seconds("For how long it may run.")),
      run,
    },
  },
  "effect.finished": {
    says: "After it ended, or why it did not begin.",
    verified: {},
    selfReported: {},
    details: {
      ending: one(
        ["exited", "timed_out", "cancelled", "abandoned", "not_started", "drifted", "unknown", "answered"],
        "How. `drifted`: what was approved is no longer there. `unknown`: wisp lost sight of it. `answered`: the server answered the call.",
      ),
      exitCode: rarely(count("Its exit code; null where a signal ended it.")),
      signal: rarely(text("The signal that ended it.")),
      truncated: rarely(flag("Was its output too long to be shown whole?")),
      bytes: rarely(count("Of a call of a tool: the size of the answer as it was passed on.")),
      durationMs: rarely(count("How long it ran, in milliseconds.")),
      errno: rarely(text("Why the system did not start it.")),
      why: rarely(text("Why nothing ran, or why it is unknown.")),
      run,
    },
  },
  "call.passed": {
    says: "A call of a tool that a rule or a preset let through, so that nobody was asked. Of a gate the first stands here before it is sent, and so does the next after a write that failed; the others are written within 250 ms after.",
    verified: {
      server: text("The server that it went to, by the name of its gate."),
      tool: text("Its name."),
      arguments: hash("Its arguments, as they were sent."),
    },
    selfReported: claims,
    details: { rule: text("What let it through: its list, the rule as it is written, and where it stands.") },
  },
  "frame.refused": {
    says: "Messages of a client that the gate sent nowhere, because two readers could take them for two things. One record a second at most.",
    verified: { server: text("The server that it was meant for, by the name of its gate.") },
    selfReported: {},
    details: {
      why: text("What was wrong with the first of them."),
      count: count("How many there were since the record before."),
    },
  },
} as const;
