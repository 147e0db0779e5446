import { describe, expect, test } from "vitest";
import { composeRequest } from "../../../src/broker/request/binding.js";
import {
  directoryOf,
  parseRequestFileName,
  type Request,
  requestFileName,
  requestSchema,
} from "../../../src/broker/request/request.js";
import { approvalRequest, filingFacts } from "../../support/builders.js";
import { everyDraft, factDraft, questionDraft, toolSubject } from "../../support/request-kinds.js";

type Fields = Readonly<Record<string, unknown>>;

const requests = Object.entries(everyDraft()).map(
  ([name, draft]) => [name, composeRequest(draft, filingFacts())] as const,
);
const [, command] = named("a command as words");
const [, tool] = named("a tool call");
const [, question] = named("a question");

/** Programs that offer nothing to remember, and calls with nothing beside their arguments, leave these out. */
const leftOut = new Set([".remember", "subject.meta"]);
/** Objects whose keys are the caller's own: any key is allowed there. */
const freeObjects = new Set(["subject.arguments", "subject.meta", "subject.input"]);

test("a request has a directory where it is about one", () => {
  const [about, asked] = [factDraft(), questionDraft()].map((draft) => composeRequest(draft, filingFacts()));
  const nowhere = composeRequest(questionDraft({}, { directory: null }), filingFacts());
  expect(directoryOf(approvalRequest())).toBe("/home/p/api");
  expect(directoryOf(approvalRequest({ subject: toolSubject() }))).toBeNull();
  expect([about, asked].map((one) => one && directoryOf(one))).toEqual(["/home/p/api", "/home/p/api"]);
  expect(directoryOf(nowhere)).toBeNull();
});

describe("requestSchema", () => {
  test.each(requests)("%s is taken as it is, whole", (_name, request) => {
    expect(requestSchema.parse(request)).toEqual(request);
  });

  test.each(requests)("%s with an unknown key, at any depth, is refused", (_name, request) => {
    const places = objectsIn(request, "");
    expect(places.length).toBeGreaterThan(1);
    for (const path of places) {
      expect([path, isTaken(changed(request, path, (object) => ({ ...object, approved: true })))]).toEqual([
        path,
        false,
      ]);
    }
    expect(isTaken(request)).toBe(true);
  });

  test.each(requests)(
    "%s with a key missing, at any depth, is refused: absent values are null",
    (_name, request) => {
      for (const path of objectsIn(request, "")) {
        for (const key of Object.keys(at(request, path))) {
          if (leftOut.has(`${path}.${key}`)) continue;
          const without = changed(request, path, ({ [key]: _gone, ...rest }) => rest);
          expect([path, key, isTaken(without)]).toEqual([path, key, false]);
        }
      }
      expect(isTaken(request)).toBe(true);
    },
  );

  test.each(requests)("%s with a value of another type, at any depth, is refused", (_name, request) => {
    for (const path of objectsIn(request, "")) {
      for (const key of Object.keys(at(request, path))) {
        const other = changed(request, path, (object) => ({ ...object, [key]: Symbol("neither") }));
        expect([path, key, isTaken(other)]).toEqual([path, key, false]);
      }
    }
    expect(isTaken(request)).toBe(true);
  });

  test.each<readonly [string, Request, string, unknown]>([
    ["a newer version", command, "v", 2],
    ["an older version", command, "v", 0],
    ["a version in words", command, "v", "1"],
    ["another kind", command, "kind", "fact"],
    ["an unknown kind", command, "kind", "order"],
    ["a path for an id", command, "id", "../../etc/x"],
    ["an id with a dot", command, "id", "k7q2mx9d.request"],
    ["a time with a fraction", command, "createdAt", 1.5],
    ["a time before the epoch", command, "createdAt", -1],
    ["a time no number holds", command, "expiresAt", 2 ** 53],
    ["a time in words", command, "expiresAt", "2026-01-01"],
    ["an unknown level", command, "level", "none"],
    ["an unknown assurance", command, "assurance", "none"],
    ["no scopes", command, "scopes", []],
    ["an unknown scope", command, "scopes", ["once", "forever"]],
    ["reasons that are no list", command, "reasons", "because"],
    ["an unknown subject", command, "subject.type", "shell"],
    ["no words to run", command, "subject.argv", []],
    ["a word that is no text", command, "subject.argv", ["git", 1]],
    ["a device that is a number", command, "subject.program.device", 2049],
    ["an inode with a sign", command, "subject.program.inode", "-1"],
    ["an inode in hexadecimal", command, "subject.directoryIdentity.inode", "0x10"],
    ["a size below nothing", command, "subject.program.size", -1],
    ["an unknown state", command, "subject.state", "some"],
    ["a process 0", command, "server.pid", 0],
    ["an instance that is a path", command, "server.instance", "../../etc/passwd"],
    ["a short nonce", command, "nonce", "A".repeat(42)],
    ["a nonce in base64", command, "nonce", `${"A".repeat(42)}+`],
    ["a commitment in capitals", command, "receiptCommit", "A".repeat(64)],
    ["a binding that is cut", command, "binding", "a".repeat(63)],
    ["a description that is a document", tool, "subject.description", "x".repeat(4_001)],
    ["arguments that are a list", tool, "subject.arguments", []],
    ["what is beside them and a list", tool, "subject.meta", []],
    ["arguments that are a text", tool, "subject.arguments", "rm"],
    [
      "an unknown preview",
      tool,
      "subject.preview",
      [{ target: "a", kind: "move", before: null, after: null }],
    ],
    ["options that are texts", question, "question.options", ["yes", "no"]],
    ["a multiple that is a word", question, "question.multiple", "true"],
  ])("a request with %s is refused", (_what, request, path, value) => {
    expect(isTaken(withValue(request, path, value))).toBe(false);
    expect(isTaken(request)).toBe(true);
  });

  test("what is no object is no request", () => {
    for (const value of [null, [], "", 1, true, [command]]) expect(isTaken(value)).toBe(false);
    expect(isTaken(command)).toBe(true);
  });
});

