/** A front end's yes for longer than the connection: its rule is one that was offered. */
import { describe, expect, it } from "vitest";
import { approvalRequest, offeringDraft, twoOffers } from "../../support/builders.js";
import { fakeInbox } from "../../support/fake-inbox.js";
import { frontEndOf, hello, type Message, refusal, won } from "../../support/front-end.js";

const [exact = "", form = ""] = twoOffers().offers.map(({ rule }) => rule);

function asked(overrides: Parameters<typeof offeringDraft>[0] = {}) {
  const request = approvalRequest(offeringDraft(overrides));
  const inbox = fakeInbox([request]);
  const { news, says, turn } = frontEndOf(inbox);
  says(hello);
  const shown = news().find(({ type }) => type === "approval");
  const answers = (fields: Message): readonly Message[] => {
    says({ type: "answer", id: request.id, decision: "approve", ...fields });
    return news();
  };
  const given = () => inbox.answers.map((one) => one.given);
  return { request, inbox, answers, given, news, turn, shown };
}

describe("a yes of a front end for longer than the connection", () => {
  it("is for a rule that it was sent, exactly this call where it names none", () => {
    for (const [scope, rule, remembered] of [
      ["project", form, form],
      ["always", exact, exact],
      ["project", null, exact],
    ] as const) {
      const { answers, given, shown } = asked();
      expect(shown?.request).toMatchObject({ remember: twoOffers() });
      expect(answers({ scope, rule })).toEqual([]);
      expect(given()).toEqual([{ decision: "approve", scope, note: null, rule: remembered }]);
    }
  });

  it.each<[string, Message]>([
    ["a rule that was not offered", { scope: "project", rule: "Bash(git push *)" }],
    ["the number of a rule", { scope: "project", rule: "1" }],
    ["a rule without a wider scope", { rule: exact }],
    ["a rule for the session", { scope: "session", rule: exact }],
    ["a rule that is no text", { scope: "project", rule: 1 }],
    ["a rule beside a no", { decision: "deny", rule: exact }],
  ])("is refused with %s, and a good one is given", (_what, fields) => {
    const { request, answers, given } = asked();
    expect(answers(fields)).toEqual([refusal(request.id, "invalid_input")]);
    expect(given()).toEqual([]);
    expect(answers({ scope: "always", rule: form })).toEqual([]);
    expect(given()).toMatchObject([{ scope: "always", rule: form }]);
  });

  it("is refused where nothing can be remembered, and names what is offered", () => {
    const { answers, given } = asked({ remember: null });
    expect(answers({ scope: "project" })).toMatchObject([
      { code: "invalid_input", why: "it offers only: once, session" },
    ]);
    answers({ scope: "session" });
    expect(given()).toMatchObject([{ scope: "session" }]);
  });

  it("is one for the session of what is dangerous, takes the word, and is told", async () => {
    const { request, inbox, answers, given, news, turn } = asked({
      level: "dangerous",
      scopes: ["once", "session"],
      remember: null,
    });
    expect(answers({ scope: "always" })).toEqual([refusal(request.id, "answer_refused")]);
    expect(answers({ scope: "always", word: "main" })).toEqual([]);
    expect(given()).toEqual([
      { decision: "approve", scope: "session", note: null, downgradedFrom: "always" },
    ]);
    inbox.ends(won(request));
    await turn();
    expect(news()).toEqual([
      { type: "accepted", id: request.id, scope: "session", downgradedFrom: "always" },
    ]);
  });
});
