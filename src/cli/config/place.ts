/** The home whose configuration is shown or changed. */
import {
  ensureHome,
  type Home,
  type HomePlace,
  isHomeMade,
  judgeHome,
  type RootSecret,
  resolveHome,
  rootSecretOf,
} from "../../broker/index.js";
import type { Terminal } from "../terminal.js";

/** What the verbs of the configuration need of a home; nothing of it is made yet. */
export interface ConfigPlace {
  readonly home: Home;
  readonly place: HomePlace;
  readonly keys: RootSecret;
}

/** Throws channel_unsafe where the home is none, or is not this person's alone. */
export function configPlace({ environment, directory, clock }: Terminal): ConfigPlace {
  const home = resolveHome(environment, directory);
  if (isHomeMade(home)) judgeHome(home);
  const place = { path: home.path, ensureHome: () => ensureHome(home, clock), clock };
  return { home, place, keys: rootSecretOf(place) };
}
