import { describe, expect, it } from "vitest";
import { openTurns } from "../../../src/tui/turns.js";

/** Lets promises that are settled already be heard of. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("work in turns", () => {
  it("makes room once for each that is over, however it ends", async () => {
    const begun: { readonly item: number; over(): void; end(): void; fail(): void }[] = [];
    const turns = openTurns<number>(2, (item, over) => {
      return new Promise<void>((resolve, reject) => {
        begun.push({ item, over, end: resolve, fail: () => reject(new Error("no")) });
      }).catch(() => {});
    });
    for (let item = 0; item < 6; item += 1) turns.add(item);
    expect(begun.map(({ item }) => item)).toEqual([0, 1]);
    begun[0]?.over();
    expect(begun).toHaveLength(3);
    begun[0]?.over();
    begun[0]?.end();
    await settle();
    expect(begun).toHaveLength(3);
    begun[1]?.fail();
    await settle();
    expect(begun.map(({ item }) => item)).toEqual([0, 1, 2, 3]);
    expect(turns.takeBack()).toEqual([4, 5]);
    begun[2]?.end();
    await settle();
    expect(begun).toHaveLength(4);
  });
});
