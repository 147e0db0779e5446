/** What every `Channel` keeps about the process behind an answer: who is looked at, and what follows from it. */
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { Channel, RefusedAnswer } from "../../src/broker/channel/channel.js";
import { type Answer, answerFileName } from "../../src/broker/request/answer.js";
import { type Shortfall, shortfalls, type Witness } from "../../src/broker/request/assurance.js";
import { isReceiptVerified } from "../../src/broker/request/binding.js";
import { type Request, requestFileName } from "../../src/broker/request/request.js";
import { answerTo, approvalDraft, denialOf } from "./builders.js";
import { hostileAnswers } from "./hostile-answers.js";
import { factDraft, questionDraft } from "./request-kinds.js";
import { encode, rebound } from "./slot-contract.js";
import { atTerminal, finds, takesAll } from "./witnesses.js";

/** A witness whose findings the test chooses, and which remembers what it was asked. */
export interface WatchedWitness {
  readonly witness: Witness;
  readonly asked: readonly { readonly answer: Answer; readonly request: Request }[];
  finds: Witness;
}

/** Finds every answer to come from a person at a terminal until it is told otherwise. */
export function watchedWitness(): WatchedWitness {
  const asked: { answer: Answer; request: Request }[] = [];
  const watched: WatchedWitness = {
    witness(answer, request) {
      asked.push({ answer, request });
      return watched.finds(answer, request);
    },
    asked,
    finds: takesAll,
  };
  return watched;
}

interface WitnessHarness {
  readonly asker: Channel;
  readonly face: Channel;
  readonly refused: readonly RefusedAnswer[];
  readonly watched: WatchedWitness;
  plant(name: string, content: Uint8Array): void;
}

