import { describe, expect, it } from "vitest";
import { Stage } from "../../support/tui-events.js";
import { toRun } from "../../support/tui-requests.js";

const request = toRun("git push");
const other = toRun("npm test");

describe("the input box", () => {
  it.each([
    ["approve", "/approvals approve "],
    ["deny", "/approvals deny "],
    ["deny", "/approvals deny ID no"],
  ])("takes no answer that was pasted, wholly or in part: %s", (decision, pasted) => {
    const stage = new Stage();
    stage.waits([request]);
    const line = pasted.includes("ID") ? pasted.replace("ID", request.id) : `${pasted}${request.id}`;
    stage.press("i");
    stage.paste(line.slice(0, -3));
    stage.type(line.slice(-3));
    stage.press("home", "end", "return");
    expect(stage.answers).toEqual([]);
    expect(stage.model.box?.text).toBe(line);
    expect(stage.notices.at(-1)).toContain("type it");
    stage.press("ctrl-u");
    stage.type(line);
    stage.press("return");
    expect(stage.answers).toMatchObject([{ given: { decision } }]);
  });

  it("takes no answer whose beginning was pasted and completed", () => {
    const stage = new Stage();
    stage.waits([request]);
    stage.press("i");
    stage.paste(`/approvals approve ${request.id.slice(0, 4)}`);
    stage.wait(1_000).press("tab", "return");
    expect(stage.model.box?.text).toBe(`/approvals approve ${request.id} `);
    expect(stage.answers).toEqual([]);
    stage.press("escape", "i");
    stage.type(`/approvals approve ${request.id}`);
    stage.press("return");
    expect(stage.answers).toHaveLength(1);
  });
});

describe("a face that is read line by line", () => {
  function linear(): Stage {
    const stage = new Stage({ columns: 80, rows: 1_000 }, 0, true);
    stage.waits([request, other]);
    stage.wait(1_000);
    return stage;
  }

  it.each(["approve", "deny", "deny use npm ci"])("takes no word that was pasted: %s", (words) => {
    const stage = linear();
    stage.paste(words);
    stage.calmly("return");
    expect(stage.answers).toEqual([]);
    expect(stage.notices.at(-1)).toContain("type it");
    stage.press("escape");
    stage.wait(1_000);
    stage.type(words);
    stage.press("return");
    expect(stage.answers).toHaveLength(1);
  });

  it("takes pasted words that answer nothing", () => {
    const stage = linear();
    stage.paste("next");
    stage.press("return");
    expect(stage.model.card?.entry.key).toBe(other.id);
  });
});
