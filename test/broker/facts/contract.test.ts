import { describeFacts } from "../../support/fact-store-contract.js";
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
