/** What an ask costs while very much lies in `late/`: it is looked for on the thread that also answers the client. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { boundTo } from "../support/grants.js";
import { lateRequest } from "../support/late-contract.js";
import { tempDirectory } from "../support/temp-home.js";

// What is watched must be loaded after who watches it.
const { readBy } = await import("../support/fs-recorder.js");
const { GrantsHome } = await import("../support/grants-home.js");

test("an ask opens those alone that may be about the same, and an id that one alone", async () => {
  const home = new GrantsHome(join(tempDirectory(), "home"));
  const others = Array.from({ length: 50 }, (_, index) =>
    lateRequest({ bound: boundTo({ subject: `${index}` }) }),
  );
  const same = [lateRequest(), lateRequest()];
  for (const one of [...others, ...same]) await home.openLate().file(one, true);
  const late = home.openLate();
  // The key is read once.
  late.list();
  const read = await readBy(home.path, () => expect(late.alike(boundTo()).ids).toHaveLength(2));
  expect(read).toHaveLength(2);
  for (const { request } of same)
    expect(read.some((path) => path.startsWith(`late/${request.id}.`))).toBe(true);
  const [{ request }] = others as [(typeof others)[0]];
  expect(await readBy(home.path, () => expect(late.read(request.id)).not.toBeNull())).toHaveLength(1);
  expect(await readBy(home.path, () => late.alike(boundTo({ subject: "new" })))).toEqual([]);
  expect(await readBy(home.path, () => late.list())).toHaveLength(52);
});

test("a sweep opens what it has not seen yet, once", async () => {
  const home = new GrantsHome(join(tempDirectory(), "home"));
  for (let filed = 0; filed < 5; filed += 1) await home.openLate().file(lateRequest(), true);
  const late = home.openLate();
  late.list();
  expect(await readBy(home.path, () => late.sweep())).toHaveLength(5);
  await home.openLate().file(lateRequest(), false);
  expect(await readBy(home.path, () => late.sweep())).toHaveLength(1);
  home.clock.advance(600_001);
  expect(await readBy(home.path, () => expect(late.sweep()).toHaveLength(1))).toEqual([]);
});