describe("names of request files", () => {
  test.each(requests)("the name of %s says its id and kind", (_name, request) => {
    const name = requestFileName(request);
    expect(name).toBe(`${request.id}.${request.kind === "approval" ? "request" : request.kind}.json`);
    expect(parseRequestFileName(name)).toEqual({ id: request.id, kind: request.kind });
  });

  test.each([
    ".tmp.0123456789abcdef",
    ".k7q2mx9d.request.json",
    ".request.json",
    "k7q2mx9d.answer.json",
    "k7q2mx9d.approval.json",
    "k7q2mx9d.request.json.swp",
    "k7q2mx9d.request.JSON",
    "k7q2mx9d.json",
    "request.json",
    "",
  ])("%j is no request's name", (name) => {
    expect(parseRequestFileName(name)).toBeNull();
    expect(parseRequestFileName("k7q2mx9d.fact.json")).toEqual({ id: "k7q2mx9d", kind: "fact" });
  });
});

function isTaken(value: unknown): boolean {
  return requestSchema.safeParse(value).success;
}

function named(name: string): readonly [string, Request] {
  const found = requests.find(([one]) => one === name);
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
}

/** Paths of all objects with fixed keys, the outermost as "". */
function objectsIn(value: unknown, path: string): readonly string[] {
  if (typeof value !== "object" || value === null || freeObjects.has(path)) return [];
  const inner = Object.entries(value).flatMap(([key, item]) =>
    objectsIn(item, path === "" ? key : `${path}.${key}`),
  );
  return Array.isArray(value) ? inner : [path, ...inner];
}

function at(value: unknown, path: string): Fields {
  let found: unknown = value;
  for (const key of path === "" ? [] : path.split(".")) found = (found as Fields)[key];
  return found as Fields;
}

function withValue(request: Request, path: string, value: unknown): unknown {
  const cut = path.lastIndexOf(".");
  return changed(request, path.slice(0, Math.max(cut, 0)), (object) => ({
    ...object,
    [path.slice(cut + 1)]: value,
  }));
}

/** A copy of `value` in which the object at `path` is replaced. */
function changed(value: unknown, path: string, change: (object: Fields) => unknown): unknown {
  if (path === "") return change(value as Fields);
  const [key = "", ...rest] = path.split(".");
  const inner = changed((value as Fields)[key], rest.join("."), change);
  return Array.isArray(value) ? value.with(Number(key), inner) : { ...(value as Fields), [key]: inner };
}
