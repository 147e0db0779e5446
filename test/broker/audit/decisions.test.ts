import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { factAnswersRecordedOf, recordedOf } from "../../../src/broker/audit/decisions.js";
import { auditLogAt, keysOf } from "../../support/audit-logs.js";
import { type Sketch, sketched, sketches } from "../../support/sketched.js";
import { tempDirectory } from "../../support/temp-home.js";

const id = "k7q2mx9d";
const hash = "a".repeat(64);

const answered = (decision: string, answer = hash): Sketch => ({
  kind: "approval.answered",
  call: id,
  details: { decision, answer },
});
const started = { kind: "effect.started", call: id } as const;
const finished = { kind: "effect.finished", call: id } as const;

function logged(...events: readonly Sketch[]) {
  const home = tempDirectory();
  const log = auditLogAt(home);
  const path = join(home, "audit", "log.jsonl");
  return { home, path, log, written: log.append(events.map(sketched), "plain") };
}

const recordedIn = (home: string, one = id) => recordedOf(home, one, keysOf(home));

test.each<readonly [string, readonly Sketch[], readonly string[], boolean]>([
  ["nothing", [{ kind: "policy.judged", call: null }], [], false],
  ["a yes", [answered("approve")], [hash], false],
  ["a no", [answered("deny")], [], false],
  ["a yes that was used", [answered("approve"), started], [hash], true],
  ["a yes whose effect only ended", [answered("approve"), finished], [hash], true],
  [
    "what belongs to another request",
    [
      { ...answered("approve"), call: "zzzzzzzz" },
      { ...started, call: "zzzzzzzz" },
    ],
    [],
    false,
  ],
  [
    "an id that only stands somewhere in another's line",
    [{ ...started, call: "zzzzzzzz", details: { request: id } }],
    [],
    false,
  ],
  [
    "another kind",
    [{ kind: "approval.settled", call: id, details: { decision: "approve", answer: hash } }],
    [],
    false,
  ],
  [
    "an answer without a hash",
    [{ kind: "approval.answered", call: id, details: { decision: "approve" } }],
    [],
    false,
  ],
])("%s is found as it was written", async (_what, events, approvals, hasEffect) => {
  const { home, written } = logged(...events);
  await written;
  expect(recordedIn(home)).toEqual({ approvals, hasEffect });
});

test("what was given back has had no effect, until there is one after it", async () => {
  const { home, log, written } = logged(answered("approve"), started);
  await written;
  await log.append(sketches({ kind: "grant.released", call: id }), "plain");
  expect(recordedIn(home)?.hasEffect).toBe(false);
  await log.append(sketches(started), "plain");
  expect(recordedIn(home)?.hasEffect).toBe(true);
});

test.each([
  ["torn", `{"v":1,"kind":"eff…","call":"${id}"`],
  ["not ours", `{"v":1,"kind":"grant.released","call":"${id}","details":{}}\n`],
  ["no JSON", `"${id}"]\n`],
  ["no object", `["${id}"]\n`],
  ["ambiguous", `{"kind":"policy.judged","kind":"effect.started","call":"${id}"}\n`],
])(
  "a line about the request that is %s counts as an effect, also after one that says otherwise",
  async (_what, torn) => {
    const { home, path, log, written } = logged(answered("approve"));
    await written;
    expect(recordedIn(home)?.hasEffect).toBe(false);
    appendFileSync(path, torn);
    expect(recordedIn(home)).toEqual({ approvals: [hash], hasEffect: true });
    if (torn.endsWith("\n")) await log.append(sketches({ kind: "grant.released", call: id }), "plain");
    expect(recordedIn(home)?.hasEffect).toBe(true);
    expect(recordedIn(home, "zzzzzzzz")).toEqual({ approvals: [], hasEffect: false });
  },
);

test("a log that is missing, a link, or open to others says nothing", async () => {
  const home = tempDirectory();
  expect(recordedIn(home)).toBeNull();
  mkdirSync(join(home, "audit"), { mode: 0o700 });
  const path = join(home, "audit", "log.jsonl");
  symlinkSync(join(home, "elsewhere"), path);
  writeFileSync(join(home, "elsewhere"), "", { mode: 0o600 });
  expect(recordedIn(home)).toBeNull();
  const fact = "aaaaaaaa";
  const open = logged(answered("approve"), {
    kind: "fact.answered",
    call: fact,
    details: { decision: "keep", answer: hash },
  });
  await open.written;
  chmodSync(open.path, 0o644);
  expect(recordedIn(open.home)).toBeNull();
  const facts = () => factAnswersRecordedOf(open.home, new Set([fact]), keysOf(open.home)).size;
  expect(facts()).toBe(0);
  renameSync(open.path, `${open.path}.old`);
  expect([recordedIn(open.home), facts()]).toEqual([null, 0]);
  renameSync(`${open.path}.old`, open.path);
  chmodSync(open.path, 0o600);
  expect(recordedIn(open.home)?.approvals).toEqual([hash]);
  expect(facts()).toBe(1);
});

