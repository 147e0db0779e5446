import { describe, expect, it, test } from "vitest";
import type { Level } from "../../../src/broker/request/request.js";
import { linearText } from "../../../src/tui/components/linear.js";
import { screenOf } from "../../../src/tui/screen/screen-of.js";
import { Stage } from "../../support/tui-events.js";
import { toRun } from "../../support/tui-requests.js";

describe("the header", () => {
  it("counts what waits, and says how well it can be seen", () => {
    const stage = new Stage();
    expect(screenOf(stage.model).header).toEqual({
      waits: "nothing waiting",
      health: "~/.wisp ok",
      isHealthy: true,
    });
    stage.waits([toRun("a"), toRun("b"), toRun("c")]);
    stage.press("j");
    expect(screenOf(stage.model).header.waits).toBe("2 of 3 waiting");
    stage.waits([toRun("a")], { health: { kind: "polling" }, newer: ["zzzzzzzz"] });
    expect(screenOf(stage.model).header.health).toBe("~/.wisp polling · 1 that cannot be read");
  });

  it("says that nothing can be seen where the channel is unusable, not that nothing waits", () => {
    const stage = new Stage({ columns: 60, rows: 20 });
    stage.waits([], {
      health: { kind: "unusable", complaint: { what: "Others can open it.", why: null, fix: null } },
    });
    expect(screenOf(stage.model).header).toEqual({
      waits: "what waits cannot be seen",
      health: "~/.wisp unusable",
      isHealthy: false,
    });
  });

  it.each([
    ["watching", "ok"],
    ["polling", "polling"],
  ] as const)("says how well it can be seen where the home is long: %s", (kind, word) => {
    const stage = new Stage({ columns: 60, rows: 20 });
    const home = `/srv/${"projects/".repeat(9)}own-home`;
    stage.model = { ...stage.model, place: { home, environment: {} } };
    stage.waits([toRun("a")], { health: { kind } });
    const { waits, health } = screenOf(stage.model).header;
    expect(health).toMatch(new RegExp(`^….*own-home ${word}$`));
    expect(6 + waits.length + 3 + health.length).toBeLessThanOrEqual(59);
    stage.resize(40, 20);
    expect(screenOf(stage.model).header.health).toMatch(new RegExp(`${word}$`));
  });

  it("writes large numbers as the rest of the screen does", () => {
    const stage = new Stage();
    stage.waits(Array.from({ length: 1_234 }, (_, index) => toRun("a", { thread: `${index}` })));
    expect(screenOf(stage.model).header.waits).toBe("1 of 1,234 waiting");
  });

  it("warns of what waits for the input box to be empty", () => {
    const stage = new Stage();
    stage.press("/");
    stage.waits([toRun("a")]);
    expect(screenOf(stage.model).header.waits).toBe("⚠ 1 waiting");
    stage.press("escape");
    expect(screenOf(stage.model).header.waits).toBe("1 of 1 waiting");
  });
});

describe("a screen on which nothing is open", () => {
  function linesOf(stage: Stage): readonly string[] {
    const { body } = screenOf(stage.model);
    return body.kind === "empty" ? body.lines : [];
  }

  it("names what waits and cannot be answered or read here", () => {
    const stage = new Stage();
    stage.waits([], { newer: ["zzzzzzzz"], unreadable: [{ name: "odd.json", reason: "not JSON" }] });
    const text = linesOf(stage).join(" ");
    expect(text).toContain("Nothing waits that this wisp can answer.");
    expect(text).toContain("1 request was filed by a newer wisp");
    expect(text).toContain("1 file here is not a request: odd.json (not JSON)");
    stage.waits([]);
    expect(linesOf(stage)[0]).toBe("Nothing waits for you.");
    expect(linesOf(stage)).toHaveLength(3);
  });
});

test("where nothing waits the demo is told of, and in the home of one how it goes on", () => {
  const { model } = new Stage();
  const lineIn = (home: string) =>
    linearText(screenOf({ ...model, place: { ...model.place, home } }))
      .join(" ")
      .replace(/.*requests ended\. /s, "");
  expect(lineIn("~/.wisp")).toContain("New here? Run  wisp demo  in another terminal.");
  expect(lineIn("/tmp/wisp-demo-aB3xYz/home")).toMatch(/^q leaves: the demo goes on/);
  expect(lineIn("/tmp/wisp-demo-aB3xYz/home/x")).toContain("New here?");
});

describe("a level", () => {
  it.each<[Level, string]>([
    ["low", "low"],
    ["moderate", "moderate"],
    ["high", "HIGH"],
    ["dangerous", "!! DANGEROUS"],
  ])("%s is told by its letters, not by a colour alone", (level, text) => {
    const stage = new Stage();
    stage.waits([toRun("git push", { level })]);
    const { body } = screenOf(stage.model);
    expect(body).toMatchObject({ card: { level: text, tone: level }, queue: { rows: [{ level: text }] } });
  });
});
