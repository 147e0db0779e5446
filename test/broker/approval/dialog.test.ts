import { describe, expect, it } from "vitest";
import type { Dialog } from "../../../src/broker/approval/dialog.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { anAsk, asking } from "../../support/asking.js";

/** Asks once and returns what dialog and caller were told: is the request filed? */
async function toldWith(fault: WispError | null) {
  const bench = asking();
  bench.place.fault = fault;
  const told = { dialog: [] as boolean[], caller: [] as boolean[] };
  const dialog: Dialog = {
    async ask(_request, _signal, isFiled) {
      told.dialog.push(isFiled);
      return { kind: "deny" };
    },
  };
  const { signal } = new AbortController();
  await bench.approver.ask(anAsk(), dialog, signal, (_request, isFiled) => told.caller.push(isFiled));
  return told;
}

describe("dialog and caller are told", () => {
  it("that the request waits where a face can answer it", async () => {
    expect(await toldWith(null)).toEqual({ dialog: [true], caller: [true] });
  });

  it("that nothing but the dialog can answer where the channel cannot be used", async () => {
    const fault = new WispError("channel_unavailable", "No space is left.");
    expect(await toldWith(fault)).toEqual({ dialog: [false], caller: [false] });
  });
});
