/** What the env of an entry does to the gate that it starts, before any of our words counts. */
import { shownText, WispError } from "../../broker/index.js";
import { type FoundEntry, valueAt } from "./find-entry.js";

/** What this process goes by itself. */
export interface OwnPlaces {
  /** The home of wisp in use, absolute. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** They load code into the gate, or into what starts it. */
const loading = /^(?:NODE_OPTIONS|NODE_PATH|LD_.*|DYLD_.*)$/;

/** The names of those that load something into the gate, or lead it to other rules; in the order in which they stand there. */
export function overridesIn({ value }: FoundEntry, { home, environment }: OwnPlaces): readonly string[] {
  const isAnother = (name: string): boolean => {
    const set = valueAt(value.env, [name]);
    if (name === "WISP_HOME") return set !== home;
    return name === "HOME" ? set !== environment.HOME : loading.test(name);
  };
  // What stands in a file of variables is not looked at.
  const files = Object.keys(value).filter((key) => key !== "env" && /^env/i.test(key));
  return [...Object.keys(Object(value.env)).filter(isAnother), ...files];
}

/** A gate stands in `entry`, and is not the one that it seems to be. */
export function ledAway({ name }: FoundEntry, overrides: readonly string[]): WispError {
  const named = overrides.map(shownText).join(" and ");
  return new WispError("invalid_input", `The entry ${name} starts the gate, and sets ${named} for it.`, {
    why: "With that the gate may load other code, or go by the rules of another home, so it is not known to stand there.",
    fix: `Take ${named} out of the entry, or set it for the server alone, and give the command again.`,
  });
}

/** One line for whoever puts a gate before a server with such an env. */
export function ledAwayText(overrides: readonly string[]): string {
  const named = overrides.map(shownText).join(" and ");
  return `The entry sets ${named}, for the gate as well: with that it may load other code, or go by the rules of another home.`;
}
