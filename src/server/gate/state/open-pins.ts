/** The pins of a gate, in the home where its calls are written down. */
import {
  type GatePins,
  livenessOf,
  openGatePins,
  ownIdentity,
  resolveHome,
  rootSecretOf,
} from "../../../broker/index.js";
import type { ConnectionOptions } from "../../mcp/connection.js";
import { homeOf } from "../../mcp/found-home.js";
import { recordHome } from "../../mcp/record-home.js";

/** Opens nothing before the first call. Both then throw as the record of that call does where it has no home. */
export function pinsOf(
  name: string,
  options: Pick<ConnectionOptions, "clock" | "environment" | "directory">,
): GatePins {
  let opened: GatePins | null = null;
  const open = (): GatePins => {
    opened ??= openAt(name, options);
    return opened;
  };
  return { current: () => open().current(), pin: (call) => open().pin(call) };
}

function openAt(
  name: string,
  options: Pick<ConnectionOptions, "clock" | "environment" | "directory">,
): GatePins {
  const { clock, directory } = options;
  const records = recordHome(homeOf(options).home, resolveHome({}, directory), clock);
  const place = { path: records.choose().path, ensureHome: records.make, clock };
  const own = ownIdentity();
  return openGatePins({
    ...place,
    name,
    own,
    keys: rootSecretOf(place),
    liveness: (one) => livenessOf(one, own),
  });
}
