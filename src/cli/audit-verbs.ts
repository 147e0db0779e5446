/** The verbs under `wisp audit`. A table of words; what they do is a program of its own, which is loaded then. */
import { wrongUsage } from "./arguments.js";
import type { Verb } from "./verb.js";

const since = [
  "--since TIME    from then on: 2h or 3d ago, 2026-11-30, or an ISO time",
  "                without a zone in the one of this machine",
];
const json = "--json          print one JSON object";

const verify: Verb = {
  command: "wisp audit verify",
  synopsis: "[--json]",
  summary: "say whether every record is as it was written",
  details: [json, "It ends with 0, or with 1 and the first record that is not."],
  switches: ["json"],
  options: [],
  takesId: false,
  async run({ switches }, terminal) {
    const { verifyAudit } = await import("./audit/main.js");
    return await verifyAudit(switches.has("json"), terminal);
  },
};

const show: Verb = {
  command: "wisp audit show",
  synopsis: "[--since TIME] [FILTER ...] [--json] [ID]",
  summary: "tell who decided what, one line each, the newest last",
  details: [
    ...since,
    json,
    "ID              of a request or of a run; four characters that begin it",
    "                alone are enough",
    "",
    "Filters:",
    "--client NAME   of one client, by its own word",
    "--tool NAME     of one tool; of commands their program",
    "--outcome NAME  approved, denied, refused, timed_out, ...: docs/errors.md;",
    "                passed: calls through a gate that asked nobody",
  ],
  switches: ["json"],
  options: ["since", "client", "tool", "outcome"],
  takesId: true,
  isIdOptional: true,
  async run({ switches, options, id }, terminal) {
    const { showAudit } = await import("./audit/main.js");
    const wanted = {
      since: options.get("since") ?? null,
      client: options.get("client") ?? null,
      tool: options.get("tool") ?? null,
      outcome: options.get("outcome") ?? null,
      id: id === "" ? null : id,
    };
    return await showAudit(wanted, switches.has("json"), terminal);
  },
};

const exported: Verb = {
  command: "wisp audit export",
  synopsis: "--csv | --json [--since TIME]",
  summary: "print every record with every field, for other programs",
  details: [
    "--csv           one line a record, for a spreadsheet",
    json,
    ...since,
    "In --csv, what a spreadsheet would take for a formula has a ' before it.",
  ],
  switches: ["csv", "json"],
  options: ["since"],
  takesId: false,
  async run({ switches, options }, terminal) {
    if (switches.has("csv") === switches.has("json")) {
      throw wrongUsage("One of --csv and --json is needed.", exported);
    }
    const { exportAudit } = await import("./audit/main.js");
    return await exportAudit(switches.has("csv") ? "csv" : "json", options.get("since") ?? null, terminal);
  },
};

const stats: Verb = {
  command: "wisp audit stats",
  synopsis: "[--since TIME] [--json]",
  summary: "count how often you are asked, how quickly you answer, by rule",
  details: [...since, json, "A rule that was approved each of ten times or more may be relaxed."],
  switches: ["json"],
  options: ["since"],
  takesId: false,
  async run({ switches, options }, terminal) {
    const { statsAudit } = await import("./audit/main.js");
    return await statsAudit(options.get("since") ?? null, switches.has("json"), terminal);
  },
};

/** By the word that is typed after `wisp audit`; the help lists them in this order. */
export const auditVerbs: ReadonlyMap<string, Verb> = new Map(
  Object.entries({ verify, show, export: exported, stats }),
);
