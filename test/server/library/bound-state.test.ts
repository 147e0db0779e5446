/** What a yes is bound to, as fingerprints. */
import { expect, it } from "vitest";
import { type StateOfThings, stateNow } from "../../../src/server/library/bound-state.js";

const { signal } = new AbortController();
const nowhere = { spec: null, arguments: {}, directory: "/" };
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
