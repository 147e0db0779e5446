/** What the files of a home and of the projects around say, as a server that is started here would find it. */
import {
  ensureHome,
  type Home,
  homeDirectoryOf,
  livenessOf,
  openPolicy,
  openRememberedRules,
  ownIdentity,
  type PolicyStanding,
  type RootSecret,
  rootSecretOf,
} from "../../broker/index.js";
import type { Terminal } from "../terminal.js";

/** The secret of `home`; nothing is made before a key is asked for that has to be. */
export function secretOf(home: Home, { clock }: Pick<Terminal, "clock">): RootSecret {
  return rootSecretOf({ path: home.path, ensureHome: () => ensureHome(home, clock), clock });
}

/** Looks at every file with rules; makes nothing. */
export function policyStanding(home: Home, keys: RootSecret, terminal: Terminal): PolicyStanding {
  const { clock, environment, directory } = terminal;
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
  }).standing();
}
