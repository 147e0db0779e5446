import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeFacts } from "../../support/fact-store-contract.js";
import { FactsHome } from "../../support/facts-home.js";
import { FakeClock } from "../../support/fake-clock.js";
import { FactShelf, memoryFacts } from "../../support/memory-facts.js";

describeFacts("in memory", () => {
  const [shelf, clock] = [new FactShelf(), new FakeClock()];
  return {
    facts: memoryFacts(shelf, clock),
    another: () => memoryFacts(shelf, clock),
    clock,
    breakIt: () => {
      shelf.isBroken = true;
    },
    repair: () => {
      shelf.isBroken = false;
    },
    close: () => {},
  };
});

describeFacts("in a directory", () => {
  const directory = mkdtempSync(join(tmpdir(), "wisp-test-"));
  const home = new FactsHome(join(directory, "home"));
  return {
    facts: home.open(),
    another: () => home.open(),
    clock: home.clock,
    // A directory that others can open is refused, to root as well.
    breakIt: () => chmodSync(home.facts, 0o755),
    repair: () => chmodSync(home.facts, 0o700),
    close: () => rmSync(directory, { recursive: true }),
  };
});
