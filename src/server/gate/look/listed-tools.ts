/** Asks a server for its tools, in whichever of the two eras it speaks. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LATEST_PROTOCOL_VERSION,
  PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/server";
import { version, WispError } from "../../../broker/index.js";
import { pageOf, type ToolsFound, wholeList } from "../calls/tool-list.js";
import { type JsonObject, objectIn } from "../frames/json-object.js";
import type { Talk } from "./talk.js";

const client = { name: "wisp", version };
/** Of the era in which each request speaks for itself. */
const envelope = {
  [PROTOCOL_VERSION_META_KEY]: "2026-07-28",
  [CLIENT_INFO_META_KEY]: client,
  [CLIENT_CAPABILITIES_META_KEY]: {},
};

/** All of them, from all pages. Rejects with upstream_unavailable; its message is for a person, and safe to show. */
export async function listedTools(talk: Talk): Promise<ToolsFound> {
  const own = await introduced(talk);
  return await wholeList(async (cursor) => {
    const asked = cursor === null ? own : { ...own, cursor };
    return pageOf((await talk.ask("tools/list", asked)).result);
  });
}

/** What each request carries from then on. */
async function introduced(talk: Talk): Promise<JsonObject> {
  const hello = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {}, clientInfo: client };
  const { protocolVersion } = objectIn(await talk.ask("initialize", hello), "result");
  if (typeof protocolVersion === "string") {
    talk.tell("notifications/initialized");
    return {};
  }
  const modern = { _meta: envelope };
  if ("result" in (await talk.ask("server/discover", modern))) return modern;
  throw new WispError("upstream_unavailable", "It answers neither initialize nor server/discover.");
}
