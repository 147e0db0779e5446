/** The verbs under `wisp approvals` about what yeses left behind: few wait for them, so they start a little later. */
import { wispLine } from "../face/quote.js";
import { refuse } from "./report.js";
import type { Terminal } from "./terminal.js";
import { refusedUnseen } from "./terminal-only.js";
import type { Verb } from "./verb.js";

const granted: Verb = {
  command: "wisp approvals granted",
  synopsis: "[--json]",
  summary: "list what may run without asking, because of a yes before",
  details: ["--json          print one JSON object"],
  switches: ["json"],
  options: [],
  takesId: false,
  async run({ switches }, terminal) {
    const { listGrants } = await import("./kept/main.js");
    return await listGrants(switches.has("json"), terminal);
  },
};

const revoke: Verb = {
  command: "wisp approvals revoke",
  synopsis: "ID",
  summary: "take back one of what granted lists; only from a terminal",
  details: ["ID as granted lists it: for one call its request's, for the rest its own"],
  switches: [],
  options: [],
  takesId: true,
  operand: "The id of what was granted",
  async run({ id }, terminal) {
    if (!terminal.canAnswer) return revokedElsewhere(["revoke", id], terminal);
    const { revokeGrant } = await import("./kept/main.js");
    return await revokeGrant(id, terminal);
  },
};

const clear: Verb = {
  command: "wisp approvals clear",
  synopsis: "",
  summary: "take back all of what granted lists, after a y; only from a terminal",
  details: ["It says how many there are before it asks."],
  switches: [],
  options: [],
  takesId: false,
  async run(_given, terminal) {
    if (!terminal.canAnswer) return revokedElsewhere(["clear"], terminal);
    const unseen = refusedUnseen(["approvals", "clear"], terminal);
    if (unseen !== null) return unseen;
    const { clearGrants } = await import("./kept/main.js");
    return await clearGrants(terminal);
  },
};

/** By the word that is typed after `wisp approvals`; the help lists them in this order, behind the others. */
export const keptVerbs: ReadonlyMap<string, Verb> = new Map(Object.entries({ granted, revoke, clear }));

/** Taking back runs nothing; yet what a person said must not go away without their knowing. */
function revokedElsewhere(words: readonly string[], terminal: Terminal): number {
  return refuse("terminal_required", terminal, {
    what: "Nothing revoked: standard input is not a terminal.",
    why: "What a person granted, only a person takes back.",
    fix: `Open a terminal and run: ${wispLine(terminal.environment, ["approvals", ...words])}`,
  });
}
