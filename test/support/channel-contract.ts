/**
 * What every `Channel` keeps, whatever it is made of. A harness opens one place twice: for the process that asks
 * and for a face that answers. Everything is said in terms of the interface, but for what hostile processes do.
 * The rules about one slot stand in slot-contract.ts, those about who answered in witness-contract.ts.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Channel, News, RefusedAnswer } from "../../src/broker/channel/channel.js";
import { answerFileName } from "../../src/broker/request/answer.js";
import type { Witness } from "../../src/broker/request/assurance.js";
import { bindingOf } from "../../src/broker/request/binding.js";
import { isIdentifier } from "../../src/broker/request/identifier.js";
import { shortened } from "../../src/broker/request/long-text.js";
import { type Draft, type Request, requestFileName } from "../../src/broker/request/request.js";
import { answerTo, approvalDraft, commandSubject } from "./builders.js";
import { factDraft, questionDraft } from "./request-kinds.js";
import { describeSlot, encode, news, rebound } from "./slot-contract.js";
import { describeWitness, type WatchedWitness, watchedWitness } from "./witness-contract.js";

export interface ChannelHarness {
  /** The opening of the process that asks. */
  readonly asker: Channel;
  /** Another process's opening of the same place. */
  readonly face: Channel;
  /** What `asker` was told of answers that were not taken, oldest first. */
  readonly refused: readonly RefusedAnswer[];
  /** Puts `content` under the file name `name`, over whatever stands there, as no honest program would. */
  plant(name: string, content: Uint8Array): void;
  /** Deletes the file of request `id`, as another process might. */
  removeRequest(id: string): void;
  /** Closes both openings and removes the place. */
  close(): void | Promise<void>;
}

/** `witness` is what `asker` is to look at answers with. */
type MakeHarness = (witness: Witness) => ChannelHarness | Promise<ChannelHarness>;

