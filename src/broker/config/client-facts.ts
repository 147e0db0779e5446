/** What counts for one client: what the person configured, then what is known of it, then the protocol's word. */
import { type HoldTimes, type KnownClient, knownClients, type UnseenDecline } from "./known-clients.js";
import type { Settings } from "./settings.js";

/** How one client is treated. */
export interface ClientFacts {
  /** What its decline means that came before anybody can have read the question. */
  readonly unseenDecline: UnseenDecline;
  /** May its dialog be raised, where it has one? */
  readonly dialog: boolean;
  /** Does it give its agent a shell, so that a terminal below it proves nothing? */
  readonly shell: boolean;
  /** For how long a call of its is held, as the person configured it; `auto`: as long as it waits. */
  readonly holdSeconds: number | "auto";
  /** For how long it is known to wait for a call; in `HoldTimes` it says how that is counted. */
  readonly hold: HoldTimes;
}

/** Clients give up after 60 s, some after 30 s; no longer than this is safe to expect of one that nobody measured. */
const unmeasured: HoldTimes = { beating: 45, silent: 45 };

/** `name` is what the client says; null where it says nothing. */
export function clientFacts(name: string | null, settings: Pick<Settings, "approval">): ClientFacts {
  const known = name === null ? undefined : knownClients.find((one) => isNamed(one, name));
  const { clients } = settings.approval;
  // A client chooses its name: one like "toString" must not find what every object inherits.
  const configured = name !== null && Object.hasOwn(clients, name) ? clients[name] : undefined;
  return {
    unseenDecline: configured?.unseenDecline ?? known?.unseenDecline ?? "decline",
    dialog: configured?.dialog ?? true,
    shell: configured?.shell ?? known?.shell ?? false,
    holdSeconds: configured?.holdSeconds ?? settings.approval.holdSeconds,
    hold: known?.hold ?? unmeasured,
  };
}

/** Is a terminal refused that was opened from within the client of this name? */
export function isRefusedWithin(name: string | null, settings: Pick<Settings, "approval">): boolean {
  const { ancestry } = settings.approval;
  switch (ancestry) {
    case "never":
      return false;
    case "always":
      return true;
    case "known":
      return clientFacts(name, settings).shell;
    default:
      return ancestry satisfies never;
  }
}

function isNamed({ name, isPrefix }: KnownClient, said: string): boolean {
  return isPrefix === true ? said.startsWith(name) : said === name;
}
