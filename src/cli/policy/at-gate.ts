/**
 * A call held against the rules of this home and against what is known of its server, as a gate of that name does it. What a
 * gate alone knows is left out: what its server says of a tool, and what was pinned.
 */
import { parse } from "node:path";
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
  const name = preset ?? (presets.has(call.server) ? call.server : null);
  const knownIn = (roots: readonly string[]): Preset | null =>
    name === null ? null : presetNamed(name, roots, call, terminal);
  const pathArguments = knownIn([])?.pathArguments ?? [];
  const said = judgeHere({ ...call, pathArguments }, terminal);
  const behind = (roots: readonly string[]): Verdict => {
    const known = knownIn(roots);
    const { verdict } = gateRuling(
      said,
      { tool: call.tool, arguments: call.arguments, isReadOnly: false },
      { preset: known, isReadOnly: false, suspended: null, areHintsTrusted: () => false },
    );
    return verdict;
  };
  const here = behind([]);
  const anywhere = here.name === "allow" ? here : behind([parse(call.directory).root]);
  // Only the gate knows the directories that its command names.
  return anywhere.name === here.name
    ? here
    : {
        ...anywhere,
        notices: [...anywhere.notices, "a gate whose command names no directory above the paths asks"],
      };
}

/** As for a server that is started in the directory of the call, and whose command names `roots`, of this machine. */
function presetNamed(
  name: string,
  roots: readonly string[],
  { directory }: JudgedTool,
  terminal: Terminal,
): Preset {
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
    roots,
    areFilesHere: true,
  });
}
