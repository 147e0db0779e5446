/** The configuration of a home, for a person's command. */
import {
  type Clock,
  ensureHome,
  type Home,
  type LoadedConfig,
  loadConfig,
  rootSecretOf,
} from "../broker/index.js";

/** As a server of this home uses it. Makes nothing. */
export function configIn(home: Home, clock: Clock): LoadedConfig {
  const keys = rootSecretOf({ path: home.path, ensureHome: () => ensureHome(home, clock), clock });
  return loadConfig(home.path, keys);
}
