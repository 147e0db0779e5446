import { describe, expect, it } from "vitest";
import { createFactStandings, endIn } from "../../../src/broker/approval/fact-standings.js";
import type { Channel } from "../../../src/broker/channel/channel.js";
import type { FactStore } from "../../../src/broker/facts/fact-store.js";
import { composeRequest } from "../../../src/broker/request/binding.js";
import { WispError } from "../../../src/broker/request/errors.js";
import type { Receipt } from "../../../src/broker/request/receipt.js";
import type { FactRequest } from "../../../src/broker/request/request.js";
import { filingFacts } from "../../support/builders.js";
import { droppedFact, keptFact } from "../../support/facts.js";
import { factDraft } from "../../support/request-kinds.js";

const request = composeRequest(factDraft(), filingFacts()) as FactRequest;
const { id } = request;

/** A receipt that nobody can prove. */
function receipt(overrides: Partial<Receipt>): Receipt {
  const nothing = {
    scope: null,
    note: null,
    answer: null,
    verified: null,
    ran: false,
    reveal: null,
    mac: null,
  };
  const said = { outcome: "answered", via: "cli", decision: "keep" } as const;
  return { v: 1, id, kind: "fact", at: 1, seconds: 1, ...nothing, ...said, ...overrides };
}

/** Where the request of another process stands. */
function standing(found: {
  receipt?: Receipt | null;
  isThere?: boolean;
  facts?: Partial<ReturnType<FactStore["list"]>>;
}) {
  const channel = {
    receipt: () => found.receipt ?? null,
    isThere: () => found.isThere ?? false,
  } as unknown as Channel;
  const list = () => ({ kept: [], dropped: [], unreadable: 0, ...found.facts });
  const standings = createFactStandings(channel, { list }, () => false);
  standings.add(request);
  return standings.list().map(({ standing, outcome }) => [standing, outcome])[0];
}

describe("what another process waits for", () => {
  it.each<[string, Parameters<typeof standing>[0], unknown]>([
    ["waits while it lies there", { isThere: true }, ["waits", null]],
    ["waits beside a receipt that nobody proved", { isThere: true, receipt: receipt({}) }, ["waits", null]],
    ["is kept as its receipt says", { receipt: receipt({}) }, ["kept", "answered"]],
    ["is dropped as its receipt says", { receipt: receipt({ decision: "drop" }) }, ["dropped", "answered"]],
    [
      "ended as its receipt says",
      { receipt: receipt({ outcome: "timed_out", decision: null }) },
      ["ended", "timed_out"],
    ],
    ["is kept as the store says", { facts: { kept: [keptFact({ id })] } }, ["kept", "answered"]],
    ["is dropped as the store says", { facts: { dropped: [droppedFact({ id })] } }, ["dropped", "answered"]],
    ["ended where nothing says how", {}, ["ended", null]],
  ])("%s", (_what, found, expected) => {
    expect(standing(found)).toEqual(expected);
  });

  it("waits where nobody can look, and is told as soon as somebody can", () => {
    let fault: Error | null = new WispError("channel_unsafe", "It is open to others.");
    const look =
      <Found>(found: Found) =>
      (): Found => {
        if (fault !== null) throw fault;
        return found;
      };
    const channel = { receipt: look(null), isThere: look(false) } as unknown as Channel;
    const list = look({ kept: [keptFact({ id })], dropped: [], unreadable: 0 });
    const standings = createFactStandings(channel, { list }, () => false);
    standings.add(request);
    expect(standings.list()).toMatchObject([{ request: id, standing: "waits" }]);
    fault = new RangeError("a mistake of ours");
    expect(() => standings.list()).toThrow(RangeError);
    fault = null;
    expect(standings.list()).toMatchObject([{ request: id, standing: "kept", outcome: "answered" }]);
  });

  it("is forgotten where it is not of the newest hundred", () => {
    const channel = { receipt: () => null, isThere: () => true } as unknown as Channel;
    const standings = createFactStandings(
      channel,
      { list: () => ({ kept: [], dropped: [], unreadable: 0 }) },
      () => false,
    );
    for (let n = 0; n < 101; n += 1) standings.add({ ...request, id: `id${1_000 + n}` });
    standings.end("unknown2", endIn({ outcome: "answered", decision: "drop" }));
    standings.end("id1100", endIn({ outcome: "answered", decision: "drop" }));
    const told = standings.list();
    expect(told).toHaveLength(100);
    expect(told.at(-1)).toMatchObject({ request: "id1100", standing: "dropped" });
    expect(told.some((one) => one.request === "id1000")).toBe(false);
  });
});