export function describeChannel(name: string, makeHarness: MakeHarness): void {
  describe(`channel contract: ${name}`, () => {
    let harness: ChannelHarness;
    let watched: WatchedWitness;
    let asker: Channel;
    let face: Channel;

    beforeEach(async () => {
      watched = watchedWitness();
      harness = await makeHarness(watched.witness);
      ({ asker, face } = harness);
    });
    afterEach(() => harness.close());

    const file = (overrides: Parameters<typeof approvalDraft>[0] = {}): Request =>
      asker.file(approvalDraft(overrides), []);

    describeSlot(() => harness);
    describeWitness(() => ({ ...harness, watched }));

    describe("filing and listing", () => {
      it("files a request that every opening lists whole", () => {
        const request = file({ says: "why", thread: "git" });
        expect(request).toMatchObject({ ...approvalDraft({ says: "why", thread: "git" }), v: 1 });
        expect(face.pending()).toEqual({ requests: [request], newer: [], unreadable: [] });
        expect(asker.pending().requests).toEqual([request]);
      });

      it("binds everything that is shown and gives each request its own id, nonce and commitment", () => {
        const requests = [file(), file(), file()];
        for (const request of requests) {
          expect(bindingOf(request)).toBe(request.binding);
          expect(isIdentifier(request.id)).toBe(true);
        }
        for (const field of ["id", "nonce", "receiptCommit", "binding"] as const) {
          expect(new Set(requests.map((request) => request[field])).size).toBe(3);
        }
      });

      it("lists what waits oldest first", () => {
        const request = file();
        const older = rebound({ ...request, id: "abcdefgh", createdAt: request.createdAt - 2 });
        const old = rebound({ ...request, id: "zyxwvtsr", createdAt: request.createdAt - 1 });
        for (const one of [old, older]) harness.plant(requestFileName(one), encode(JSON.stringify(one)));
        expect(face.pending().requests).toEqual([older, old, request]);
      });

      it("files facts, questions and texts kept elsewhere like any other request", () => {
        const long = "x".repeat(20_000);
        const drafts: readonly [Draft, readonly string[]][] = [
          [factDraft(), []],
          [questionDraft(), []],
          [approvalDraft({ subject: commandSubject({ line: shortened(long) }) }), [long]],
        ];
        const filed = drafts.map(([draft, texts]) => asker.file(draft, texts));
        expect(new Set(face.pending().requests.map((request) => request.binding))).toEqual(
          new Set(filed.map((request) => request.binding)),
        );
      });

      it("says whether a request lies there until it is settled or removed, and never of a path", () => {
        const [first, second] = [file(), file()];
        expect(face.isThere(first.id)).toBe(true);
        asker.settle(first.id, { outcome: "withdrawn", taken: null, ran: false });
        expect(face.isThere(first.id)).toBe(false);
        harness.removeRequest(second.id);
        expect(asker.isThere(second.id)).toBe(false);
        for (const id of ["", "../x", "zzzzzzzz"]) expect(face.isThere(id)).toBe(false);
      });

      it("refuses a request that is too large, files nothing of it, and files the next one", () => {
        const reasons = Array.from({ length: 300 }, (_, index) => `${index}`.padEnd(1_000, "x"));
        expect(() => file({ reasons })).toThrow(expect.objectContaining({ code: "request_too_large" }));
        expect(face.pending()).toEqual({ requests: [], newer: [], unreadable: [] });
        const request = file();
        expect(face.pending().requests).toEqual([request]);
      });

      it("counts what is no request, and hides no request behind it", () => {
        const request = file();
        const copy = JSON.stringify(request);
        harness.plant("abcdefgh.request.json", encode("{"));
        harness.plant("bcdefghj.request.json", encode(copy));
        harness.plant("cdefghjk.fact.json", encode(copy));
        harness.plant("x.request.json", encode(copy));
        harness.plant("notes.txt", encode("not ours"));
        harness.plant("defghjkm.request.json", encode('{"v":2,"id":"defghjkm"}'));
        const listing = face.pending();
        expect(listing.requests).toEqual([request]);
        expect(listing.newer).toEqual(["defghjkm"]);
        // What was just written may still be half of something: a channel may wait before it calls that junk.
        const counted = listing.unreadable
          .map((junk) => junk.name)
          .filter((name) => !name.startsWith("abcd"));
        expect(counted.sort()).toEqual(["bcdefghj.request.json", "cdefghjk.fact.json", "x.request.json"]);
        expect(listing.unreadable.every((junk) => junk.reason.length > 0)).toBe(true);
      });
    });

    describe("noticing changes", () => {
      it("tells the process that asked of an answer", async () => {
        const request = file();
        const heard = newsOf(asker, request.id);
        face.answer(answerTo(request));
        await expect(heard).resolves.toEqual(news(answerTo(request)));
      });

      it("tells the process that asked of a removed request", async () => {
        const request = file();
        const heard = newsOf(asker, request.id);
        harness.removeRequest(request.id);
        await expect(heard).resolves.toMatchObject({ kind: "broken" });
      });

      it("hears of an answer that came after junk", async () => {
        const request = file();
        const heard = newsOf(asker, request.id);
        harness.plant(answerFileName(request.id), encode("{"));
        await until(face, () => face.slot(request.id).kind === "free");
        face.answer(answerTo(request));
        await expect(heard).resolves.toEqual(news(answerTo(request)));
      });

      it("tells a face of new requests and of receipts", async () => {
        const first = file();
        const listed = until(face, () => face.pending().requests.length === 2);
        const second = file();
        await listed;
        const settled = until(face, () => face.receipt(second.id) !== null);
        asker.settle(second.id, { outcome: "failed", taken: null, ran: false });
        await settled;
        expect(face.pending().requests).toEqual([first]);
      });

      it("tells a listener nothing after it was stopped", async () => {
        const request = file();
        let calls = 0;
        const stop = asker.changes(() => {
          calls += 1;
        });
        stop();
        stop();
        const before = calls;
        const heard = newsOf(asker, request.id);
        face.answer(answerTo(request));
        await heard;
        expect(calls).toBe(before);
      });
    });

    describe("closing", () => {
      it("of a face leaves what others asked waiting", () => {
        const request = file();
        face.close();
        expect(asker.pending().requests).toEqual([request]);
        const taken = asker.withdraw(request.id, "withdrawn", null);
        expect(asker.take(request.id)).toEqual({ kind: "answer", taken });
      });
    });
  });
}

/** Resolves when `holds` does, looked at now and after each change that `channel` tells of. */
function until(channel: Channel, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    let stop = (): void => {};
    const look = (): void => {
      if (!holds()) return;
      stop();
      resolve();
    };
    stop = channel.changes(look);
    look();
  });
}

async function newsOf(channel: Channel, id: string): Promise<News | null> {
  let found: News | null = null;
  await until(channel, () => {
    found ??= channel.take(id);
    return found !== null;
  });
  return found;
}
