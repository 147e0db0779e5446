/** A program that looks at servers, which lists what the test says; and what a person types to tick. */

import type { ListedTool, ServerLook } from "../../src/broker/gates/listed-tool.js";
import { openGatePins } from "../../src/broker/gates/open-pins.js";
import { livenessOf, ownIdentity } from "../../src/broker/identity/process.js";
import { rootSecretOf } from "../../src/broker/identity/root-secret.js";
import { openPolicy } from "../../src/broker/policy/book.js";
import { sha256Hex } from "../../src/broker/request/long-text.js";
import { systemClock } from "../../src/broker/system/clock.js";
import type { ToolsProgram } from "../../src/cli/gate/triage.js";
import { createPins } from "../../src/server/gate/state/gate-pins.js";
import { type Desk, start } from "./gate-installing.js";
import { usual } from "./policy-home.js";

export function listedTool(name: string, isReadOnly = false, description = `does ${name}`): ListedTool {
  const text = JSON.stringify({ name, description });
  return { name, description, isReadOnly, hash: sha256Hex(text), text };
}

export const server = { identity: sha256Hex("the server"), identityText: "the server" };

/** What was found of a server that lists `tools`. */
export function toolsFound(tools: readonly ListedTool[], unclear: readonly string[] = []): ServerLook {
  return { kind: "tools", server, tools, unclear };
}

/** Looks at no process; `looked` holds what it was to start. */
export function lookingAt(look: ServerLook, printed: readonly string[] = []) {
  const looked: Parameters<ToolsProgram["lookAtServer"]>[0][] = [];
  const program: ToolsProgram = {
    presetNameOf: () => null,
    async lookAtServer(options) {
      looked.push(options);
      for (const line of printed) options.say(line);
      return look;
    },
  };
  return { looked, tools: async () => program };
}

/** `wisp gate install fs` before that server, by a person who types `lines`. */
export async function triage(
  at: Desk,
  look: ReturnType<typeof lookingAt>,
  lines: readonly (string | null)[],
  options: Parameters<typeof start>[4] = {},
) {
  const { terminal, ended } = start(at, "install", "fs", {}, { tools: look.tools, ...options });
  for (const line of lines) terminal.type(line);
  return { ...(await ended), questions: terminal.questions };
}

/** What the rules of the home say of a call of `tool`: the verdict, and why it is suspended, as a gate before it sees both. */
export async function verdictOn({ home, person }: Desk, tool: ListedTool, identity = server.identity) {
  const place = { path: home.path, ensureHome: () => home.path, clock: systemClock };
  const keys = rootSecretOf(place);
  const own = ownIdentity();
  const policy = openPolicy({
    ...{ home: home.path, keys, homeDirectory: person, startDirectory: person, clock: systemClock },
    remembered: { list: () => ({ rules: [], over: [], unaccepted: [], fault: null, distrust: null }) },
  });
  const pins = createPins(
    openGatePins({ ...place, name: "fs", own, keys, liveness: (one) => livenessOf(one, own) }),
  );
  const call = { kind: "tool" as const, server: "fs", tool: tool.name, arguments: {}, directory: person };
  const { name } = policy.judge(call, usual);
  const said = { ...tool, title: null };
  return { name, why: pins.suspendedBecause({ name: "fs", hash: identity, text: "x" }, said) };
}
