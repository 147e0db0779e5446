import { describe, expect, it } from "vitest";
import { approvalRequest } from "../../support/builders.js";
import { Stage } from "../../support/tui-events.js";

describe("a key that decides", () => {
  it("answers what is open, once", () => {
    const stage = new Stage();
    const request = approvalRequest();
    stage.waits([request]);
    stage.calmly("y");
    expect(stage.answers).toEqual([
      { kind: "answer", request, given: { decision: "approve", scope: "once", note: null } },
    ]);
    stage.calmly("y");
    expect(stage.answers).toHaveLength(1);
  });
});
