import { describe, expect, it } from "vitest";
import { ruleText } from "../../../src/tui/state/rule-text.js";
import { approvalRequest, commandSubject } from "../../support/builders.js";
import { permissionSubject, toolSubject } from "../../support/request-kinds.js";
import { Stage } from "../../support/tui-events.js";
import { dangerous, toRun } from "../../support/tui-requests.js";

function asked(key: string, request = toRun("git push")): Stage {
  const stage = new Stage();
  stage.waits([request]);
  stage.calmly(key);
  expect(stage.model.prompt).not.toBeNull();
  return stage;
}

describe("a text that is being typed", () => {
  it.each<[string, () => Stage]>([
    ["a note", () => asked("n")],
    ["a reason", () => asked("r")],
    ["a filter", () => asked("f")],
    ["the word", () => asked("y", dangerous())],
  ])("is left with Ctrl-C, and answers nothing: %s", (_what, begin) => {
    const stage = begin();
    stage.wait(1_000).type("main");
    expect(stage.press("ctrl-c")).toEqual([{ kind: "quit" }]);
    expect(stage.answers).toEqual([]);
  });

  it.each([
    ["n", "approve"],
    ["r", "deny"],
  ])("takes what is pasted into a note or a reason, in one line: %s", (key, decision) => {
    const stage = asked(key);
    stage.type("see ");
    stage.paste("the\nlog\u001b[2J");
    stage.press("return");
    expect(stage.answers.map(({ given }) => given)).toMatchObject([{ decision, note: "see the log[2J" }]);
  });
});

describe("the rule that a wider yes remembers", () => {
  const [command, tool, permission] = [
    approvalRequest({ subject: commandSubject({ pattern: "git push *", directory: "/home/p/api" }) }),
    approvalRequest({ subject: toolSubject() }),
    approvalRequest({ subject: permissionSubject() }),
  ];

  it("names the project, or says that it holds everywhere", () => {
    expect(ruleText(command, "project")).toBe(
      "every command like: git push * — in this project (/home/p/api)",
    );
    expect(ruleText(command, "always")).toBe("every command like: git push * — everywhere");
    for (const request of [tool, permission]) {
      expect(ruleText(request, "project")).toMatch(/ — in this project$/);
      expect(ruleText(request, "always")).toMatch(/ — everywhere$/);
    }
  });

  it("is none where there is no pattern", () => {
    expect(ruleText(approvalRequest({ subject: commandSubject({ pattern: null }) }), "always")).toBeNull();
  });
});
