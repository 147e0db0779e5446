/** Fields that several kinds of events have. */
import { vias } from "../request/answer.js";
import { assurances, levels } from "../request/request.js";
import { scopes } from "../request/scope.js";
import { count, flag, group, hash, id, list, maybe, one, rarely, seconds, text } from "./event-fields.js";

const aProcess = {
  pid: count("Its number."),
  name: text("The name of its program."),
  startedAt: text("When it started, as the system tells it."),
};

/** What was seen of the process that answered. */
export const seen = {
  pid: rarely(count("The number of the process that answered.")),
  startedAt: rarely(text("When that process started, as the system tells it.")),
  tty: rarely(text("Its controlling terminal.")),
  ancestors: rarely(
    list(group(aProcess, "One of them."), "The processes above it, the nearest first; 32 at most."),
  ),
  client: rarely(
    list(group(aProcess, "One of them."), "The processes of the client that asked, 32 at most."),
  ),
  within: rarely(text("The client from within which it was started.")),
  masterHolder: rarely(group(aProcess, "The process of a client that holds the other end of its terminal.")),
  unchecked: rarely(
    list(
      text("One thing."),
      "What was not looked at or not shown: standard input, ancestors, open files of a process, records of other servers.",
    ),
  ),
  fault: rarely(text("Why looking failed, or why the client of the server may be another one.")),
};

/** What callers say of themselves, whatever they ask. */
export const claims = {
  client: maybe(
    group({ name: text("Its name."), version: text("Its version.") }, "The client, by its own word."),
  ),
  thread: maybe(text("The thread of the client, by its word.")),
};

/** The same of a call that may run something. */
export const callClaims = {
  ...claims,
  says: maybe(hash("Of what the agent says the call is for.")),
};

const answering = {
  pid: count("Its number."),
  startedAt: text("When it started."),
  tty: maybe(text("Its terminal.")),
  version: text("The version of wisp it runs."),
};

/** Who answered, by that process's word. */
export const answeredBy = { by: group(answering, "The process that answered, by its own word.") };

/** What a call is about. */
export const asked = {
  level: one(levels, "How much harm it can do."),
  rule: maybe(
    text("The rule that decided, as text: its list, the rule as it is written, and the file with the line."),
  ),
  subject: one(["command", "tool", "permission"], "What would be done."),
  command: rarely(text("Of a command: the part that needs approval, shown text, cut at 1,000 characters.")),
  directory: rarely(text("Of a command: where it would run.")),
  server: rarely(text("Of a tool: the server it belongs to.")),
  tool: rarely(text("Of a tool or a permission: its name.")),
  arguments: rarely(hash("Of a tool: its arguments.")),
  input: rarely(hash("Of a permission: its input.")),
};

/** Which way an answer came. */
export const via = one(
  vias,
  "Where the answer came from: `elicitation` is the client's dialog, `server` nobody but the server.",
);
/** Which way it was allowed. */
export const allowedVia = one(
  [...vias, "policy"],
  "The way of the answer that allowed or refused it; `policy` where a rule of a file did, and nobody was asked.",
);
/** For how long it counts. */
export const scope = one(scopes, "For how long the yes counts.");
/** How sure it is that a person gave it. */
export const assurance = one(assurances, "How sure it is that a person answered.");
/** One run of what was approved. */
export const run = rarely(
  id(
    "Of the one run that this allowed: the same in `approval.decided`, `effect.started` and `effect.finished`.",
  ),
);
/** The rule that a person's yes left. */
export const remembered = rarely(id("Of the remembered rule that allowed it."));

/** How a question or an approval was put before a person. */
export const pending = {
  filed: flag("Is it in the directory, where every face sees it?"),
  why: maybe(text("Why it is not.")),
  dialog: flag("Is the client's dialog raised?"),
  noDialog: maybe(text("Why it is not.")),
  bannerDelaySeconds: maybe(seconds("How long a banner leaves the dialog alone; 0 without one.")),
  binding: maybe(hash("Of all that is asked; an answer names it.")),
};

/** What becomes of a dialog that decides nothing. */
export const dialogParts = [
  "none",
  "open",
  "answered",
  "withdrawn",
  "dismissed",
  "invalid",
  "failed",
  "unsupported",
  "declined",
] as const;

/** How an answer came that ended something. */
export const ended = {
  via,
  seconds: seconds("From the first call to the end."),
  dialog: one(dialogParts, "What became of the client's dialog."),
  banner: maybe(
    one(
      ["posted", "skipped", "none"],
      "What became of the banner: shown, not needed any more, or never to be shown.",
    ),
  ),
  why: maybe(text("Why an answer came to nothing.")),
};
