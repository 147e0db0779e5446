/** The home that a server was started with, or why it has none; looking for it makes nothing. */
import {
  type Clock,
  ensureHome,
  expectWispError,
  type FactStore,
  type Home,
  openFactStore,
  resolveHome,
  rootSecretOf,
  shownText,
  type WispError,
} from "../../broker/index.js";
import { wispLine } from "../command/wisp-line.js";

/** Where a server looks for its home. */
export interface HomeOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The directory the server was started in, absolute. */
  readonly directory: string;
}

/** A home that may not be made yet, or the fault because of which none can be named. */
export type HomeOrFault =
  | { readonly home: Home; readonly fault: null }
  | { readonly home: null; readonly fault: WispError };

/** The home that the environment names, or why there is none. */
export function homeOf({ environment, directory }: HomeOptions): HomeOrFault {
  try {
    return { home: resolveHome(environment, directory), fault: null };
  } catch (error) {
    return { home: null, fault: expectWispError(error) };
  }
}

/** The command that tells a person what is wrong with the home and how to repair it, safe to show. */
export function doctorLineOf(
  { home }: HomeOrFault,
  { environment }: Pick<HomeOptions, "environment">,
): string {
  // Also a home that cannot be used is named: what is wrong with it is the question.
  const meant = home === null ? (environment.WISP_HOME ?? null) : home.isDefault ? null : home.path;
  return shownText(wispLine(["doctor"], meant));
}

/** The facts of the home; makes nothing before one is kept. Where there is no home all that reads or keeps throws why. */
export function factsOf({ home, fault }: HomeOrFault, clock: Clock): FactStore {
  if (home === null) return factsOfNone(fault);
  const place = { path: home.path, ensureHome: () => ensureHome(home, clock), clock };
  return openFactStore({ ...place, keys: rootSecretOf(place) });
}

function factsOfNone(fault: WispError): FactStore {
  const refuse = (): never => {
    throw fault;
  };
  const reject = async (): Promise<never> => refuse();
  return {
    keep: reject,
    drop: reject,
    forget: reject,
    list: refuse,
    forgotten: refuse,
    isDecided: refuse,
    dropAgainst: refuse,
    sweep: () => undefined,
    changes: () => () => undefined,
  };
}
