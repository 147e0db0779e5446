/** Homes in which yeses are kept that no call waited for, and processes over them. */
import type { Ask } from "../../src/broker/approval/approver.js";
import type { GrantStore } from "../../src/broker/grants/grant-store.js";
import type { Outcome } from "../../src/broker/request/outcome.js";
import { type Asked, type Asking, asking, calm, detach, keepingIn, type World, world } from "./asking.js";
import { answerTo, commandSubject } from "./builders.js";

export interface KeepingHome extends World {
  /** Another process over the same. */
  readonly start: (grants?: (own: GrantStore) => GrantStore) => Asking;
}

export function home(): KeepingHome {
  const shared = world();
  return {
    ...shared,
    start(wrap = (own) => own) {
      const { grants, late } = keepingIn(shared);
      return asking({ world: shared, grants: grants === null ? null : wrap(grants), late });
    },
  };
}

export function inState(fingerprint: string, rest: Partial<Ask> = {}): Partial<Ask> {
  return { subject: commandSubject({ state: { bound: [{ target: "HEAD", fingerprint }] } }), ...rest };
}

/** The outcome of a call, whose effect begins if it got a yes that was kept. */
export async function begun({ approver }: Asking, { outcome }: Asked): Promise<Outcome> {
  const ended = await outcome;
  approver.conclude(ended, "began");
  // Whoever waited for that knows it by then; whoever comes then comes later.
  await calm();
  return ended;
}

/** A request that no call waits for, and a yes to it. */
export async function approvedAlone(bench: Asking, ask: Partial<Ask> = {}): Promise<Asked> {
  const asked = await bench.ask({ ask });
  detach(asked);
  await calm();
  bench.clock.advance(1_000);
  bench.face.answer(answerTo(asked.request, { note: "go" }));
  await calm();
  return asked;
}
