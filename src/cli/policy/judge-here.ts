/** The rules of this home, held against a call as a server does it. */
import {
  ensureHome,
  homeDirectoryOf,
  isHomeMade,
  type Judged,
  judgeHome,
  judgingOf,
  livenessOf,
  loadConfig,
  openPolicy,
  openRememberedRules,
  ownIdentity,
  resolveHome,
  rootSecretOf,
  type Verdict,
} from "../../broker/index.js";
import type { Terminal } from "../terminal.js";

/** Makes nothing. Throws channel_unsafe for a home that is not ours. */
export function judgeHere(judged: Judged, { environment, directory, clock }: Terminal): Verdict {
  const home = resolveHome(environment, directory);
  if (isHomeMade(home)) judgeHome(home);
  const place = { path: home.path, ensureHome: () => ensureHome(home, clock), clock };
  const keys = rootSecretOf(place);
  const own = ownIdentity();
  const remembered = openRememberedRules({
    ...place,
    keys,
    own,
    liveness: (one) => livenessOf(one, own),
  });
  const policy = openPolicy({
    home: home.path,
    keys,
    remembered,
    homeDirectory: homeDirectoryOf(environment),
    startDirectory: directory,
    clock,
  });
  return policy.judge(judged, judgingOf(loadConfig(home.path, keys)));
}
