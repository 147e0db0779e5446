/** Facts and questions of a server of this process, for the full-screen face as it was built. */
import type { Home } from "../../src/broker/channel/home.js";
import type { Answer } from "../../src/broker/request/answer.js";
import type { Draft, Request } from "../../src/broker/request/request.js";
import { systemClock } from "../../src/broker/system/clock.js";
import { openAsker, tempHome } from "./temp-home.js";
import { pressUntil, type Tui } from "./tui.js";

export interface Asked {
  readonly home: Home;
  readonly requests: readonly Request[];
  /** What was decided so far, in the order in which it came. */
  readonly answers: readonly Pick<Answer, "id" | "decision" | "scope" | "note" | "values" | "text">[];
  /** Files one more: after the answer before it came, so that no key that was pressed for that one decides this one. */
  files(draft: Draft): Request;
}

/** Requests of this process, the oldest first; it takes every answer, and settles it. */
export function ask(...drafts: readonly Draft[]): Asked {
  return askIn(tempHome(), ...drafts);
}

/** The same in a home that is there. */
export function askIn(home: Home, ...drafts: readonly Draft[]): Asked {
  let filedAt = 0;
  // What is filed first stands first, also where several are filed within a millisecond.
  const now = (): number => {
    filedAt = Math.max(filedAt + 1, Date.now());
    return filedAt;
  };
  const { channel } = openAsker(home, { clock: { ...systemClock, now } });
  const answers: Answer[] = [];
  channel.changes((id) => {
    const news = id === null ? null : channel.take(id);
    if (id === null || news?.kind !== "answer") return;
    answers.push(news.taken.answer);
    channel.settle(id, { outcome: "answered", taken: news.taken, ran: null });
  });
  const expiresAt = Date.now() + 600_000;
  const files = (draft: Draft): Request => channel.file({ ...draft, expiresAt }, []);
  return { home, requests: drafts.map(files), answers, files };
}

/** Presses `key` until the `count`th answer has come. */
export async function answered(
  tui: Tui,
  key: string,
  answers: Asked["answers"],
  count: number,
): Promise<void> {
  await pressUntil(tui, key, () => answers.length >= count);
}
