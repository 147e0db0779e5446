/** Calls of a server's tools, and a gate that judges them by the rules of a home. */
import { homedir } from "node:os";
import type { GateRuling } from "../../src/broker/policy/gate-ruling.js";
import type { FileSurroundings } from "../../src/broker/policy/presets/files-meant.js";
import { openPreset, type Preset } from "../../src/broker/policy/presets/open-preset.js";
import { presets } from "../../src/broker/policy/presets/presets.js";
import { createGatePolicy } from "../../src/server/gate/calls/create-gate-policy.js";
import type { ToolDefinition } from "../../src/server/gate/calls/tool-list.js";
import { type PolicyHome, usual } from "./policy-home.js";

/** A tool of this name, as a server would list it. */
export function toolDefinition(name: string, overrides: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    ...{ name, title: null, description: "Does what it says.", isReadOnly: false },
    ...{ hash: "a".repeat(64), text: `{"name": "${name}"}` },
    ...overrides,
  };
}

/** The files around a server that works in the project of `home`. */
export function filesAround({ path, homeDirectory, project }: PolicyHome): FileSurroundings {
  return { home: path, homeDirectory, directory: project, roots: [project], areFilesHere: true };
}

/** A preset that ships. */
export function presetNamed(name: string, around: Partial<FileSurroundings> = {}): Preset {
  const data = presets.get(name);
  if (data === undefined) throw new Error(`no preset ${name}`);
  const nowhere = { home: "/nowhere/wisp", homeDirectory: homedir(), directory: "/nowhere", roots: [] };
  return openPreset(data, { ...nowhere, areFilesHere: true, ...around });
}

/** How the gate of a test differs from one that knows nothing of its server. */
export interface JudgingGate {
  readonly name?: string;
  readonly preset?: string;
  readonly isReadOnly?: boolean;
  readonly suspended?: () => string | null;
  readonly areHintsTrusted?: boolean;
  /** Directories that the server was started for, beside the project. */
  readonly roots?: readonly string[];
}

/** Judges a call of `tool`. */
export type JudgeCall = (
  tool: string | ToolDefinition,
  given?: Readonly<Record<string, unknown>>,
) => GateRuling;

/** A gate called `fs` over the rules of `home`. */
export function judgingGate(home: PolicyHome, how: JudgingGate = {}): JudgeCall {
  const { name = "fs", preset, isReadOnly = false, suspended = () => null, areHintsTrusted = false } = how;
  const files = filesAround(home);
  const policy = createGatePolicy({
    server: { name, hash: "b".repeat(64), text: "npx server" },
    preset:
      preset === undefined
        ? null
        : presetNamed(preset, { ...files, roots: [...files.roots, ...(how.roots ?? [])] }),
    isReadOnly,
    directory: home.project,
    pins: { suspendedBecause: suspended },
    areHintsTrusted: () => areHintsTrusted,
  });
  return (tool, given = {}) =>
    policy.rule(
      { tool: typeof tool === "string" ? toolDefinition(tool) : tool, arguments: given },
      home.policy,
      usual,
    );
}
