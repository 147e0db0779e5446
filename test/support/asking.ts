/** An approver over fakes, with a face at the same place, and shorthands for what happens around an ask. */

import { type Approver, type Ask, Detach } from "../../src/broker/approval/approver.js";
import type { ApproverParts } from "../../src/broker/approval/create-approver.js";
import { createApprover } from "../../src/broker/approval/create-approver.js";
import { createDialogUse } from "../../src/broker/approval/dialog-use.js";
import { silentNotices } from "../../src/broker/approval/notices.js";
import type { Channel } from "../../src/broker/channel/channel.js";
import { answerFileName } from "../../src/broker/request/answer.js";
import type { Outcome } from "../../src/broker/request/outcome.js";
import type { Receipt } from "../../src/broker/request/receipt.js";
import type { ApprovalRequest, Request } from "../../src/broker/request/request.js";
import { approvalDraft, commandSubject, testServer } from "./builders.js";
import { FakeClock } from "./fake-clock.js";
import { FakeDialog } from "./fake-dialog.js";
import { RecordOf } from "./grants.js";
import { MemoryAuditLog } from "./memory-audit-log.js";
import { type MemoryPlace, memoryChannel, memoryPlace, plant } from "./memory-channel.js";
import { memoryGrants, Shelf } from "./memory-grants.js";
import { type LateShelf, memoryLateRequests } from "./memory-late.js";

export function anAsk(overrides: Partial<Ask> = {}): Ask {
  const { kind: _kind, expiresAt: _expiresAt, assurance: _assurance, ...asked } = approvalDraft();
  return {
    ...asked,
    remember: null,
    allowedBy: null,
    longTexts: [],
    bound: { role: "mcp", server: "wisp" },
    ...overrides,
  };
}

/** An ask that is like no other but one about the same branch. */
export function pushOf(branch: string): Pick<Ask, "subject"> {
  const argv = ["git", "push", "origin", branch];
  const line = argv.join(" ");
  return { subject: commandSubject({ argv, line, command: line }) };
}

/** Why the channel does not ask where there is none. */
export const switchedOff = "asking outside the client's dialog is switched off (approval.outOfBand)";

/** What outlives an approver: several processes share one, at the same time or one after the other. */
export interface World {
  readonly clock: FakeClock;
  readonly audit: MemoryAuditLog;
  readonly place: MemoryPlace;
  readonly shelf: Shelf;
  readonly late: LateShelf;
}

export function world(): World {
  return {
    clock: new FakeClock(),
    audit: new MemoryAuditLog(),
    place: memoryPlace(),
    shelf: new Shelf(),
    late: new Map(),
  };
}

/** What a new process keeps yeses and late requests in; `lateSeconds` is how long those may be answered. */
export function keepingIn(
  { clock, audit, shelf, late }: World,
  lateSeconds = 86_400,
): Pick<ApproverParts, "grants" | "late"> {
  return {
    grants: memoryGrants(shelf, new RecordOf(audit), clock),
    late: memoryLateRequests(late, clock, lateSeconds),
  };
}

export interface Asking {
  readonly approver: Approver;
  readonly clock: FakeClock;
  readonly audit: MemoryAuditLog;
  readonly place: MemoryPlace;
  /** A face's opening of the place. */
  readonly face: Channel;
  /** Starts an ask and waits until it asks, or ended. */
  ask(options?: AskOptions): Promise<Asked>;
  /** Starts an ask and returns at once. */
  start(options?: AskOptions): Asked;
}

export interface AskOptions {
  readonly ask?: Partial<Ask>;
  readonly dialog?: FakeDialog | null;
  readonly controller?: AbortController;
}

export interface Asked {
  readonly dialog: FakeDialog;
  readonly outcome: Promise<Outcome>;
  readonly controller: AbortController;
  /** The request that was asked about; throws before there is one. */
  readonly request: ApprovalRequest;
  /** The receipt of it, or null. */
  readonly receipt: Receipt | null;
  /** How it ended, or null while it waits. */
  readonly ended: Outcome | null;
}

/** `channel` wraps the approver's own channel; null leaves only the dialog. Nothing is kept unless the parts say so. */
export function asking(
  overrides: Partial<Omit<ApproverParts, "channel">> & {
    readonly channel?: ((own: Channel) => Channel) | null;
    readonly world?: World;
  } = {},
): Asking {
  const { channel = (own: Channel) => own, world: shared = world(), ...parts } = overrides;
  const { clock, audit, place } = shared;
  const face = memoryChannel(place, { clock });
  const approver = createApprover({
    channel: channel === null ? null : channel(memoryChannel(place, { clock })),
    audit,
    clock,
    server: testServer,
    version: "0.1.0",
    timeoutSeconds: 600,
    declineMemorySeconds: 60,
    unseenAnswerMs: 400,
    dialogCounts: () => true,
    dialogUse: createDialogUse(),
    grants: null,
    late: null,
    remembered: null,
    notices: silentNotices,
    ...parts,
  });

  function start({ ask, dialog = null, controller = new AbortController() }: AskOptions = {}): Asked {
    const asked: { request: ApprovalRequest | null; ended: Outcome | null } = { request: null, ended: null };
    const outcome = approver.ask(anAsk(ask), dialog, controller.signal, (request) => {
      asked.request = request;
    });
    // Whoever awaits `outcome` sees its rejection; this look at it must not be the one that goes unhandled.
    outcome.then(
      (ended) => {
        asked.ended = ended;
      },
      () => {},
    );
    return {
      dialog: dialog ?? new FakeDialog(),
      outcome,
      controller,
      get request() {
        if (asked.request === null) throw new Error("Nothing was asked yet.");
        return asked.request;
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
    approver,
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

/** The call ends alone. */
export function detach({ controller }: Pick<Asked, "controller">, why: Detach["why"] = "held"): void {
  controller.abort(new Detach(why));
}

/** Lets everything run that does not wait for time, a person or another process. */
export function calm(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Puts bytes into the slot of `request`, as no honest program would. */
export function plantAnswer(place: MemoryPlace, request: Pick<Request, "id">, content: string): void {
  plant(place, answerFileName(request.id), new TextEncoder().encode(content));
}
