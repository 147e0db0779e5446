/** What a person is told in passing. */
import { hasText, type Model, type Noted, type OpenCard, type ShownForm, type Topic } from "./model.js";

/** No more are kept than can be shown. */
const mostNotices = 3;
/** After this long one is old news; what was about a key is old sooner. */
const lifetimesMs: Record<Topic, number> = {
  news: 30_000,
  arrivals: 30_000,
  vanished: 30_000,
  hint: 5_000,
};

/** With a line of news. `text` is safe to print. */
export function noted(model: Model, text: string, at: number): Model {
  return withNotice(model, { text, isWarning: false, topic: "news", at });
}

/** With a line of news that must not be overlooked. `text` is safe to print. */
export function warned(model: Model, text: string, at: number): Model {
  return withNotice(model, { text, isWarning: true, topic: "news", at });
}

/** With what there is to say to what the person just did. `text` is safe to print. */
export function advised(model: Model, text: string, at: number): Model {
  return withNotice(model, { text, isWarning: false, topic: "hint", at });
}

/** The same where it did not do what they may have wanted. */
export function hinted(model: Model, text: string, at: number): Model {
  return withNotice(model, { text, isWarning: true, topic: "hint", at });
}

/** With what has arrived by now, in the place of what had arrived before. */
export function withArrivals(model: Model, text: string, at: number): Model {
  const notices = model.notices.filter(({ topic }) => topic !== "arrivals");
  return withNotice({ ...model, notices }, { text, isWarning: false, topic: "arrivals", at });
}

/** With one request more that went from the queue because its server died: one notice for all of them. */
export function withVanished(model: Model, at: number): Model {
  const told = model.notices.find(({ topic }) => topic === "vanished");
  const notices = model.notices.filter((one) => one !== told);
  const count = (told?.count ?? 0) + 1;
  const text = vanishedText(count, model.isLinear);
  return withNotice({ ...model, notices }, { text, isWarning: true, topic: "vanished", at, count });
}

function vanishedText(count: number, isLinear: boolean): string {
  const ended =
    count === 1
      ? "1 request ended because its server died; nothing came of it."
      : `${count.toLocaleString("en-US")} requests ended because their server died; nothing came of them.`;
  return `${ended} ${isLinear ? "history tells" : "h shows"} which.`;
}

/** Without what is old news at `at`. The same model where nothing is. */
export function withoutOld(model: Model, at: number): Model {
  return keeping(model, (one) => at - one.at < lifetimesMs[one.topic]);
}

/** `after` without what was said `before` and is about nothing any more. */
export function withoutStale(before: Model, after: Model): Model {
  const isOther = isElsewhere(before, after);
  const isTyping = hasText(after);
  return keeping(after, (one) => {
    if (one.topic === "arrivals") return isTyping;
    return one.topic !== "hint" || !isOther || !before.notices.includes(one);
  });
}

/** Is another card open, is more of it read or answered, or is nothing typed any more? */
function isElsewhere(before: Model, after: Model): boolean {
  const [one, other] = [before.card, after.card];
  return (
    one?.entry.key !== other?.entry.key ||
    isReadOn(one, other) ||
    isOtherForm(one?.form ?? null, other?.form ?? null) ||
    after.sent.size > before.sent.size ||
    (before.prompt !== null && after.prompt === null) ||
    (before.box !== null && after.box === null)
  );
}

/** Is another rule shown, none any more, or the rest of it? */
function isOtherForm(before: ShownForm | null, after: ShownForm | null): boolean {
  return before?.index !== after?.index || (before?.isSeen === false && after?.isSeen === true);
}

/** What is seen at the first look was not read on. */
function isReadOn(before: OpenCard | null, after: OpenCard | null): boolean {
  if (before === null || after === null || before.view === null) return false;
  return (!before.isSeen && after.isSeen) || (!before.isSessionSeen && after.isSessionSeen);
}

function keeping(model: Model, isKept: (one: Noted) => boolean): Model {
  const notices = model.notices.filter(isKept);
  return notices.length === model.notices.length ? model : { ...model, notices };
}

/** What was said last is not said twice in a row: it only becomes new again. */
function withNotice(model: Model, notice: Noted): Model {
  const { notices } = model;
  const others = notices.at(-1)?.text === notice.text ? notices.slice(0, -1) : notices;
  return { ...model, notices: [...others, notice].slice(-mostNotices) };
}
