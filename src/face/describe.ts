/** A request in few words, each safe to print. */
import {
  callLine,
  type QuestionContent,
  type Request,
  type Subject,
  shownText,
  type Text,
} from "../broker/index.js";

/** One line: what runs, what would be kept, or what is asked. */
export function summaryOf(request: Request): string {
  switch (request.kind) {
    case "approval":
      return subjectSummary(request.subject);
    case "fact": {
      const { subject, name, value } = request.fact;
      return shownText(`${subject} · ${name}: ${value}`);
    }
    case "question":
      return shownText(request.question.text);
    default:
      return request satisfies never;
  }
}

/** The same without the value of a fact, for whoever has read that. */
export function titleOf(request: Request): string {
  if (request.kind !== "fact") return summaryOf(request);
  return shownText(`${request.fact.subject} · ${request.fact.name}`);
}

/** What was answered to a question, as it was offered: labels, or the text; raw. */
export function contentText(request: Request, { values, text }: QuestionContent): string {
  if (values === null) return text;
  const options = request.kind === "question" ? request.question.options : null;
  return values.map((value) => options?.find((one) => one.value === value)?.label ?? value).join(", ");
}

/** Who asks, as the client calls itself: `claude-code`, and what it gave as its thread. */
export function askerOf(request: Request): { readonly client: string; readonly thread: string | null } {
  return {
    client: shownText(request.client?.name ?? request.caller),
    thread: request.thread === null ? null : shownText(request.thread),
  };
}

/** `for claude-code, thread git` */
export function forWhom(request: Request): string {
  const { client, thread } = askerOf(request);
  return `for ${client}${thread === null ? "" : `, thread ${thread}`}`;
}

/** Whole seconds since it was filed. */
export function ageSecondsOf(request: Request, now: number): number {
  // Wall time: a clock set back must not show a negative age.
  return Math.max(0, Math.floor((now - request.createdAt) / 1_000));
}

/** `9:41`, `2:05:00`, `6 d 23 h`, `30 d`; never negative. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole >= 2 * secondsOfDay) return daysText(whole);
  const parts = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const [hours = 0, minutes = 0, rest = 0] = parts;
  const tail = String(rest).padStart(2, "0");
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${String(minutes).padStart(2, "0")}:${tail}`;
}

/** Of ten days and more the hours matter to nobody, and have no room in a column of eight characters. */
function daysText(seconds: number): string {
  const days = Math.floor(seconds / secondsOfDay);
  const hours = Math.floor((seconds % secondsOfDay) / 3_600);
  return days >= 10 || hours === 0 ? `${days} d` : `${days} d ${hours} h`;
}

const secondsOfDay = 86_400;

function subjectSummary(subject: Subject): string {
  switch (subject.type) {
    case "command":
      return textSummary(subject.line);
    case "tool":
      return shownText(callLine(subject));
    case "permission":
      return shownText(subject.tool);
    default:
      return subject satisfies never;
  }
}

function textSummary(text: Text): string {
  return typeof text === "string" ? shownText(text) : `${shownText(text.head)} … (${text.bytes} bytes)`;
}
