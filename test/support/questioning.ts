/** A questioner over fakes, with a face at the same place, and shorthands for what happens around a question. */

import { expect } from "vitest";
import { createQuestioner, type QuestionerParts } from "../../src/broker/approval/create-questioner.js";
import { createDialogUse } from "../../src/broker/approval/dialog-use.js";
import { silentNotices } from "../../src/broker/approval/notices.js";
import type { QuestionAsk, QuestionEnd, Questioner } from "../../src/broker/approval/questioner.js";
import type { Channel } from "../../src/broker/channel/channel.js";
import type { Answer } from "../../src/broker/request/answer.js";
import type { Receipt } from "../../src/broker/request/receipt.js";
import type { QuestionRequest, Request } from "../../src/broker/request/request.js";
import { calm, detach, type World, world } from "./asking.js";
import { answerTo, testServer } from "./builders.js";
import type { FakeClock } from "./fake-clock.js";
import { FakeDialog } from "./fake-dialog.js";
import type { MemoryAuditLog } from "./memory-audit-log.js";
import { type MemoryPlace, memoryChannel } from "./memory-channel.js";
import { questionDraft } from "./request-kinds.js";

/** A dialog that shows questions. */
export class QuestionDialog extends FakeDialog<QuestionRequest> {}

/** Who asks, unless the ask says otherwise. */
export const questionClient = { name: "test-client", version: "1.0.0" };

/** An ask with options and a free text, unless it says otherwise. */
export function aQuestion(
  overrides: Partial<Omit<QuestionAsk, "question">> = {},
  question: Partial<QuestionAsk["question"]> = {},
): QuestionAsk {
  const { caller, thread } = questionDraft();
  const asked = questionDraft({}, { allowText: true, ...question }).question;
  return { question: asked, client: questionClient, caller, thread, ...overrides };
}

/** An answer from a face: a text, or values. */
export function replyTo(request: Pick<Request, "id" | "binding">, said: string | readonly string[]): Answer {
  const content = typeof said === "string" ? { text: said } : { values: [...said] };
  return answerTo(request, { decision: "answer", scope: null, ...content });
}

/** A person who does not want to answer, in a face. */
export function declineOf(request: Pick<Request, "id" | "binding">, note: string | null = null): Answer {
  return answerTo(request, { decision: "decline", scope: null, note });
}

export interface Questioning {
  readonly questioner: Questioner;
  readonly clock: FakeClock;
  readonly audit: MemoryAuditLog;
  readonly place: MemoryPlace;
  readonly face: Channel;
  /** Starts an ask and waits until it asks, or ended. */
  ask(options?: QuestionOptions): Promise<AskedQuestion>;
  /** Starts an ask and returns at once. */
  start(options?: QuestionOptions): AskedQuestion;
}

export interface QuestionOptions {
  readonly ask?: QuestionAsk;
  readonly dialog?: QuestionDialog | null;
  readonly controller?: AbortController;
  /** Called when it is asked, before anything else is. */
  readonly onAsked?: () => void;
}

export interface AskedQuestion {
  readonly dialog: QuestionDialog;
  readonly end: Promise<QuestionEnd>;
  readonly controller: AbortController;
  /** Throws before there is one. */
  readonly request: QuestionRequest;
  /** Did the call hear what is asked? */
  readonly hasHeard: boolean;
  readonly receipt: Receipt | null;
  /** How it ended, or null while it waits. */
  readonly ended: QuestionEnd | null;
}

/** `channel` wraps the questioner's own channel; null leaves only the dialog. */
export function questioning(
  overrides: Partial<Omit<QuestionerParts, "channel">> & {
    readonly channel?: ((own: Channel) => Channel) | null;
    readonly world?: World;
  } = {},
): Questioning {
  const { channel = (own: Channel) => own, world: shared = world(), ...parts } = overrides;
  const { clock, audit, place } = shared;
  const face = memoryChannel(place, { clock });
  const questioner = createQuestioner({
    channel: channel === null ? null : channel(memoryChannel(place, { clock })),
    audit,
    clock,
    server: testServer,
    version: "0.1.0",
    timeoutSeconds: 600,
    keepSeconds: 600,
    declineMemorySeconds: 60,
    unseenAnswerMs: 400,
    dialogCounts: () => true,
    dialogUse: createDialogUse(),
    notices: silentNotices,
    ...parts,
  });

  function start(options: QuestionOptions = {}): AskedQuestion {
    const { ask = aQuestion(), dialog = null, controller = new AbortController(), onAsked } = options;
    const asked: { request: QuestionRequest | null; ended: QuestionEnd | null } = {
      request: null,
      ended: null,
    };
    const end = questioner.ask(ask, dialog, controller.signal, (request) => {
      asked.request = request;
      onAsked?.();
    });
    // Whoever awaits `end` sees its rejection; this look at it must not be the one that goes unhandled.
    end.then(
      (ended) => {
        asked.ended = ended;
      },
      () => {},
    );
    return {
      dialog: dialog ?? new QuestionDialog(),
      end,
      controller,
      get request() {
        if (asked.request === null) throw new Error("Nothing was asked yet.");
        return asked.request;
      },
      get hasHeard() {
        return asked.request !== null;
      },
      get receipt() {
        return asked.request === null ? null : face.receipt(asked.request.id);
      },
      get ended() {
        return asked.ended;
      },
    };
  }

  return {
    questioner,
    clock,
    audit,
    place,
    face,
    start,
    async ask(options) {
      const asked = start(options);
      await calm();
      return asked;
    },
  };
}

/** A question that waits without a call. */
export async function detached(bench: Questioning, options: Parameters<Questioning["ask"]>[0] = {}) {
  const asked = await bench.ask(options);
  detach(asked);
  expect(await asked.end).toMatchObject({ name: "pending", request: asked.request.id });
  return asked;
}
