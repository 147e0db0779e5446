import { expect, it } from "vitest";
import { canBeAnsweredLate, ruleOf } from "../../../src/broker/approval/bound.js";
import { shortened } from "../../../src/broker/request/long-text.js";
import { levels, type Subject } from "../../../src/broker/request/request.js";
import { commandSubject } from "../../support/builders.js";
import { permissionSubject, toolSubject } from "../../support/request-kinds.js";

const long = shortened(`echo ${"x".repeat(20_000)}`);

it.each<[string, Subject, string]>([
  [
    "a command by its pattern",
    commandSubject({ line: "git push", pattern: "Bash(git push)" }),
    "Bash(git push)",
  ],
  ["a command without one by its line", commandSubject({ line: "git push", pattern: null }), "git push"],
  [
    "a long line by its beginning",
    commandSubject({ line: long, pattern: null }),
    typeof long === "string" ? "" : long.head,
  ],
  [
    "a tool by server, name and what it is about",
    toolSubject({ server: "files", tool: "write_file", state: "none" }),
    "files · write_file /home/p/api/a.txt",
  ],
  [
    "a tool with a state that has to stay",
    toolSubject({ server: "files", tool: "write_file" }),
    "files · write_file /home/p/api/a.txt, while what it touches stays as it was",
  ],
  ["a permission by its tool", permissionSubject({ tool: "Edit" }), "Edit"],
])("a rule names %s", (_what, subject, rule) => {
  expect(rule).not.toBe("");
  expect(ruleOf(subject)).toBe(rule);
});

it("what has ended takes a late yes by its level, and at high only where a state is bound", () => {
  const bound = commandSubject({ state: { bound: [{ target: "HEAD", fingerprint: "a" }] } });
  const free = commandSubject({ state: "none" });
  const taken = (subject: Subject) => levels.filter((level) => canBeAnsweredLate({ level, subject }));
  expect([taken(bound), taken(free)]).toEqual([
    ["low", "moderate", "high"],
    ["low", "moderate"],
  ]);
});
