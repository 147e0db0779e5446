/** A request that waits in a home of its own, for tests of what faces do with it. */
import { expect } from "vitest";
import type { DirectoryChannel } from "../../src/broker/channel/directory.js";
import type { Home } from "../../src/broker/channel/home.js";
import type { Answer } from "../../src/broker/request/answer.js";
import type { Witness } from "../../src/broker/request/assurance.js";
import type { ApprovalRequest, Draft, Request } from "../../src/broker/request/request.js";
import { settleAnswers } from "./answering.js";
import { approvalDraft, commandSubject } from "./builders.js";
import { openAsker, openFace, tempHome } from "./temp-home.js";
import { takesAll } from "./witnesses.js";

export type Overrides = Parameters<typeof approvalDraft>[0];

export interface Filed {
  readonly home: Home;
  readonly request: ApprovalRequest;
  /** The channel of the server that asks. */
  readonly channel: DirectoryChannel;
}

/** A request whose server takes answers as they come; all of them, unless another `witness` is given. */
export function filed(
  overrides: Overrides = {},
  longTexts: readonly string[] = [],
  witness: Witness = takesAll,
): Filed {
  const waiting = filedOnly(overrides, longTexts, witness);
  settleAnswers(waiting.channel);
  return waiting;
}

/** A request whose server reads no answer. */
export function filedOnly(
  overrides: Overrides = {},
  longTexts: readonly string[] = [],
  witness: Witness = takesAll,
): Filed {
  const home = tempHome();
  const { channel } = openAsker(home, { witness });
  return { home, channel, request: channel.file(approvalDraft(overrides), longTexts) as ApprovalRequest };
}

/** A request of any kind, whose server takes answers as they come unless it `isSilent`. */
export function filedDraft(draft: Draft, isSilent = false): FiledDraft {
  const home = tempHome();
  const { channel } = openAsker(home, { witness: takesAll });
  const request = channel.file(draft, []);
  if (!isSilent) settleAnswers(channel);
  return { home, channel, request };
}

/** As `Filed`, for any kind. */
export interface FiledDraft extends Omit<Filed, "request"> {
  readonly request: Request;
}

/** What overrides a draft so that bash runs `line`. */
export function lineOf(line: string): Overrides {
  return { subject: commandSubject({ line, command: line, argv: null }) };
}

/** For `expect.poll`, which by itself gives up after a second: success has as long as the test around it. */
export const long = { timeout: 15_000 };

/** The answer that a verb has put into the slot, once it is there. */
export async function answerIn(home: Home, request: Request): Promise<Answer> {
  const face = openFace(home);
  await expect.poll(() => face.slot(request.id).kind, long).toBe("answer");
  const slot = face.slot(request.id);
  if (slot.kind !== "answer") throw new Error("The answer is gone.");
  return slot.answer;
}

/** Does exactly one request wait? */
export function isWaiting(home: Home): boolean {
  return openFace(home).pending().requests.length === 1;
}
