/** What a gate judges, pins and binds by: the rules and pins of a home, and what is known of the server. */
import { join } from "node:path";
import { homeDirectoryOf } from "../../broker/index.js";
import type { Connection, ConnectionOptions } from "../mcp/connection.js";
import { homeOf } from "../mcp/found-home.js";
import { createGatePolicy } from "./calls/create-gate-policy.js";
import type { ServerIdentity } from "./calls/tool-subject.js";
import type { GateParts } from "./gate.js";
import type { GateArguments } from "./gate-arguments.js";
import { presetOf } from "./presets/preset-of.js";
import { createPins } from "./state/gate-pins.js";
import { pinsOf } from "./state/open-pins.js";
import { createStateBinding } from "./state/state-binding.js";

/** Opens nothing of the home before the first call. Throws policy_invalid for a preset with anything wrong in it. */
export function homeParts(
  given: GateArguments,
  server: ServerIdentity,
  connection: Pick<Connection, "open">,
  options: ConnectionOptions,
): Pick<GateParts, "policy" | "pins" | "states" | "limits"> {
  const { directory, environment } = options;
  const homeDirectory = homeDirectoryOf(environment);
  // Without a home nobody is asked and nothing passes; what is guarded then is where it would be.
  const home = homeOf(options).home?.path ?? join(homeDirectory, ".wisp");
  const preset = presetOf(given, { home, homeDirectory, directory });
  const start = preset === null ? directory : preset.start;
  const pins = createPins(pinsOf(server.name, options));
  const settings = () => connection.open(null).config.settings.gate;
  return {
    policy: createGatePolicy({
      ...{ server, preset, directory, pins },
      isReadOnly: given.isReadOnly,
      areHintsTrusted: () => settings().trustAnnotations,
    }),
    pins,
    states: (probe) =>
      createStateBinding({
        ...{ directory: start, probe },
        previewOf: (tool) => preset?.previewOf(tool) ?? null,
      }),
    limits: settings,
  };
}
