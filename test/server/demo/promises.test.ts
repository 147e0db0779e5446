import { describe, expect, it } from "vitest";
import type { Receipt } from "../../../src/broker/request/receipt.js";
import type { DetachedTrip } from "../../../src/server/demo/detached-trip.js";
import { type Evidence, judge } from "../../../src/server/demo/promises.js";
import type { Trip } from "../../../src/server/demo/trip.js";
import { approvalRequest } from "../../support/builders.js";

const request = approvalRequest();

function receipt(overrides: Partial<Receipt> = {}): Receipt {
  return {
    v: 1,
    id: request.id,
    kind: "approval",
    outcome: "answered",
    via: "elicitation",
    decision: "approve",
    scope: "once",
    note: null,
    answer: null,
    verified: null,
    at: 0,
    seconds: 1,
    ran: null,
    reveal: null,
    mac: null,
    ...overrides,
  };
}

const ran = { isError: false, text: "", outcome: "approved", exitCode: 0, stdout: "" };
const refused = { isError: true, text: "", outcome: "declined", exitCode: null, stdout: "" };
const approved: Trip = {
  proof: "proof.txt",
  request,
  isAsAsked: true,
  receipt: receipt(),
  isVerified: true,
  result: ran,
  lines: 1,
};
const denied: Trip = {
  ...approved,
  receipt: receipt({ decision: "deny", scope: null }),
  result: refused,
  lines: null,
};
const givenUp: Trip = {
  ...approved,
  receipt: receipt({ outcome: "abandoned", decision: "abandoned", scope: null, ran: false }),
  result: null,
  lines: null,
};
/** A yes in the same moment as the client's cancellation. */
const tooLate: Trip = { ...givenUp, receipt: receipt({ ran: false }) };

const pending = { isError: false, text: "", outcome: "pending", exitCode: null, stdout: "" };
const early = { result: pending, lines: null };
const left: Trip = {
  ...approved,
  request: { ...request, id: "bbbbbbbb" },
  receipt: receipt({ outcome: "withdrawn", decision: "withdrawn", scope: null, ran: false }),
  result: pending,
};
const later: DetachedTrip = { early, later: approved, further: left };
const silent: DetachedTrip = {
  early,
  later: { ...left, result: null, lines: null },
  further: null,
};
const told: DetachedTrip = { early, later: denied, further: null };

const good: Evidence = {
  waited: givenUp,
  approved,
  denied,
  detached: later,
  again: { ending: "settled", lines: 1 },
  carriedOver: "refused",
};

const brokenIn = (evidence: Evidence): readonly string[] =>
  judge(evidence)
    .filter((verdict) => !verdict.isKept)
    .map((verdict) => verdict.promise);

const word = "what was asked is what was filed, word for word";
const once = "an approved command ran, and ran once";
const none = "a command that nobody approved did not run";
const proved = "every ending is proved by the server that asked";
const again = "the same yes, given again, changed nothing";
const another = "a yes to one request did nothing for another";
const tooSoon = "a call that ended before its answer ran nothing";
const anew = "a yes that was used is used up: the same call asked anew";

describe("the promises of the demo", () => {
  it.each([
    ["given up", givenUp],
    ["approved", approved],
    ["denied", denied],
    ["approved as its client left", tooLate],
  ])("all are kept when the first request was %s", (_what, waited) => {
    expect(judge({ ...good, waited })).toHaveLength(8);
    expect(brokenIn({ ...good, waited })).toEqual([]);
  });

  it.each([
    ["nobody", silent],
    ["a no", told],
  ])("are kept, and one is not told of, when the call that did not wait got %s", (_what, detached) => {
    const verdicts = judge({ ...good, detached });
    expect(verdicts.map(({ promise }) => promise)).toEqual([
      word,
      once,
      none,
      proved,
      again,
      another,
      tooSoon,
    ]);
    expect(brokenIn({ ...good, detached })).toEqual([]);
  });

  it.each<[string, Partial<Evidence>, readonly string[]]>([
    ["another command was filed", { denied: { ...denied, isAsAsked: false } }, [word]],
    ["an approved command did not run", { approved: { ...approved, lines: null } }, [once, again]],
    [
      "an approved command ran twice",
      { approved: { ...approved, lines: 2 }, again: { ending: "settled", lines: 2 } },
      [once],
    ],
    ["an approved command failed", { approved: { ...approved, result: { ...ran, exitCode: 1 } } }, [once]],
    ["an approved call was refused", { approved: { ...approved, result: refused } }, [once]],
    ["the person's own approved command ran twice", { waited: { ...approved, lines: 2 } }, [once]],
    ["a denied command ran", { denied: { ...denied, lines: 1 } }, [none]],
    ["a denied call said that it ran", { denied: { ...denied, result: ran } }, [none]],
    ["the dialog's no was taken for a yes", { denied: approved }, [none]],
    ["the dialog's yes was taken for a no", { approved: denied }, [once, again]],
    ["a command that was given up ran", { waited: { ...givenUp, lines: 1 } }, [none]],
    ["a command ran whose receipt says that it did not", { waited: { ...tooLate, lines: 1 } }, [none]],
    ["a receipt has no proof", { waited: { ...givenUp, isVerified: false } }, [proved]],
    ["a second yes was taken", { again: { ending: "won", lines: 1 } }, [again]],
    ["a second yes ran the command again", { again: { ending: "settled", lines: 2 } }, [again]],
    ["a yes to another request was taken", { carriedOver: "won" }, [another]],
    ["nobody looked at a yes to another request", { carriedOver: "unread" }, [another]],
    ["a call ran before its answer", { detached: { ...later, early: { ...early, lines: 1 } } }, [tooSoon]],
    [
      "a call that nobody answered was refused",
      { detached: { ...later, early: { ...early, result: refused } } },
      [tooSoon],
    ],
    [
      "a later yes ran twice",
      {
        detached: {
          ...later,
          later: { ...approved, lines: 2 },
          further: { ...left, lines: 2 },
        },
      },
      [once],
    ],
    [
      "a later yes did not run",
      { detached: { ...later, later: { ...approved, result: refused, lines: null } } },
      [once, anew],
    ],
    [
      "a command whose call nobody answered ran",
      { detached: { ...silent, later: { ...silent.later, lines: 1 } } },
      [none],
    ],
    ["a used yes ran once more", { detached: { ...later, further: { ...left, lines: 2 } } }, [anew]],
    ["the next call got the used yes", { detached: { ...later, further: null } }, [anew]],
    [
      "the next call joined the old request",
      { detached: { ...later, further: { ...left, request } } },
      [anew],
    ],
    ["the next call did not wait", { detached: { ...later, further: { ...left, result: ran } } }, [anew]],
    [
      "the next call's request was answered",
      { detached: { ...later, further: { ...left, receipt: receipt() } } },
      [anew],
    ],
    [
      "the next call's request was another",
      { detached: { ...later, further: { ...left, isAsAsked: false } } },
      [word],
    ],
    [
      "the next call's receipt has no proof",
      { detached: { ...later, further: { ...left, isVerified: false } } },
      [proved],
    ],
  ])("when %s, that promise is broken", (_what, change, broken) => {
    expect(brokenIn({ ...good, ...change })).toEqual(broken);
  });
});
