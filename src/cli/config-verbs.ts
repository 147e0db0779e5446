/** The verbs under `wisp config`. A table of words; what they do is a program of its own, which is loaded then. */
import { wrongUsage } from "./arguments.js";
import type { Verb } from "./verb.js";

const get: Verb = {
  command: "wisp config get",
  synopsis: "KEY [--json]",
  summary: "print the value of a key that is in force",
  details: [
    "KEY as docs/configuration.md lists it: approval.timeoutSeconds",
    "--json   one JSON object, with where it comes from",
  ],
  switches: ["json"],
  options: [],
  takesId: true,
  operand: "The key",
  async run({ id, switches }, terminal) {
    const { runConfig } = await import("./config/main.js");
    return await runConfig({ verb: "get", key: id, isJson: switches.has("json") }, terminal);
  },
};

const set: Verb = {
  command: "wisp config set",
  synopsis: "KEY VALUE",
  summary: "change a key, and accept its value; only from a terminal",
  details: [
    "VALUE is JSON; a text may stand without quotes. The whole file is judged,",
    "and what is looser than before is put in force only after a y.",
  ],
  switches: [],
  options: [],
  takesId: false,
  takesWords: true,
  async run({ words: [id = "", value, ...others] }, terminal) {
    if (value === undefined) throw wrongUsage("The value is missing.", set);
    if (others.length > 0) throw wrongUsage(`One argument too many: ${others[0] ?? ""}`, set);
    const { runConfig } = await import("./config/main.js");
    return await runConfig({ verb: "change", change: { typed: id, value } }, terminal);
  },
};

const unset: Verb = {
  command: "wisp config unset",
  synopsis: "KEY",
  summary: "take a key out of the file; only from a terminal",
  details: ["Then its default counts: where that is looser, only after a y."],
  switches: [],
  options: [],
  takesId: true,
  operand: "The key",
  async run({ id }, terminal) {
    const { runConfig } = await import("./config/main.js");
    return await runConfig({ verb: "change", change: { typed: id, value: null } }, terminal);
  },
};

const list: Verb = {
  command: "wisp config list",
  synopsis: "[--json]",
  summary: "list every key, its value in force, and where that comes from",
  details: ["default, config.json, or accepted: then what the file says waits."],
  switches: ["json"],
  options: [],
  takesId: false,
  async run({ switches }, terminal) {
    const { runConfig } = await import("./config/main.js");
    return await runConfig({ verb: "list", isJson: switches.has("json") }, terminal);
  },
};

const path: Verb = {
  command: "wisp config path",
  synopsis: "[--json]",
  summary: "print where the file is",
  details: ["It need not be there.", "--json   one JSON object"],
  switches: ["json"],
  options: [],
  takesId: false,
  async run({ switches }, terminal) {
    const { runConfig } = await import("./config/main.js");
    return await runConfig({ verb: "path", isJson: switches.has("json") }, terminal);
  },
};

/** By the word that is typed after `wisp config`; the help lists them in this order. */
export const configVerbs: ReadonlyMap<string, Verb> = new Map(
  Object.entries({ get, set, unset, list, path }),
);
