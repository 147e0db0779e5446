/** What counts for one client: what the person configured, then what is known of it, then the protocol's word. */
import { type KnownClient, knownClients, type UnseenDecline } from "./known-clients.js";
import type { Settings } from "./settings.js";

/** How one client is treated. */
export interface ClientFacts {
  /** What its decline means that came before anybody can have read the question. */
  readonly unseenDecline: UnseenDecline;
  /** May its dialog be raised, where it has one? */
  readonly dialog: boolean;
  /** Does it give its agent a shell, so that a terminal below it proves nothing? */
  readonly shell: boolean;
}

/** `name` is what the client says; null where it says nothing. */
export function clientFacts(name: string | null, settings: Settings): ClientFacts {
  const known = name === null ? undefined : knownClients.find((one) => isNamed(one, name));
  const { clients } = settings.approval;
  // A client chooses its name: one like "toString" must not find what every object inherits.
  const configured = name !== null && Object.hasOwn(clients, name) ? clients[name] : undefined;
  return {
    unseenDecline: configured?.unseenDecline ?? known?.unseenDecline ?? "decline",
    dialog: configured?.dialog ?? true,
    shell: configured?.shell ?? known?.shell ?? false,
  };
}

/** Is a terminal refused that was opened from within the client of this name? */
export function isRefusedWithin(name: string | null, settings: Settings): boolean {
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
