/**
 * What the dialogs of both eras have to know of a kind of request: its form, and what a reply to that means. The
 * protocol's own words around a reply are read here, for every kind.
 */
import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Askable, DialogAnswer } from "../../broker/index.js";
import type { Elsewhere } from "./elsewhere.js";

/** The fields of a form, as the revisions of 2025 spell them. */
export type RequestedSchema = ElicitRequestFormParams["requestedSchema"];

/** What goes to the client: a text, and the fields below it. */
export interface Form {
  readonly message: string;
  readonly requestedSchema: RequestedSchema;
}

/** What a form says that does not stand in the request, and how the client wants it spelled. */
export interface FormFacts {
  /** The home, where it is not the default: the person must know which directory a terminal has to look into. */
  readonly home: string | null;
  readonly elsewhere: Elsewhere;
  /** 2025-06-18 knows titled options only as `enum` with `enumNames`; later revisions as `oneOf`, and several of them. */
  readonly titles: "enumNames" | "oneOf";
}

/** One of several that can be chosen. */
export interface Titled {
  readonly const: string;
  readonly title: string;
}

/** One of `options`, as the client wants them spelled. */
export function oneOf(options: readonly Titled[], titles: FormFacts["titles"]) {
  return titles === "oneOf"
    ? { oneOf: [...options] }
    : { enum: options.map((option) => option.const), enumNames: options.map((option) => option.title) };
}

/** What a dialog offers that cannot show all of its request. */
export function inWisp(answering: string): Titled {
  return { const: "answer_in_wisp", title: `Answer in wisp: ${answering}` };
}

/** Was that chosen, and nothing beside it? */
export function isInWisp(content: unknown): boolean {
  return choiceOfWisp.safeParse(content).success;
}

const choiceOfWisp = z.strictObject({ decision: z.literal("answer_in_wisp") });

/** How sure it will be that a person gave `what`, said before it is given. */
export function countsAs(what: string, isHere: boolean, isTerminal: boolean): string {
  const here = isHere ? ["in this dialog counts as: dialog"] : [];
  const there = isTerminal ? ["in a terminal counts as: terminal"] : [];
  return `${what} ${[...here, ...there].join("; one ")}.`;
}

/** How one kind of request is asked in a dialog. */
export interface DialogKind<Asked extends Askable> {
  /** The form; or, in a sentence that is safe to show, why this dialog cannot ask it. */
  form(request: Asked, facts: FormFacts): Form | string;
  /** What the client's reply to that form means, whatever it looks like. */
  read(request: Asked, reply: unknown): DialogAnswer;
  /** The no in a reply, whatever the form showed; null where there is none. */
  noIn(reply: unknown): No | null;
}

/** The option that says no, or the protocol's word for it. */
export type No = Extract<DialogAnswer["kind"], "deny" | "decline">;

const replyShape = z.looseObject({
  action: z.enum(["accept", "decline", "cancel"]),
  content: z.unknown().optional(),
});

/** What came where something else was asked for. */
export const notTheForm: DialogAnswer = { kind: "invalid", why: "the answer does not fit the form" };

/** What `reply` means; `readForm` reads what was filled in. */
export function readReply(reply: unknown, readForm: (content: unknown) => DialogAnswer): DialogAnswer {
  const parsed = replyShape.safeParse(reply);
  if (!parsed.success) return { kind: "invalid", why: "the client's answer is no answer to a form" };
  const { action, content } = parsed.data;
  switch (action) {
    case "accept":
      return readForm(content);
    case "decline":
      return { kind: "decline" };
    case "cancel":
      return { kind: "dismissed" };
    default:
      return action satisfies never;
  }
}

/** The no in `reply`; `isNo` says whether what was filled in is one. */
export function noInReply(reply: unknown, isNo: (content: unknown) => boolean): No | null {
  const parsed = replyShape.safeParse(reply);
  if (!parsed.success) return null;
  const { action, content } = parsed.data;
  if (action === "decline") return "decline";
  return action === "accept" && isNo(content) ? "deny" : null;
}
