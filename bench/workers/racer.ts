/**
 * One of many processes that answer the same request at the same instant. Tells whether its link came first, and
 * whose answer it then reads in the slot.
 */
import { type Answer, answerHash, DirectoryChannel, homeAt, systemClock } from "../../src/broker/index.js";
import { hear, tell, waitUntil, workerOptions } from "../support/worker.js";

export interface RacerOptions {
  readonly home: string;
}

export interface ToRacer {
  readonly answer: Answer;
  /** When to answer, as `nowUs`. */
  readonly at: number;
}

export interface FromRacer {
  readonly isFirst: boolean;
  /** The hash of the answer in the slot; null when none can be read. */
  readonly read: string | null;
}

const channel = new DirectoryChannel({
  home: homeAt(workerOptions<RacerOptions>().home, false),
  clock: systemClock,
  asker: null,
  onRefused: () => {},
});

hear<ToRacer>(({ answer, at }) => {
  waitUntil(at);
  const isFirst = channel.answer(answer);
  const slot = channel.slot(answer.id);
  tell({ isFirst, read: slot.kind === "answer" ? answerHash(slot.answer) : null } satisfies FromRacer);
});
tell({ ready: true });
