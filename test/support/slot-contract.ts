/** What every `Channel` keeps about one request: who may decide it, who was first, and how it ends. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Channel, Ending, News, Taken } from "../../src/broker/channel/channel.js";
import { type Answer, answerFileName } from "../../src/broker/request/answer.js";
import { answerHash, bindingOf, isReceiptVerified } from "../../src/broker/request/binding.js";
import { sha256Hex } from "../../src/broker/request/long-text.js";
import { type Request, requestFileName } from "../../src/broker/request/request.js";
import { answerTo, approvalDraft, denialOf } from "./builders.js";
import { hostileAnswers } from "./hostile-answers.js";
import { factDraft, questionDraft } from "./request-kinds.js";
import { atTerminal } from "./witnesses.js";

interface SlotHarness {
  readonly asker: Channel;
  readonly face: Channel;
  readonly refused: readonly { readonly id: string }[];
  plant(name: string, content: Uint8Array): void;
  removeRequest(id: string): void;
}

/** Called inside `describeChannel`; the harness is made anew for each test. */
export function describeSlot(current: () => SlotHarness): void {
  let harness: SlotHarness;
  let asker: Channel;
  let face: Channel;

  beforeEach(() => {
    harness = current();
    ({ asker, face } = harness);
  });

  const file = (): Request => asker.file(approvalDraft(), []);

  describe("answering", () => {
    it("hands the process that asked exactly the answer that was given", () => {
      const request = file();
      expect(asker.take(request.id)).toBeNull();
      const answer = answerTo(request, { note: "mind the branch" });
      expect(face.answer(answer)).toBe(true);
      expect(asker.take(request.id)).toEqual(news(answer));
      expect(asker.take(request.id)).toEqual(news(answer));
    });

    it("of 20 answers exactly one comes first, and it is the one that is taken", () => {
      const request = file();
      const answers = Array.from({ length: 20 }, (_, index) => denialOf(request, `${index}`));
      const first = answers.filter((answer, index) => (index % 2 === 0 ? face : asker).answer(answer));
      expect(first).toEqual([answers[0]]);
      expect(asker.take(request.id)).toEqual(news(denialOf(request, "0")));
    });

    it("takes what the asking process itself says for its client's dialog", () => {
      const request = file();
      const answer = answerTo(request, { via: "elicitation" });
      expect(asker.answer(answer)).toBe(true);
      expect(face.answer(denialOf(request))).toBe(false);
      expect(asker.take(request.id)).toEqual(news(answer));
      expect(harness.refused).toEqual([]);
    });

    it("takes for each kind of request its own decisions", () => {
      const fact = asker.file(factDraft(), []);
      const question = asker.file(questionDraft(), []);
      const kept = answerTo(fact, { decision: "keep", scope: null });
      const chosen = answerTo(question, { decision: "answer", scope: null, values: ["pg"] });
      face.answer(answerTo(fact));
      expect(asker.take(fact.id)).toBeNull();
      face.answer(kept);
      face.answer(chosen);
      expect(asker.take(fact.id)).toEqual(news(kept));
      expect(asker.take(question.id)).toEqual(news(chosen));
    });

    it("shows what stands in a slot without touching it", () => {
      const request = file();
      expect(face.slot(request.id)).toEqual({ kind: "free" });
      harness.plant(answerFileName(request.id), encode("{"));
      expect(face.slot(request.id)).toMatchObject({ kind: "junk" });
      expect(face.slot(request.id)).toMatchObject({ kind: "junk" });
      expect(face.answer(answerTo(request))).toBe(false);
      asker.take(request.id);
      face.answer(answerTo(request));
      expect(face.slot(request.id)).toEqual({ kind: "answer", answer: answerTo(request) });
    });

    it("knows only what the same opening asked", () => {
      const request = file();
      face.answer(answerTo(request));
      expect(face.take(request.id)).toBeNull();
      expect(asker.take("zzzzzzzz")).toBeNull();
      expect(asker.take(request.id)).toEqual(news(answerTo(request)));
    });
  });

  describe("answers that may not decide", () => {
    it.each(hostileAnswers)(
      "moves an answer away that breaks $breaks, and goes on waiting",
      ({ content }) => {
        const request = file();
        harness.plant(answerFileName(request.id), content(request));
        expect(asker.take(request.id)).toBeNull();
        expect(harness.refused).toEqual([
          { id: request.id, reason: expect.stringMatching(/./), movedTo: expect.anything(), testimony: null },
        ]);
        expect(face.slot(request.id)).toEqual({ kind: "free" });
        expect(asker.take(request.id)).toBeNull();
        expect(harness.refused).toHaveLength(1);

        const good = answerTo(request);
        expect(face.answer(good)).toBe(true);
        expect(asker.take(request.id)).toEqual(news(good));
      },
    );

    it("takes no answer of one request for another", () => {
      const [one, other] = [file(), file()];
      harness.plant(answerFileName(one.id), encode(JSON.stringify(answerTo(other))));
      expect(asker.take(one.id)).toBeNull();
      expect(asker.take(other.id)).toBeNull();
      expect(face.answer(denialOf(one))).toBe(true);
      expect(asker.take(one.id)).toEqual(news(denialOf(one)));
    });

    it("does not let junk keep the server from ending the wait", () => {
      const request = file();
      harness.plant(answerFileName(request.id), encode("{"));
      expect(asker.withdraw(request.id, "timed_out", null).answer.decision).toBe("timed_out");
      expect(harness.refused).toHaveLength(1);
    });

    it("compares an answer with what was filed, not with what the file says now", () => {
      const request = file();
      harness.plant(requestFileName(request), encode(JSON.stringify(rebound(request))));
      expect(asker.take(request.id)).toBeNull();
      face.answer(answerTo(request));
      expect(asker.take(request.id)).toEqual(news(answerTo(request)));
    });

    it("gives up a request that was altered when somebody answered what it says now", () => {
      const request = file();
      const altered = rebound(request);
      harness.plant(requestFileName(request), encode(JSON.stringify(altered)));
      face.answer(answerTo(altered));
      expect(asker.take(request.id)).toMatchObject({
        kind: "broken",
        why: expect.stringMatching(/altered/),
      });
      expect(asker.withdraw(request.id, "failed", "altered").answer.decision).toBe("failed");
    });
  });

  describe("ending the wait", () => {
    it.each(["timed_out", "withdrawn", "abandoned", "failed"] as const)(
      "claims a free slot for the server's own %s",
      (decision) => {
        const request = file();
        const taken = asker.withdraw(request.id, decision, "because");
        expect(taken.answer).toMatchObject({ decision, via: "server", note: "because", id: request.id });
        expect(taken.answer.binding).toBe(request.binding);
        expect(taken.hash).toBe(answerHash(taken.answer));
        expect(face.answer(answerTo(request))).toBe(false);
        expect(face.slot(request.id)).toEqual({ kind: "answer", answer: taken.answer });
        expect(asker.take(request.id)).toEqual({ kind: "answer", taken });
      },
    );

    it("leaves the decision to an answer that came first", () => {
      const request = file();
      face.answer(answerTo(request));
      expect(asker.withdraw(request.id, "timed_out", null)).toEqual(takenOf(answerTo(request)));
    });

    it("stays with its first decision", () => {
      const request = file();
      const first = asker.withdraw(request.id, "timed_out", null);
      expect(asker.withdraw(request.id, "abandoned", null)).toEqual(first);
    });

    it("says of a removed request that it cannot be decided, and still ends it", () => {
      const request = file();
      harness.removeRequest(request.id);
      expect(asker.take(request.id)).toMatchObject({ kind: "broken", why: expect.stringMatching(/./) });
      const taken = asker.withdraw(request.id, "failed", "removed");
      expect(taken.answer.decision).toBe("failed");
      asker.settle(request.id, { outcome: "failed", taken, ran: false });
      expect(face.receipt(request.id)).toMatchObject({ outcome: "failed", decision: "failed" });
    });
  });

  describe("settling", () => {
    it("publishes a receipt that every opening reads and that only the asking process can have written", () => {
      const [request, other] = [file(), file()];
      const answer = denialOf(request, "use another branch");
      face.answer(answer);
      const written = settle(request, "answered", takenOf(answer), false);
      const read = face.receipt(request.id);
      expect(read).toEqual(written);
      expect(read).toMatchObject({
        v: 1,
        id: request.id,
        kind: "approval",
        outcome: "answered",
        via: "cli",
        decision: "deny",
        scope: null,
        note: "use another branch",
        answer: answerHash(answer),
        ran: false,
      });
      expect(isReceiptVerified(written, request)).toBe(true);
      expect(isReceiptVerified(written, { ...other, id: request.id })).toBe(false);
      expect(isReceiptVerified({ ...written, decision: "approve" }, request)).toBe(false);
    });

    it("keeps in the receipt what an approval allows and that its effect is not known yet", () => {
      const request = file();
      face.answer(answerTo(request));
      settle(request, "answered", takenOf(answerTo(request)), null);
      expect(face.receipt(request.id)).toMatchObject({ decision: "approve", scope: "once", ran: null });
    });

    it("keeps in the receipt why the server ended the wait", () => {
      const request = file();
      settle(request, "timed_out", asker.withdraw(request.id, "timed_out", "nobody answered"), false);
      expect(face.receipt(request.id)).toMatchObject({
        outcome: "timed_out",
        via: "server",
        decision: "timed_out",
        note: "nobody answered",
      });
    });

    it("writes a receipt for a request that ended without any answer", () => {
      const request = file();
      settle(request, "failed", null, false);
      expect(face.receipt(request.id)).toMatchObject({ via: null, decision: null, answer: null });
    });

    it("clears the request and its slot away, and leaves the others waiting", () => {
      const [request, other] = [file(), file()];
      face.answer(answerTo(request));
      settle(request, "answered", takenOf(answerTo(request)), null);
      expect(face.pending().requests).toEqual([other]);
      expect(face.slot(request.id)).toEqual({ kind: "free" });
      expect(asker.take(request.id)).toBeNull();
      face.answer(answerTo(other));
      expect(asker.take(other.id)).toEqual(news(answerTo(other)));
    });

    it("lets no late answer win: the receipt names the one that was taken, and the late one is taken back", () => {
      const request = file();
      face.answer(denialOf(request));
      settle(request, "answered", takenOf(denialOf(request)), false);
      const late = answerTo(request);
      face.answer(late);
      expect(asker.take(request.id)).toBeNull();
      expect(face.receipt(request.id)?.answer).toBe(answerHash(denialOf(request)));
      face.retract(late);
      expect(face.slot(request.id)).toEqual({ kind: "free" });
    });

    it("takes nothing back but the very answer that was published", () => {
      const request = file();
      face.answer(denialOf(request));
      face.retract(answerTo(request));
      expect(asker.take(request.id)).toEqual(news(denialOf(request)));
    });

    it("has no receipt of what waits or was never asked", () => {
      const request = file();
      expect(face.receipt(request.id)).toBeNull();
      expect(face.receipt("zzzzzzzz")).toBeNull();
    });

    function settle(request: Request, outcome: Ending["outcome"], taken: Taken | null, ran: boolean | null) {
      return asker.settle(request.id, { outcome, taken, ran });
    }
  });
}

export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function takenOf(answer: Answer): Taken {
  const isServersOwn = answer.via === "server" || answer.via === "elicitation";
  return { answer, hash: answerHash(answer), testimony: isServersOwn ? null : atTerminal };
}

export function news(answer: Answer): News {
  return { kind: "answer", taken: takenOf(answer) };
}

/** The request with other words in it, consistent in itself. */
export function rebound(request: Request): Request {
  const { binding: _binding, ...altered } = { ...request, says: sha256Hex(request.id) };
  return { ...altered, binding: bindingOf(altered) } as Request;
}
