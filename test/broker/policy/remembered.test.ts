import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "../../support/fake-clock.js";
import { memoryRemembered, RememberedShelf } from "../../support/memory-remembered.js";
import { describeRemembered } from "../../support/remembered-contract.js";
import { RememberedHome } from "../../support/remembered-home.js";

describeRemembered("in memory", () => {
  const [shelf, clock] = [new RememberedShelf(), new FakeClock()];
  return {
    rules: memoryRemembered(shelf, clock),
    another: () => memoryRemembered(shelf, clock),
    clock,
    edit: (change) => {
      shelf.file = change(shelf.file);
    },
    spoil: () => {
      shelf.fault = "not JSON";
    },
    mend: () => {
      shelf.fault = null;
    },
    breakIt: () => {
      shelf.isBroken = true;
    },
    repair: () => {
      shelf.isBroken = false;
    },
    close: () => {},
  };
});

describeRemembered("in a home", () => {
  const directory = mkdtempSync(join(tmpdir(), "wisp-test-"));
  const home = new RememberedHome(join(directory, "home"));
  let good = "";
  return {
    rules: home.open(),
    another: () => home.open(),
    clock: home.clock,
    edit: (change) => home.edit(change),
    spoil: () => {
      good = home.text();
      home.write(good.slice(0, -10));
    },
    mend: () => home.write(good),
    // A directory that others can open is refused, to root as well.
    breakIt: () => chmodSync(join(home.path, "keys", "sealed"), 0o755),
    repair: () => chmodSync(join(home.path, "keys", "sealed"), 0o700),
    close: () => rmSync(directory, { recursive: true }),
  };
});
