/** Given cases of attacks that are about time; those that need whole programs are in test/e2e. */
import { expect, it } from "vitest";
import { asking, calm } from "../support/asking.js";
import { attackCase, named } from "../support/attack-cases.js";
import { answerTo } from "../support/builders.js";

const hour = 3_600_000;

it(`${named("case-056")} moves no deadline, and a good answer before it still counts`, async () => {
  const [earliest = 0, latest = 0] = attackCase("case-056").expected.expires_after_s as readonly number[];
  const bench = asking();
  const asked = await bench.ask();
  const other = await bench.ask({ ask: { thread: "another" } });
  bench.clock.jumpWallClock(-hour);
  bench.clock.advance((earliest - 1) * 1_000);
  bench.clock.jumpWallClock(2 * hour);
  await calm();
  expect(asked.ended).toBeNull();
  bench.face.answer(answerTo(other.request));
  await calm();
  expect(other.ended).toMatchObject({ name: "approved" });
  bench.clock.advance((latest - earliest + 1) * 1_000);
  expect(await asked.outcome).toMatchObject({ name: "timed_out", request: asked.request.id });
});
