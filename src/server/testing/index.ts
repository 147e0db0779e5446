/** The library's third door, `wisp-broker/testing`: fakes for the tests of a server whose tools ask. */
export { type FakeClock, fakeClock } from "./fake-clock.js";
export { type FakePerson, fakePerson, type Saying } from "./fake-person.js";
export type { FakeReply } from "./fake-reply.js";
