import { describe, expect, it, onTestFinished } from "vitest";
import type { Home } from "../../../src/broker/channel/home.js";
import { openFace } from "../../../src/tui/open-face.js";
import type { Store } from "../../../src/tui/store.js";
import { approvalDraft } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { fakeTerminal } from "../../support/fake-terminal.js";
import { openAsker, tempHome } from "../../support/temp-home.js";
import { keyOf } from "../../support/tui-events.js";

function open(home: Home): { readonly store: Store; readonly done: readonly string[] } {
  const done: string[] = [];
  const store = openFace(fakeTerminal({ home, clock: new FakeClock() }), {
    size: { columns: 80, rows: 24 },
    isLinear: false,
    ring: () => void done.push("ring"),
    quit: () => void done.push("quit"),
  });
  onTestFinished(() => void store.close());
  return { store, done };
}

describe("the face that is opened on a home", () => {
  it("rings once for what waits there, shows it, and is left with q", () => {
    const home = tempHome();
    openAsker(home).channel.file(approvalDraft(), []);
    const { store, done } = open(home);
    expect(done).toEqual(["ring"]);
    expect(store.screen().header.waits).toBe("1 of 1 waiting");
    store.dispatch({ kind: "key", key: keyOf("q"), at: 1, since: 1 });
    expect(done).toEqual(["ring", "quit"]);
  });

  it("does not ring where nothing waits", () => {
    expect(open(tempHome()).done).toEqual([]);
  });
});
