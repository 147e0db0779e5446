import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import {
  clientCapabilitiesKey,
  clientInfoKey,
  protocolVersionKey,
} from "../../../src/server/mcp/envelope-keys.js";

test("the keys of the envelope are those of the SDK", () => {
  expect([protocolVersionKey, clientInfoKey, clientCapabilitiesKey]).toEqual([
    PROTOCOL_VERSION_META_KEY,
    CLIENT_INFO_META_KEY,
    CLIENT_CAPABILITIES_META_KEY,
  ]);
});
