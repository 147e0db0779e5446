/**
 * Lets the tools pass that a person ticked: rules in `policy.json`, accepted, for what the server and the tools are now.
 * Invariant: the pins are on disk before the rules count, so a tool that was exchanged meanwhile asks.
 */
import {
  acceptAllowed,
  changingSealed,
  digestsOf,
  homeDirectoryOf,
  type ListedTool,
  livenessOf,
  openGatePins,
  ownIdentity,
  type PinnedServer,
  type PolicyTexts,
  pinnedFrom,
  policyTexts,
  shownText,
  type Testimony,
} from "../../broker/index.js";
import { auditIn } from "../../face/kept-log.js";
import { configPlace } from "../config/place.js";
import type { Terminal } from "../terminal.js";
import { withAllowed } from "./rules-text.js";

/** What a person ticked. */
export interface Ticked {
  readonly server: PinnedServer;
  /** At least one. */
  readonly tools: readonly ListedTool[];
  /** The rules as they were before that. */
  readonly before: PolicyTexts;
}

/** What is let through, and what was seen of whoever says so. */
export interface Letting {
  /** Of the gate. */
  readonly name: string;
  readonly ticked: Ticked;
  readonly seen: Testimony["seen"];
}

/** The rules as they are now, or why nothing can be added to them. */
export function policyNow(terminal: Terminal): PolicyTexts | string {
  return policyTexts(allowing(terminal));
}

/** As they stand in `policy.json`. */
export function rulesFor({ name, ticked }: Pick<Letting, "name" | "ticked">): readonly string[] {
  return ticked.tools.map((tool) => `mcp__${name}__${tool.name}`);
}

/** Does it. Rejects with not_accepted where the rules were changed meanwhile, and with what the disk and the log reject with. */
export async function letPass(letting: Letting, terminal: Terminal): Promise<void> {
  const { name, ticked, seen } = letting;
  const { server, tools, before } = ticked;
  const options = allowing(terminal);
  const { place, keys } = options;
  const own = ownIdentity();
  const liveness = (one: Parameters<typeof livenessOf>[0]) => livenessOf(one, own);
  const rules = rulesFor(letting);
  const [file, accepted] = [withAllowed(before.file, rules), withAllowed(before.accepted, rules)];
  const allowed = { before, after: { file, accepted }, rules };
  const pins = openGatePins({ ...place, keys, name, own, liveness });
  await changingSealed(place, { own, liveness }, async () => {
    const details = {
      gate: name,
      server: server.identity,
      tools: tools.map((tool) => ({ name: shownText(tool.name), definition: tool.hash })),
      ...digestsOf(allowed),
    };
    const audit = auditIn(place, terminal.via, keys);
    await audit.append([{ kind: "gate.allowed", call: null, verified: seen, details }], "durable");
    for (const tool of tools)
      await pins.pin({ server, tool: tool.name, definition: pinnedFrom(tool), by: "person" });
    await acceptAllowed(allowed, options);
  });
}

function allowing(terminal: Terminal) {
  const { place, keys } = configPlace(terminal);
  return { place, keys, homeDirectory: homeDirectoryOf(terminal.environment) };
}
