/** What a yes is bound to, as fingerprints. */
import { expect, it } from "vitest";
import { type LookAtState, type StateOfThings, stateNow } from "../../../src/server/library/bound-state.js";
import { FakeClock } from "../../support/fake-clock.js";

const { signal } = new AbortController();
const clock = new FakeClock();
const nowhere = { spec: null, arguments: {}, directory: "/", clock };
const fingerprints = (things: StateOfThings) => stateNow({ ...nowhere, look: () => things }, signal);

it("equal contents are one state, as text or as bytes, in whatever order they are named", async () => {
  const one = await fingerprints({ a: "milk", b: null });
  const other = await fingerprints({ b: null, a: new TextEncoder().encode("milk") });
  expect(other).toEqual(one);
  expect(one).toMatchObject([{ target: "a" }, { target: "b" }]);
});

it.each([
  ["other contents", { a: "eggs" }],
  ["nothing in the place of something", { a: null }],
  ["something empty in the place of nothing", { a: "" }],
  ["another thing", { b: "milk" }],
])("%s are another state", async (_what, things) => {
  const known = [{ a: "milk" }, { a: null }, { a: "" }];
  const same = known.findIndex((one) => JSON.stringify(one) === JSON.stringify(things));
  const all = await Promise.all(known.map(fingerprints));
  const found = await fingerprints(things as StateOfThings);
  const equal = all.map((one) => JSON.stringify(one) === JSON.stringify(found));
  expect(equal).toEqual(known.map((_one, index) => index === same));
});

it("bytes that are no text are told from the text that stands for them", async () => {
  const bytes = await fingerprints({ a: new Uint8Array([0xff]) });
  expect(await fingerprints({ a: "\ufffd" })).not.toEqual(bytes);
});

it("nothing is bound where nobody looks", async () => {
  expect(await stateNow({ ...nowhere, look: undefined }, signal)).toBeNull();
});

it("a look that never ends has come to nothing after half a minute, and holds nothing up", async () => {
  const never: LookAtState = () => new Promise(() => undefined);
  const looking = stateNow({ ...nowhere, look: never }, signal);
  await Promise.resolve();
  clock.advance(30_000);
  await expect(looking).rejects.toMatchObject({
    code: "invalid_input",
    why: "It took longer than 30 s.",
  });
  expect(await fingerprints({ a: "milk" })).toHaveLength(1);
});

it("a look that never ends is over with its call", async () => {
  const gone = new AbortController();
  const looking = stateNow({ ...nowhere, look: () => new Promise(() => undefined) }, gone.signal);
  await Promise.resolve();
  gone.abort(new Error("left"));
  await expect(looking).rejects.toThrow("left");
});

it.each([
  ["nothing", null],
  ["a list", ["milk"]],
  ["a number of things", { a: 7 }],
  ["undefined", { a: undefined }],
])("what a look says is refused where it is %s", async (_what, things) => {
  await expect(fingerprints(things as unknown as StateOfThings)).rejects.toMatchObject({
    code: "invalid_input",
  });
  expect(await fingerprints({ a: null })).toHaveLength(1);
});
