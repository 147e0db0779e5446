/** One entry of `when`, as it stands in a file. */
import { nearest } from "../request/nearest.js";
import { isSingular, parseArgumentPath } from "./argument-path.js";
import type { ArgumentTest, Condition } from "./condition.js";
import { linearExpressions } from "./engines.js";
import { type JsonNode, type Member, membersOf, plainValue } from "./jsonc.js";
import { type PathGlob, parsePathGlob } from "./path-glob.js";

type Complain = (node: JsonNode, what: string) => void;

const tests = ["glob", "equals", "matches", "countOver"];
const longestText = 1_024;
const mostCounted = 1_000_000;

/** Reads it; null where it is none, which was said. */
export function readCondition(node: JsonNode, complain: Complain): Condition | null {
  if (node.type !== "object") {
    complain(node, 'each of when is an object: {"arg": "$.path", "glob": "/srv/**"}');
    return null;
  }
  const members = membersOf(node);
  for (const { key, keyNode } of members) {
    if (key === "arg" || tests.includes(key)) continue;
    const meant = nearest(key, ["arg", ...tests]);
    complain(keyNode, `this is no key of when${meant === null ? "" : `; the nearest is ${meant}`}`);
  }
  const argument = members.find(({ key }) => key === "arg");
  const [test, second] = members.filter(({ key }) => tests.includes(key));
  if (test === undefined || second !== undefined) {
    complain(node, `each of when has exactly one of ${tests.join(", ")}`);
    return null;
  }
  if (argument === undefined || argument.value.type !== "string") {
    complain(argument?.value ?? node, "arg is the path of an argument: $.path");
    return null;
  }
  const path = parseArgumentPath(String(argument.value.value));
  if (path.kind === "wrong") {
    complain(argument.value, `arg: ${path.why}`);
    return null;
  }
  const read = testOf(test);
  if (typeof read === "string") {
    complain(test.value, read);
    return null;
  }
  if (read.kind === "countOver" && read.count > 0 && isSingular(path.path)) {
    complain(argument.value, `one value at most is at this path; ${path.path.text}[*] was probably meant`);
    return null;
  }
  return { path: path.path, test: read };
}

/** What is asked, or what is wrong with it. */
function testOf({ key, value: node }: Member): ArgumentTest | string {
  if (key === "equals") return { kind: "equals", value: plainValue(node) };
  if (key === "countOver") return countTest(node);
  if (node.type !== "string") return `${key} is a text`;
  const text = String(node.value);
  if (text === "" || text.length > longestText)
    return `${key} is empty, or longer than ${longestText} characters`;
  return key === "matches" ? expressionTest(text) : globTest(text);
}

function countTest(node: JsonNode): ArgumentTest | string {
  const count: unknown = node.value;
  return typeof count === "number" && Number.isInteger(count) && count >= 0 && count <= mostCounted
    ? { kind: "countOver", count }
    : `countOver is a whole number from 0 to ${mostCounted}`;
}

/** What begins as a path does is one; every other text is a text. */
function globTest(text: string): ArgumentTest | string {
  const base = baseOf(text);
  if (base === null) return { kind: "glob", glob: text.normalize("NFC").split(/\*+/) };
  const parsed = parsePathGlob(base, text.replace(/^(?:~\/|\.\/|\/+)/, ""));
  return parsed.kind === "wrong" ? `glob: ${parsed.why}` : { kind: "path", glob: parsed.glob };
}

function baseOf(text: string): PathGlob["base"] | null {
  if (text.startsWith("/")) return "root";
  if (text.startsWith("~/")) return "home";
  return text.startsWith("./") ? "call" : null;
}

/** Steps of an expression: as many characters, classes and repetitions of them. */
const mostSteps = 1_000;

function expressionTest(text: string): ArgumentTest | string {
  const tooLong = `matches is larger than ${mostSteps} steps`;
  if (leastSteps(text) > mostSteps) return tooLong;
  const expressions = linearExpressions();
  try {
    const compiled = expressions.compile(text);
    const size = compiled.programSize();
    if (size > mostSteps) return tooLong;
    return { kind: "matches", size, isFoundIn: (searched) => compiled.matcher(searched).find() };
  } catch {
    // It throws for what RE2 cannot do, and for nothing else.
    return "matches is no regular expression of RE2, which knows no look-around and no back references";
  }
}

const part = /\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gsu;

/** How large it would become, so that none is compiled that takes long: `(a{100}){100}` is short, and large. */
function leastSteps(text: string): number {
  // Quoted text is not read here.
  if (text.includes("\\Q")) return text.includes("{") ? Infinity : 0;
  /** What stands before each open bracket, within the one around it. */
  const before: number[] = [];
  let here = 0;
  let last = 0;
  for (const [all, from, to] of text.matchAll(part)) {
    if (from !== undefined) {
      const times = Math.max(Number(from), Number(to ?? from), 1);
      here += last * (times - 1);
      last *= times;
      continue;
    }
    if (all === "(") {
      before.push(here);
      here = 0;
      continue;
    }
    const outside = all === ")" ? before.pop() : undefined;
    last = outside === undefined ? 1 : here;
    here += outside ?? 1;
  }
  return before.reduce((sum, steps) => sum + steps, here);
}
