import { describe, expect, it } from "vitest";
import { homeAt } from "../../../src/broker/channel/home.js";
import { checkFacts } from "../../../src/cli/doctor/facts.js";
import { droppedFact, keptFact } from "../../support/facts.js";
import { FakeClock } from "../../support/fake-clock.js";
import { FactShelf, memoryFacts } from "../../support/memory-facts.js";

describe("doctor of facts", () => {
  it.each([
    [0, "ok", "2 kept, 1 dropped"],
    [
      1,
      "warn",
      "2 kept, 1 dropped; 1 file is none that this home kept, and not used: in /home/p/.wisp/facts",
    ],
    [
      3,
      "warn",
      "2 kept, 1 dropped; 3 files are none that this home kept, and not used: in /home/p/.wisp/facts",
    ],
  ])("counts them, and %d files that are none", (unreadable, status, detail) => {
    const shelf = new FactShelf();
    for (const fact of [keptFact(), keptFact()]) shelf.kept.set(fact.id, fact);
    const gone = droppedFact();
    shelf.dropped.set(gone.id, gone);
    shelf.unreadable = unreadable;
    const check = checkFacts(homeAt("/home/p/.wisp", true), memoryFacts(shelf, new FakeClock()));
    expect(check).toMatchObject({ name: "facts", status, detail });
  });
});
