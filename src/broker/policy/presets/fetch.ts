/** `mcp-server-fetch`: pages of the web. What asks for a page tells its server something, and may ask a machine nearby. */
import type { PresetData } from "./preset-data.js";

/** A name with a top-level domain of letters, no port of its own, and too short to carry a file out. */
const publicAddress =
  "^https?://(?:[A-Za-z0-9-]{1,63}\\.)+[A-Za-z]{2,24}(?::(?:80|443))?(?:[/?#][!-~]{0,400})?$";
const ownNames =
  "(?i)^\\s*https?:[/\\\\]*[^/?#]*\\.(?:local|localhost|internal|intranet|lan|home|corp|private|arpa|test|onion)\\.?(?:[:/?#]|$)";

/** Pages of the web. */
export const fetch: PresetData = {
  name: "fetch",
  packages: ["mcp-server-fetch"],
  programs: ["mcp-server-fetch", "mcp_server_fetch"],
  images: ["mcp/fetch"],
  addresses: [],
  paths: [],
  moved: [],
  permissions: {
    ask: [
      {
        rule: "mcp__fetch__fetch",
        level: "high",
        when: [{ arg: "$.url", matches: ownNames }],
        state: "none",
      },
    ],
    allow: [{ rule: "mcp__fetch__fetch", when: [{ arg: "$.url", matches: publicAddress }] }],
  },
  floors: [],
  previews: {},
};
