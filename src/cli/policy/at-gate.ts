/**
 * A call held against the rules of this home and against what is known of its server, as a gate of that name does it. What a
 * gate alone knows is left out: what its server says of a tool, and what was pinned.
 */
import {
  gateRuling,
  homeDirectoryOf,
  type JudgedTool,
  openPreset,
  type Preset,
  presets,
  resolveHome,
  type Verdict,
  WispError,
} from "../../broker/index.js";
import type { Terminal } from "../terminal.js";
import { judgeHere } from "./judge-here.js";

/** A call of a tool of a server. */
export interface AtGate extends JudgedTool {
  readonly server: string;
  /** The preset that was named; null for the one that is called like the server, where there is one. */
  readonly preset: string | null;
}

/** Makes nothing. Throws invalid_input for a preset that there is not, and as `judgeHere` does. */
export function judgeAtGate({ preset, ...call }: AtGate, terminal: Terminal): Verdict {
  const known = presetNamed(preset ?? (presets.has(call.server) ? call.server : null), call, terminal);
  const { verdict } = gateRuling(
    judgeHere(call, terminal),
    { tool: call.tool, arguments: call.arguments, isReadOnly: false },
    { preset: known, isReadOnly: false, suspended: null, areHintsTrusted: () => false },
  );
  return verdict;
}

/** As for a server that is started in the directory of the call, for files of this machine. */
function presetNamed(name: string | null, { directory }: JudgedTool, terminal: Terminal): Preset | null {
  if (name === null) return null;
  const data = presets.get(name);
  if (data === undefined) {
    const known = [...presets.keys()].join(", ");
    throw new WispError("invalid_input", `There is no preset ${JSON.stringify(name)}.`, {
      fix: `Name one of these: ${known}.`,
    });
  }
  const { environment } = terminal;
  return openPreset(data, {
    home: resolveHome(environment, terminal.directory).path,
    homeDirectory: homeDirectoryOf(environment),
    directory,
    roots: [directory],
    areFilesHere: true,
  });
}
