import { describe, expect, it } from "vitest";
import type { Receipt } from "../../../src/broker/request/receipt.js";
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

const good: Evidence = {
  waited: givenUp,
  approved,
  denied,
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

describe("the promises of the demo", () => {
  it.each([
    ["given up", givenUp],
    ["approved", approved],
    ["denied", denied],
    ["approved as its client left", tooLate],
  ])("all are kept when the first request was %s", (_what, waited) => {
    expect(judge({ ...good, waited })).toHaveLength(6);
    expect(brokenIn({ ...good, waited })).toEqual([]);
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
  ])("when %s, that promise is broken", (_what, change, broken) => {
    expect(brokenIn({ ...good, ...change })).toEqual(broken);
  });
});
