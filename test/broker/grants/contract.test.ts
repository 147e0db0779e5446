import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "../../support/fake-clock.js";
import { Record } from "../../support/grants.js";
import { describeGrants } from "../../support/grants-contract.js";
import { GrantsHome } from "../../support/grants-home.js";
import { memoryGrants, Shelf } from "../../support/memory-grants.js";

describeGrants("in memory", () => {
  const [shelf, record, clock] = [new Shelf(), new Record(), new FakeClock()];
  return {
    grants: memoryGrants(shelf, record, clock),
    another: () => memoryGrants(shelf, record, clock),
    record,
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

describeGrants("in a directory", () => {
  const directory = mkdtempSync(join(tmpdir(), "wisp-test-"));
  const home = new GrantsHome(join(directory, "home"));
  return {
    grants: home.open(),
    another: () => home.open(),
    record: home.record,
    clock: home.clock,
    // A directory that others can open is refused, to root as well.
    breakIt: () => chmodSync(home.grants, 0o755),
    repair: () => existsSync(home.grants) && chmodSync(home.grants, 0o700),
    close: () => rmSync(directory, { recursive: true }),
  };
});
