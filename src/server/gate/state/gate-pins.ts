/** What the pins of a gate say of a call, in words for a person, and what a call pins. */
import { type GatePins, type PinsNow, pinKeyOf, pinnedFrom, shownText } from "../../../broker/index.js";
import type { Pins } from "../calls/pinned.js";
import type { ToolDefinition } from "../calls/tool-list.js";
import type { ServerIdentity } from "../calls/tool-subject.js";
import { comparable } from "./comparable.js";

/** Over what is kept in a home or elsewhere. */
export function createPins(kept: GatePins): Pins {
  return {
    suspendedBecause(server, tool) {
      const now = kept.current();
      const why = whyNotAsBefore(now, server, tool);
      return why === null ? null : `${why}; what was allowed before does not count until you approve this`;
    },
    changeOf(server, tool, told) {
      const pinned = pinnedChange(kept.current(), server, tool);
      if (told === null) return pinned;
      const [before, after] = comparable(told.text, tool.text);
      return {
        before: joined(pinned?.before ?? "", "(what the client was told)", before),
        after: joined(pinned?.after ?? "", "(what the server tells the gate)", after),
      };
    },
    pin: (server, tool, by) =>
      kept.pin({
        server: { identity: server.hash, identityText: server.text },
        tool: tool.name,
        definition: pinnedFrom(tool),
        by,
      }),
  };
}

type Change = ReturnType<Pins["changeOf"]>;

function pinnedChange(now: PinsNow, server: ServerIdentity, tool: ToolDefinition): Change {
  if (now.kind !== "pinned") return null;
  const { gate } = now;
  const pinned = gate.tools.get(pinKeyOf(tool.name));
  const isOther = gate.identity !== server.hash;
  const isChanged = pinned !== undefined && pinned.hash !== tool.hash;
  if (!isOther && !isChanged) return null;
  const [before, after] = isChanged ? comparable(pinned.text ?? notKept(pinned.hash), tool.text) : ["", ""];
  return {
    before: joined(isOther ? gate.identityText : "", before),
    after: joined(isOther ? server.text : "", after),
  };
}

function whyNotAsBefore(now: PinsNow, server: ServerIdentity, tool: ToolDefinition): string | null {
  switch (now.kind) {
    case "none":
      return null;
    case "untrusted":
      return `what is known of the server ${server.name} cannot be trusted (gates/${server.name}.json: ${shownText(now.reason)})`;
    case "pinned": {
      const { identity, identityText, isRestored, tools } = now.gate;
      if (identity !== server.hash) {
        return `another server is behind the name ${server.name}: it was ${shownText(identityText)}, it is ${shownText(server.text)}; where both are to stay, each needs its own --name`;
      }
      const pinned = tools.get(pinKeyOf(tool.name));
      if (pinned === undefined) return isRestored ? "what was known of this tool was lost" : null;
      return pinned.hash === tool.hash ? null : "the server says something else of this tool than before";
    }
    default:
      return now satisfies never;
  }
}

function notKept(hash: string): string {
  return `(too long to be kept; SHA-256 ${hash})`;
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n");
}
