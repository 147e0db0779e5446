/** Several identical calls that wait for one request. */
import { expect } from "vitest";
import type { Scope } from "../../src/broker/request/scope.js";
import { type Asked, type Asking, calm } from "./asking.js";
import { FakeDialog } from "./fake-dialog.js";

const scopes: readonly Scope[] = ["once", "session"];

/** So many identical calls, made at one instant and asked about. */
export async function identical(bench: Asking, count: number): Promise<readonly Asked[]> {
  const asked = Array.from({ length: count }, () =>
    bench.start({ ask: { scopes }, dialog: new FakeDialog() }),
  );
  await calm();
  return asked;
}

/** The one request of `asked`; of the last, for the first may have left before it was there. */
export function requestOf(asked: readonly Asked[]): Asked["request"] {
  return asked.at(-1)?.request ?? expect.fail();
}

export function namesOf(asked: readonly Asked[]): readonly (string | null)[] {
  return asked.map(({ ended }) => ended?.name ?? null);
}

export function decidedIn({ audit }: Asking): readonly unknown[] {
  return audit.only("approval.decided").map(({ details }) => details?.outcome);
}