/** Called inside `describeChannel`; the harness is made anew for each test. */
export function describeWitness(current: () => WitnessHarness): void {
  let asker: Channel;
  let face: Channel;
  let refused: readonly RefusedAnswer[];
  let watched: WatchedWitness;

  beforeEach(() => {
    ({ asker, face, refused, watched } = current());
  });

  const file = (): Request => asker.file(approvalDraft(), []);

  function expectTaken(request: Request, answer: Answer): void {
    expect(face.answer(answer)).toBe(true);
    expect(asker.take(request.id)).toMatchObject({ kind: "answer", taken: { answer } });
  }

  describe("the process behind an answer", () => {
    it.each(shortfalls)(
      "that falls short (%s) gives no yes: it is moved away and the next decides",
      (shortfall) => {
        const request = file();
        const yes = answerTo(request);
        watched.finds = finds(shortfall);
        expect(face.answer(yes)).toBe(true);
        expect(asker.take(request.id)).toBeNull();
        expect(refused).toEqual([
          {
            id: request.id,
            reason: `assurance_insufficient: ${shortfall}`,
            movedTo: expect.stringContaining(request.id),
            testimony: finds(shortfall)(yes, request),
          },
        ]);
        expect([face.slot(request.id), face.receipt(request.id)]).toEqual([{ kind: "free" }, null]);
        expect(face.pending().requests).toEqual([request]);
        expect(asker.take(request.id)).toBeNull();
        expect(refused).toHaveLength(1);
        watched.finds = takesAll;
        expectTaken(request, answerTo(request, { note: "from a terminal" }));
      },
    );

    it.each(shortfalls)("that falls short (%s) still gives every no", (shortfall) => {
      watched.finds = finds(shortfall);
      const [approval, fact, question] = [
        file(),
        asker.file(factDraft(), []),
        asker.file(questionDraft(), []),
      ];
      const noes: readonly [Request, Answer][] = [
        [approval, denialOf(approval, "no")],
        [fact, answerTo(fact, { decision: "drop", scope: null })],
        [question, answerTo(question, { decision: "decline", scope: null })],
      ];
      for (const [request, no] of noes) {
        expectTaken(request, no);
        expect(face.refusal(no)).toBeNull();
      }
      expect(refused).toEqual([]);
    });

    it.each<[string, () => [Request, Partial<Answer>]]>([
      ["a fact", () => [asker.file(factDraft(), []), { decision: "keep" }]],
      ["a question", () => [asker.file(questionDraft(), []), { decision: "answer", values: ["pg"] }]],
    ])("decides what is allowed of %s, too", (_kind, ask) => {
      const [request, words] = ask();
      const answer = answerTo(request, { scope: null, ...words });
      watched.finds = finds("no_terminal");
      face.answer(answer);
      expect(asker.take(request.id)).toBeNull();
      watched.finds = takesAll;
      expectTaken(request, answer);
    });

    it("of answers given one after another the first that is enough, or a no, decides", () => {
      const given = fc.record({
        isNo: fc.boolean(),
        shortfall: fc.option(fc.constantFrom(...shortfalls), { nil: null, freq: 1 }),
      });
      const all = fc.array(given, { minLength: 1, maxLength: 6 });
      fc.assert(
        fc.property(all, (tries) => {
          const request = file();
          const before = refused.length;
          const isEnough = tries.map(({ isNo, shortfall }) => isNo || shortfall === null);
          const first = isEnough.indexOf(true);
          for (const [index, { isNo, shortfall }] of tries.entries()) {
            watched.finds = shortfall === null ? takesAll : finds(shortfall);
            const note = `${index}`;
            const answer = isNo ? denialOf(request, note) : answerTo(request, { note });
            expect(face.answer(answer)).toBe(true);
            const news = asker.take(request.id);
            if (index === first) {
              expect(news).toMatchObject({ kind: "answer", taken: { answer } });
              break;
            }
            expect([news, face.refusal(answer)]).toEqual([null, shortfall]);
          }
          expect(refused.length - before).toBe(first === -1 ? tries.length : first);
          asker.withdraw(request.id, "withdrawn", null);
          asker.settle(request.id, { outcome: "withdrawn", taken: null, ran: false });
        }),
        { numRuns: 25 },
      );
    });

    it("is looked at for each answer, also the very same one, and with the request as it was filed", () => {
      const request = file();
      const [one, other] = [answerTo(request), answerTo(request, { note: "again" })];
      watched.finds = finds("process_gone");
      for (const answer of [one, other, one]) {
        face.answer(answer);
        expect(asker.take(request.id)).toBeNull();
      }
      watched.finds = takesAll;
      expectTaken(request, one);
      expect(watched.asked).toEqual([one, other, one, one].map((answer) => ({ answer, request })));
    });

    it("is judged by what was filed, not by what the file says now", () => {
      const request = file();
      current().plant(requestFileName(request), encode(JSON.stringify(rebound(request))));
      expectTaken(request, answerTo(request));
      expect(watched.asked.map(({ request: seen }) => seen)).toEqual([request]);
    });

    it.each(hostileAnswers)(
      "is not looked at for what breaks $breaks, and refuses nothing",
      ({ content }) => {
        const request = file();
        watched.finds = finds("no_terminal");
        current().plant(answerFileName(request.id), content(request));
        expect(asker.take(request.id)).toBeNull();
        expect([watched.asked, refused.map(({ testimony }) => testimony)]).toEqual([[], [null]]);
        watched.finds = takesAll;
        expectTaken(request, answerTo(request));
        expect(watched.asked).toHaveLength(1);
      },
    );

    it("is not looked at where the process that asked speaks itself, or for its client's dialog", () => {
      watched.finds = finds("within_client");
      const [shown, left] = [file(), file()];
      const said = answerTo(shown, { via: "elicitation" });
      asker.answer(said);
      expect(asker.take(shown.id)).toMatchObject({ taken: { answer: said, testimony: null } });
      expect(asker.withdraw(left.id, "timed_out", null).testimony).toBeNull();
      expect(asker.take(left.id)).toMatchObject({
        taken: { answer: { decision: "timed_out" }, testimony: null },
      });
      expect([watched.asked, refused]).toEqual([[], []]);
    });

    it("keeps neither the dialog nor the server's own decision from deciding after it fell short", () => {
      watched.finds = finds("no_terminal");
      const [shown, left] = [file(), file()];
      for (const request of [shown, left]) face.answer(answerTo(request));
      expect(asker.take(shown.id)).toBeNull();
      const said = answerTo(shown, { via: "elicitation" });
      expect(asker.answer(said)).toBe(true);
      expect(asker.take(shown.id)).toMatchObject({ taken: { answer: said } });
      expect(asker.withdraw(left.id, "timed_out", null).answer.decision).toBe("timed_out");
      expect(refused.map(({ id }) => id)).toEqual([shown.id, left.id]);
    });
  });

  describe("what was seen of it", () => {
    it("stands in the receipt, under its proof, for a yes and for a no", () => {
      for (const answer of [(one: Request) => answerTo(one), (one: Request) => denialOf(one)]) {
        const request = file();
        watched.finds = answer(request).decision === "deny" ? finds("no_terminal") : takesAll;
        const { verified } = watched.finds(answer(request), request);
        face.answer(answer(request));
        const news = asker.take(request.id);
        if (news?.kind !== "answer") throw new Error("It was not taken.");
        const receipt = asker.settle(request.id, { outcome: "answered", taken: news.taken, ran: null });
        expect(face.receipt(request.id)?.verified).toEqual(verified);
        expect(isReceiptVerified(receipt, request)).toBe(true);
        const better = { terminal: true, ancestry: true, signed: true };
        expect(isReceiptVerified({ ...receipt, verified: better }, request)).toBe(false);
      }
    });

    it("is null in the receipt of what the process that asked decided itself", () => {
      const request = file();
      const taken = asker.withdraw(request.id, "timed_out", null);
      asker.settle(request.id, { outcome: "timed_out", taken, ran: false });
      expect(face.receipt(request.id)?.verified).toBeNull();
    });

    it("is told to the face that gave that very answer, and of no other", () => {
      const request = file();
      const [mine, next] = [answerTo(request), answerTo(request, { note: "again" })];
      expect(face.refusal(mine)).toBeNull();
      refuse(request, mine, "no_terminal");
      refuse(request, next, "within_client");
      expect([face.refusal(mine), face.refusal(next)]).toEqual(["no_terminal", "within_client"]);
      for (const other of [answerTo(request, { note: "x" }), answerTo(file()), denialOf(request)]) {
        expect(face.refusal(other)).toBeNull();
      }
      watched.finds = () => atTerminal;
      const good = answerTo(request, { note: "good" });
      expectTaken(request, good);
      expect(face.refusal(good)).toBeNull();
    });

    it("can be read as soon as the answer is out of its slot", () => {
      const request = file();
      const yes = answerTo(request);
      const told: (Shortfall | null)[] = [];
      watched.finds = finds("terminal_held");
      face.answer(yes);
      const stop = face.changes(() => {
        if (face.slot(request.id).kind === "free") told.push(face.refusal(yes));
      });
      asker.take(request.id);
      stop();
      expect(new Set([...told, face.refusal(yes)])).toEqual(new Set(["terminal_held"]));
    });

    function refuse(request: Request, answer: Answer, shortfall: Shortfall): void {
      watched.finds = finds(shortfall);
      face.answer(answer);
      expect(asker.take(request.id)).toBeNull();
    }
  });
}
