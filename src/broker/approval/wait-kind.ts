/** What the life of a request does not know of its kind: why a dialog is left out, what is filed, logged and told. */
import type { AuditEvent } from "../audit/audit-log.js";
import type { Assurance } from "../request/assurance.js";
import type { Draft, Request } from "../request/request.js";
import type { Alone } from "./call.js";
import type { Askable, Dialog } from "./dialog.js";

/** What every ask says of who asks. */
export interface AnyAsk {
  readonly client: Request["client"];
}

/** How a request was put before a person, or why it could not be. */
export interface Pending {
  readonly filed: boolean;
  /** Why nothing was filed. */
  readonly why: string | null;
  readonly dialog: boolean;
  /** Why no dialog is raised. */
  readonly noDialog: string | null;
  /** How long a banner leaves the dialog alone: 0 without one. Null where nothing waits. */
  readonly bannerDelaySeconds: number | null;
}

/** What is to be filed of an ask. */
export interface Drafted {
  readonly draft: Draft;
  /** The whole texts behind the stand-ins in `draft`. */
  readonly longTexts: readonly string[];
}

/** One for all waits of a kind. */
export interface WaitKind<Ask extends AnyAsk, Asked extends Askable, Told> {
  /** Why `dialog` is not raised, safe to show; null where it is. */
  readonly objection: (ask: Ask, dialog: Dialog<Asked> | null) => string | null;
  /** `assurance` is what a face's yes must come to, or all that the dialog's can. */
  readonly drafted: (ask: Ask, expiresAt: number | null, assurance: Assurance) => Drafted;
  /** Before there is a request: in which ways it is about to be asked. */
  readonly requested: (ask: Ask, ways: { channel: boolean; dialog: boolean }) => readonly AuditEvent[];
  /** Of a call that joins an identical one: `joins` is the request of that, null where it got none. */
  readonly joined: (ask: Ask, joins: string | null) => readonly AuditEvent[];
  /** `request` is null when no way could ask. */
  readonly pending: (request: Asked | null, how: Pending) => AuditEvent;
  /** Of a call that ends while its request waits on, or never was. */
  readonly ended: (ask: Ask, request: string | null, how: EndedAlone) => readonly AuditEvent[];
  /** What a call is told to which nobody said anything. */
  readonly told: (alone: Alone, at: { readonly request: string | null; readonly seconds: number }) => Told;
}

/** As the log has it. */
export interface EndedAlone {
  readonly name: Alone["name"] | "pending";
  readonly why: string | null;
  /** Since the call asked. */
  readonly seconds: number;
}
