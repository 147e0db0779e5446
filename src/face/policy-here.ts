/** The rules of a home and of the projects around, as a server that is started here would find them. */
import {
  ensureHome,
  type Home,
  homeDirectoryOf,
  livenessOf,
  openPolicy,
  openRememberedRules,
  ownIdentity,
  type Policy,
  type RootSecret,
  rootSecretOf,
} from "../broker/index.js";
import type { Seat } from "./seat.js";

/** The secret of `home`; nothing is made before a key is asked for that has to be. */
export function secretOf(home: Home, { clock }: Pick<Seat, "clock">): RootSecret {
  return rootSecretOf({ path: home.path, ensureHome: () => ensureHome(home, clock), clock });
}

/** Reads nothing before it is asked, and makes nothing. */
export function policyOf(
  home: Home,
  keys: RootSecret,
  { clock, environment, directory }: Pick<Seat, "clock" | "environment" | "directory">,
): Policy {
  const own = ownIdentity();
  const liveness: Parameters<typeof openRememberedRules>[0]["liveness"] = (one) => livenessOf(one, own);
  const place = { path: home.path, ensureHome: () => ensureHome(home, clock), clock };
  return openPolicy({
    home: home.path,
    keys,
    remembered: openRememberedRules({ ...place, keys, own, liveness }),
    homeDirectory: homeDirectoryOf(environment),
    startDirectory: directory,
    clock,
  });
}
