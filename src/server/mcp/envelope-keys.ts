/**
 * The keys of the envelope that a request of the 2026 era carries in its `_meta`. They are the SDK's own, which a test holds
 * them to: a gate reads them of each call, and needs nothing else of the SDK before it asks.
 */

/** The revision of the protocol. */
export const protocolVersionKey = "io.modelcontextprotocol/protocolVersion";
/** Name and version of the client. */
export const clientInfoKey = "io.modelcontextprotocol/clientInfo";
/** What the client can do. */
export const clientCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
