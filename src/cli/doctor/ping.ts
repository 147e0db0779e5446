/** `wisp doctor --ping`: posts one banner and asks whether it was seen, which no program can tell. */
import type { BannerReceipt, Notifier } from "../../broker/index.js";
import type { Terminal } from "../terminal.js";
import { type Check, failure, ok } from "./check.js";

/** A check of its own. Null when the person ended it before they answered. */
export async function ping(notifiers: readonly Notifier[], terminal: Terminal): Promise<Check | null> {
  const interrupted = terminal.interruption();
  const receipts = await posting(notifiers, interrupted, terminal);
  const told = receipts.map(textOf).join("; ");
  if (interrupted.aborted) return null;
  if (receipts.every(({ outcome }) => outcome !== "posted")) return failure("ping", told, fix);
  terminal.err.write(`${told}\n`);
  const answer = await terminal.readLine("Do you see it? [y/N] ", interrupted);
  if (answer === null) return null;
  if (/^y(es)?$/i.test(answer.trim())) return ok("ping", `${told}, and seen`);
  const why =
    "do-not-disturb, a locked screen and a desktop of another session keep a banner from being seen";
  return failure("ping", `${told}, but not seen: ${why}`, fix);
}

/** A program that posts keeps no process alive; here there is nothing else to wait for. */
async function posting(
  notifiers: readonly Notifier[],
  interrupted: AbortSignal,
  { clock }: Terminal,
): Promise<readonly BannerReceipt[]> {
  const holding = clock.every(longestTimerMs, () => undefined, true);
  try {
    return await Promise.all(notifiers.map((one) => one.post(banner, interrupted)));
  } finally {
    holding.cancel();
  }
}

const longestTimerMs = 2 ** 31 - 1;

const fix = "Set notify.command in config.json to a program that reaches you.";

const body = "Posted by wisp doctor --ping. There is nothing to answer but in the terminal.";

const banner = {
  title: "wisp: do you see this?",
  body,
  outside: body,
  source: "notify",
  request: null,
  level: null,
  client: null,
  project: null,
} as const;

function textOf({ outcome, route, skipped }: BannerReceipt): string {
  if (outcome === "posted") return `posted by ${route}`;
  return `not posted: ${skipped.map((one) => `${one.route}: ${one.why}`).join("; ")}`;
}
