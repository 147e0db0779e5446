/** `mcp-server-fetch`: pages of the web. What asks for a page tells its server something, and may ask a machine nearby. */
import type { PresetData } from "./preset-data.js";

/** Of countries; what ISO 3166 leaves to everybody is none. */
const ofCountries = "[b-pr-wy][a-z]|a[b-z]|q[a-l]|z[a-y]";
/** Of the others those under which most pages are: what is not among them may be a network of somebody's own. */
const ofOthers =
  "com|org|net|edu|gov|mil|int|info|biz|name|app|dev|page|blog|wiki|news|cloud|tech|site|online|store|shop|xyz|museum";
const publicName = `(?i)^https?://[a-z0-9.-]+\\.(?:${ofCountries}|${ofOthers})(?:[:/?#]|$)`;
/** A name of several parts, no port of its own, and too short to carry a file out. */
const plainAddress =
  "^https?://(?:[A-Za-z0-9-]{1,63}\\.)+[A-Za-z]{2,24}(?::(?:80|443))?(?:[/?#][!-~]{0,400})?$";
/** Networks of somebody's own use these, and no page of the web is there. */
const privateNames =
  "local|localhost|localdomain|internal|intranet|intra|lan|home|corp|private|domain|workgroup|cluster|svc|consul|arpa|test|example|invalid|onion";
const ownNames = `(?i)^\\s*https?:[/\\\\]*[^/?#]*\\.(?:${privateNames})\\.?(?:[:/?#]|$)`;

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
    allow: [
      {
        rule: "mcp__fetch__fetch",
        when: [
          { arg: "$.url", matches: plainAddress },
          { arg: "$.url", matches: publicName },
        ],
      },
    ],
  },
  floors: [],
  previews: {},
  listings: {},
};
