import { expect, it, onTestFinished } from "vitest";
import { clientFacts } from "../../../src/broker/config/client-facts.js";
import { configOf, readConfig } from "../../../src/broker/config/load.js";
import { makeThrowAway } from "../../../src/server/demo/throw-away.js";
import { holdSecondsOf } from "../../../src/server/mcp/hold.js";

it.each(["demo-without-dialog", "demo-with-dialog"])(
  "who reads at leisure finds the call of %s still waiting",
  (name) => {
    const place = makeThrowAway();
    onTestFinished(() => place.remove());
    const { settings, fault } = configOf(readConfig(place.home), { kind: "none" });
    expect(fault).toBeNull();
    const client = clientFacts(name, settings);
    const peer = { progressToken: null };
    expect(holdSecondsOf({ flag: null, settings: settings.approval, client, peer })).toBeNull();
  },
);
