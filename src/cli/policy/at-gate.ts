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
import type { StandingGate } from "./standing-gate.js";

/** A call of a tool of a server. */
export interface AtGate extends JudgedTool {
  readonly server: string;
  /** The preset that was named; null for that of `gate`, or for the one that is called like the server. */
  readonly preset: string | null;
  /** As a client starts it; null where none is known, or a preset was named. */
  readonly gate: StandingGate | null;
}

/** By which preset it is judged; null for none. */
export function presetNameOf({
  preset,
  gate,
  server,
}: Pick<AtGate, "preset" | "gate" | "server">): string | null {
  if (preset !== null) return preset;
  if (gate !== null) return gate.preset;
  return presets.has(server) ? server : null;
}

/** What a gate would make of it. */
export interface GateVerdict {
  readonly verdict: Verdict;
  /** It asks by a floor of the preset too, whatever else asks. */
  readonly isFloored: boolean;
}

/** Makes nothing. Throws invalid_input for a preset that there is not, and as `judgeHere` does. */
export function judgeAtGate({ preset, gate, ...call }: AtGate, terminal: Terminal): GateVerdict {
  const name = presetNameOf({ preset, gate, server: call.server });
  const areFilesHere = gate?.areFilesHere ?? true;
  const knownIn = (roots: readonly string[]): Preset | null =>
    name === null ? null : presetNamed(name, { roots, areFilesHere }, call, terminal);
  const pathArguments = knownIn([])?.pathArguments ?? [];
  const said = judgeHere({ ...call, pathArguments }, terminal);
  const behind = (roots: readonly string[]): GateVerdict => {
    const known = knownIn(roots);
    const gated = { tool: call.tool, arguments: call.arguments, isReadOnly: false };
    const { verdict, isBeyondReading, changesState } = gateRuling(said, gated, {
      preset: known,
      isReadOnly: gate?.isReadOnly ?? false,
      suspended: null,
      areHintsTrusted: () => false,
    });
    const notices = isBeyondReading && verdict.name !== "deny" ? [beyondReading] : [];
    return {
      verdict: {
        ...verdict,
        // As the gate offers it: its own run ends what a yes for longer would be bound to.
        maxScope: changesState ? "once" : verdict.maxScope,
        notices: [...verdict.notices, ...notices],
      },
      isFloored: verdict.name === "ask" && (known?.floorsOf(gated) ?? []).length > 0,
    };
  };
  if (gate !== null) return behind(gate.roots);
  const here = behind([]);
  const anywhere = here.verdict.name === "allow" ? here : behind([parse(call.directory).root]);
  // Only the gate knows the directories that its command names.
  if (anywhere.verdict.name === here.verdict.name) return here;
  const notices = [
    ...anywhere.verdict.notices,
    "a gate whose command names no directory above the paths asks",
  ];
  return { ...anywhere, verdict: { ...anywhere.verdict, notices } };
}

const beyondReading = "the gate is started with --read-only, and refuses this call";

/** As for a server that is started in the directory of the call, and whose command names `roots`. */
function presetNamed(
  name: string,
  { roots, areFilesHere }: Pick<StandingGate, "roots" | "areFilesHere">,
  { directory, server }: Omit<AtGate, "preset" | "gate">,
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
  const surroundings = {
    home: resolveHome(environment, terminal.directory).path,
    homeDirectory: homeDirectoryOf(environment),
    directory,
    ...{ roots, areFilesHere },
  };
  return openPreset(data, surroundings, server);
}
