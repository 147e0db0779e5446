import { expect, test } from "vitest";
import { createFactsWatch } from "../../../src/server/mcp/facts-watch.js";
import { keptFact } from "../../support/facts.js";
import { FakeClock } from "../../support/fake-clock.js";
import { FactShelf, memoryFacts } from "../../support/memory-facts.js";

const here = "/home/p/api";

function watching() {
  const shelf = new FactShelf();
  const facts = memoryFacts(shelf, new FakeClock());
  let opened = 0;
  let told = 0;
  const open = () => {
    opened += 1;
    return facts;
  };
  const watch = createFactsWatch(open, here, () => {
    told += 1;
  });
  return { shelf, facts, watch, opened: () => opened, told: () => told };
}

test("opens and watches nothing before its start, and nothing after its stop", async () => {
  const { shelf, facts, watch, opened, told } = watching();
  expect(opened()).toBe(0);
  watch.stop();
  for (let times = 0; times < 2; times += 1) {
    watch.start();
    watch.start();
    expect(shelf.listeners.size).toBe(1);
    watch.stop();
    watch.stop();
    expect(shelf.listeners.size).toBe(0);
    await facts.keep(keptFact({ directory: here }));
    expect(told()).toBe(0);
  }
});

test("tells each change of what holds here, and no other", async () => {
  const { shelf, facts, watch, told } = watching();
  await facts.keep(keptFact({ directory: here }));
  watch.start();
  const elsewhere = keptFact({ directory: "/elsewhere" });
  await facts.keep(elsewhere);
  await facts.forget(elsewhere.id);
  shelf.changed();
  expect(told()).toBe(0);
  const { id } = keptFact();
  await facts.keep(keptFact({ id, directory: here }));
  expect(told()).toBe(1);
  await facts.forget(id);
  expect(told()).toBe(2);
  await facts.keep(keptFact({ scope: "global", directory: null }));
  expect(told()).toBe(3);
});

test("tells that facts cannot be read any more, once, and that they can again", async () => {
  const { shelf, facts, watch, told } = watching();
  watch.start();
  await facts.keep(keptFact({ directory: here }));
  shelf.isBroken = true;
  shelf.changed();
  shelf.changed();
  expect(told()).toBe(2);
  shelf.isBroken = false;
  shelf.changed();
  expect(told()).toBe(3);
});
