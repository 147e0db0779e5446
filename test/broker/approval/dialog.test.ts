import { describe, expect, it } from "vitest";
import type { Dialog } from "../../../src/broker/approval/dialog.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { anAsk, asking } from "../../support/asking.js";

/** Asks once and returns what dialog and caller were told: why no face can answer, or null. */
async function toldWith(fault: WispError | null) {
  const bench = asking();
  bench.place.fault = fault;
  const told = { dialog: [] as (string | null)[], caller: [] as (string | null)[] };
  const dialog: Dialog = {
    unseenDecline: "decline",
    async ask(_request, _signal, why) {
      told.dialog.push(why);
      return { kind: "deny" };
    },
  };
  const { signal } = new AbortController();
  await bench.approver.ask(anAsk(), dialog, signal, (_request, why) => told.caller.push(why));
  return told;
}

describe("dialog and caller are told", () => {
  it("that the request waits where a face can answer it", async () => {
    expect(await toldWith(null)).toEqual({ dialog: [null], caller: [null] });
  });

  it("why nothing but the dialog can answer where the channel cannot be used, in visible characters", async () => {
    const fault = new WispError("channel_unsafe", "/h\u202e is open.", { fix: "chmod 700 /h" });
    const why = "channel_unsafe: /h\\u{202e} is open";
    expect(await toldWith(fault)).toEqual({ dialog: [why], caller: [why] });
  });
});
