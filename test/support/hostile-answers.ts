/** Contents of a slot that may never decide a request, each with the rule it breaks. */
import type { Answer } from "../../src/broker/request/answer.js";
import type { Request } from "../../src/broker/request/request.js";
import { answerTo } from "./builders.js";

const encoder = new TextEncoder();

interface HostileAnswer {
  readonly breaks: string;
  readonly content: (request: Request) => Uint8Array;
}

/** Well-formed answers that do not fit an approval with the scope `once`. */
const misfits: readonly { readonly breaks: string; readonly answer: (request: Request) => Answer }[] = [
  { breaks: "its binding", answer: (request) => answerTo(request, { binding: "0".repeat(64) }) },
  { breaks: "its id", answer: (request) => answerTo(request, { id: "zzzzzzzz" }) },
  { breaks: "the kind of the request", answer: (request) => answerTo(request, { decision: "keep" }) },
  { breaks: "the scopes offered", answer: (request) => answerTo(request, { scope: "always" }) },
  { breaks: "the need for a scope", answer: (request) => answerTo(request, { scope: null }) },
  { breaks: "a no without a scope", answer: (request) => answerTo(request, { decision: "deny" }) },
  { breaks: "an approval without values", answer: (request) => answerTo(request, { values: ["yes"] }) },
  {
    breaks: "the server's own voice",
    answer: (request) => answerTo(request, { decision: "withdrawn", scope: null, via: "server" }),
  },
  {
    breaks: "a server decision given by a face",
    answer: (request) => answerTo(request, { decision: "timed_out", scope: null }),
  },
  { breaks: "a person's decision by a server", answer: (request) => answerTo(request, { via: "server" }) },
  { breaks: "the dialog's own voice", answer: (request) => answerTo(request, { via: "elicitation" }) },
];

const malformed: readonly { readonly breaks: string; readonly text: (good: string) => string }[] = [
  { breaks: "emptiness", text: () => "" },
  { breaks: "JSON", text: (good) => good.slice(0, -1) },
  { breaks: "being one object", text: (good) => `[${good}]` },
  { breaks: "the closed list of keys", text: (good) => good.replace("{", '{"more":1,') },
  { breaks: "single keys", text: (good) => good.replace("{", '{"decision":"deny",') },
  { breaks: "the format version", text: (good) => good.replace('"v":1', '"v":2') },
  { breaks: "the absence of a byte order mark", text: (good) => `\ufeff${good}` },
  { breaks: "the absence of __proto__", text: (good) => good.replace("{", '{"__proto__":{},') },
  { breaks: "the depth", text: (good) => good.replace("{", `{"text":${"[".repeat(40)}${"]".repeat(40)},`) },
  { breaks: "the absence of NUL", text: (good) => good.replace("{", '{"note":"a\\u0000b",') },
  { breaks: "whole Unicode", text: (good) => good.replace("{", '{"note":"\\ud800",') },
  { breaks: "the size", text: (good) => `${good}${" ".repeat(64 * 1024)}` },
  { breaks: "a known decision", text: (good) => good.replace('"approve"', '"allow"') },
];

export const hostileAnswers: readonly HostileAnswer[] = [
  ...misfits.map(({ breaks, answer }) => ({
    breaks,
    content: (request: Request) => encoder.encode(JSON.stringify(answer(request))),
  })),
  ...malformed.map(({ breaks, text }) => ({
    breaks,
    content: (request: Request) => encoder.encode(text(JSON.stringify(answerTo(request)))),
  })),
  {
    breaks: "UTF-8",
    content: (request) => {
      const bytes = encoder.encode(JSON.stringify(answerTo(request, { note: "x" })));
      bytes[bytes.lastIndexOf("x".charCodeAt(0))] = 0xff;
      return bytes;
    },
  },
];