test("the answers to many facts are read at once: of those that are asked for, whole, and as the log writes them", async () => {
  const kept = (call: string, decision: string, answer: string): Sketch => ({
    kind: "fact.answered",
    call,
    details: { decision, answer },
  });
  const other = "b".repeat(64);
  const { home, path, written } = logged(
    kept(id, "keep", hash),
    kept(id, "keep", other),
    kept("aaaaaaaa", "drop", hash),
    kept("zzzzzzzz", "keep", hash),
    { kind: "fact.settled", call: "bbbbbbbb", details: { decision: "keep", answer: hash } },
  );
  await written;
  appendFileSync(
    path,
    `{"kind":"fact.answered","call":"bbbbbbbb","details":{"decision":"keep","answer":"${hash}"}`,
  );
  const ids = new Set([id, "aaaaaaaa", "bbbbbbbb"]);
  expect([...factAnswersRecordedOf(home, ids, keysOf(home))]).toEqual([
    [id, [hash, other]],
    ["aaaaaaaa", [hash]],
  ]);
  expect(factAnswersRecordedOf(tempDirectory(), ids, keysOf(home)).size).toBe(0);
});

test("lines about facts that are not as we write them name no answer, and hide none", async () => {
  const { home, path, written } = logged({
    kind: "fact.answered",
    call: id,
    details: { decision: "keep", answer: hash },
  });
  await written;
  const other = "aaaaaaaa";
  const lines = [
    '{"kind":"fact.answered"}',
    '{"kind":"fact.answered","call":"never closed',
    `{"kind":"fact.answered","call":"${other}","details":{"answer":5}}`,
    `{"kind":"fact.answered","call":"${other}","details":null}`,
    `{"kind":"fact.answered","call":"${other}","details":["${hash}"]}`,
    `{"kind":"fact.answered","call":"${other}","details":{"answer":"${hash}"`,
    `{"details":{"kind":"fact.answered","call":"${other}","answer":"${hash}"},"kind":"notification"}`,
    `{"v":{"call":"${other}"},"kind":"fact.answered","call":"${id}x","details":{"answer":"${hash}"}}`,
    `["kind",{"kind":"fact.answered","call":"${other}"}]`,
  ];
  appendFileSync(path, `${lines.join("\n")}\n`);
  expect([...factAnswersRecordedOf(home, new Set([id, other]), keysOf(home))]).toEqual([[id, [hash]]]);
});

test("a yes that somebody else wrote is none, and one that was altered is none any more", async () => {
  const { home, path, log, written } = logged(answered("approve"));
  await written;
  const ours = readFileSync(path, "utf8");
  const other = logged(answered("approve", "b".repeat(64)));
  await other.written;
  appendFileSync(path, readFileSync(other.path));
  expect(recordedIn(home)).toEqual({ approvals: [hash], hasEffect: true });
  writeFileSync(path, ours.replace('"approve"', '"APPROVE"'));
  expect(recordedIn(home)?.approvals).toEqual([]);
  writeFileSync(path, ours);
  await log.append(sketches(started), "plain");
  expect(recordedIn(home)).toEqual({ approvals: [hash], hasEffect: true });
});

test("where the secret of the home is gone, nothing is known", async () => {
  const { home, written } = logged(answered("approve"));
  await written;
  renameSync(join(home, "keys"), join(home, "keys.old"));
  expect(recordedIn(home)).toBeNull();
  expect(factAnswersRecordedOf(home, new Set([id]), keysOf(home)).size).toBe(0);
  renameSync(join(home, "keys.old"), join(home, "keys"));
  expect(recordedIn(home)?.approvals).toEqual([hash]);
});

test("what was put aside is read as well, back to where the request or the fact was filed", async () => {
  const home = tempDirectory();
  const log = auditLogAt(home, { rotation: () => ({ rotateBytes: 1, keep: 20 }) });
  const fact = "aaaaaaaa";
  await log.append(sketches({ kind: "approval.requested", call: id }), "plain");
  await log.append(sketches(answered("approve"), { kind: "fact.requested", call: fact }), "plain");
  await log.append(sketches({ kind: "fact.answered", call: fact, details: { answer: hash } }), "plain");
  await log.append(sketches(started), "plain");
  await log.append(sketches({ kind: "grant.released", call: id }), "plain");
  expect(recordedIn(home)).toEqual({ approvals: [hash], hasEffect: false });
  expect(factAnswersRecordedOf(home, new Set([fact]), keysOf(home)).get(fact)).toEqual([hash]);
  await log.append(sketches(started), "plain");
  expect(recordedIn(home)?.hasEffect).toBe(true);
  expect(readdirSync(join(home, "audit")).filter((name) => name.startsWith("log."))).toHaveLength(6);
});
