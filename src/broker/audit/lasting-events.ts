/** Events of what outlives a process: policy, configuration, gates, remembered rules and the log itself. */
import { count, flag, group, hash, id, list, maybe, one, rarely, text } from "./event-fields.js";
import { assurance, seen, via } from "./shared-fields.js";

/** By kind. */
export const lastingEvents = {
  "policy.accepted": {
    says: "A person accepted a file as it stands; from then on what is looser in it is in force.",
    verified: seen,
    selfReported: {},
    details: {
      file: one(["policy.json", "remembered.json", "config.json"], "Which."),
      before: maybe(hash("Of the text that was accepted before; null where none was.")),
      after: maybe(hash("Of the text that is accepted now; null where there is no file.")),
      looser: list(
        text("One of them."),
        "The rules that are looser now; of the configuration the keys alone.",
      ),
    },
  },
  "config.changed": {
    says: "The configuration was changed, or a running server found it changed.",
    verified: seen,
    selfReported: {},
    details: {
      how: one(["set", "read"], "By `wisp config set`, or in the file."),
      keys: list(text("One of them."), "The keys whose values are others now."),
      accepted: rarely(
        list(
          group(
            {
              key: text("Its name."),
              before: text("The value that was accepted before, as JSON, cut at 1,000 characters."),
              after: text("The value that is accepted now, likewise."),
            },
            "One of them.",
          ),
          "By `wisp config set`: the keys that can loosen, as a person accepted them; `notify.command` is left out, whose words may hold secrets.",
        ),
      ),
      waiting: list(text("One of them."), "The keys whose new values wait for `wisp accept`."),
      fault: maybe(text("Why the file cannot be used; then the strictest settings count.")),
    },
  },
  "gate.changed": {
    says: "A person had a gate put before a server of a client, or taken away. It is written down first: where the file is another one by then, it stays as it is.",
    verified: seen,
    selfReported: {},
    details: {
      how: one(["install", "uninstall"], "Which of both."),
      file: text("The file of the client."),
      entry: text("The keys that lead to the entry, as JSON."),
      gate: maybe(text("What the gate is called; null where it is taken away.")),
      before: hash("Of the text that stood there."),
      after: hash("Of the text in its place."),
    },
  },
  "gate.allowed": {
    says: "A person let tools of a server pass when a gate was put before it: by rules in policy.json, for what the server and its tools are.",
    verified: seen,
    selfReported: {},
    details: {
      gate: text("What the gate is called."),
      server: hash("The identity of the server: of its command, or its address."),
      tools: list(
        group(
          { name: text("Its name."), definition: hash("Of what the server says of it.") },
          "One of them.",
        ),
        "The tools.",
      ),
      before: maybe(hash("Of the text of policy.json that was accepted before; null where none was.")),
      after: hash("Of the text that is accepted now."),
    },
  },
  "rule.remembered": {
    says: "A yes for the project or for always was kept as a rule.",
    verified: {},
    selfReported: {},
    details: {
      rule: id("Of the rule."),
      text: text("The rule as it stands in remembered.json."),
      scope: one(["project", "always"], "For how far it counts."),
      directory: maybe(text("The only directory it counts in.")),
      program: maybe(text("The file that the command's first word led to.")),
      via,
      assurance: maybe(assurance),
      expiresAt: count("When it ends, in milliseconds since 1970."),
    },
  },
  "rule.revoked": {
    says: "A remembered rule was taken back, or is over.",
    verified: seen,
    selfReported: {},
    details: {
      rule: id("Of the rule."),
      text: rarely(text("The rule as it stood.")),
      why: one(
        ["person", "expired", "removed", "unpublished"],
        "Who ended it: a person, or its time; it was taken out of remembered.json, or changed there; or the receipt of its yes could not be published.",
      ),
    },
  },
  "log.rotated": {
    says: "The first record of a new file: the one before it was put aside, and the chain goes on from its last record.",
    verified: {
      file: text("Its name, in the same directory."),
      found: rarely(
        flag("It was found without a file after it: whoever put it aside did not begin the next."),
      ),
      taken: rarely(text("The name that it should have had, under which something else stood.")),
    },
    selfReported: {},
    details: {},
  },
  "log.repaired": {
    says: "The end of the log was torn, as by a crash while writing: what was no whole record was cut off.",
    verified: {
      bytes: count("How many were cut off; or of the file that was put aside whole."),
      sha256: maybe(hash("Of what was cut off; null where the file was put aside: it may be of any length.")),
      file: rarely(
        text("Where it is now, in the same directory: more stood at its end than a crash leaves."),
      ),
    },
    selfReported: {},
    details: {},
  },
} as const;
