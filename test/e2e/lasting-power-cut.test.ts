/**
 * What lasts, when a process dies or the power goes at any moment: the old file or the new one is whole, and nothing looser
 * is in force than a person let through.
 */
import { expect, test } from "vitest";
import { ruleDraft } from "../support/remembered.js";

// What is watched must be loaded after who watches it.
const { mark } = await import("../support/fs-recorder.js");
const { cutAnywhere, liveIn, nothing } = await import("../support/cut-lives.js");
const { Disk, onDisk } = await import("../support/power-cut.js");
const { rememberedOptions } = await import("../support/remembered-home.js");
const { openRememberedRules } = await import("../../src/broker/policy/remembered-store.js");
const { acceptKeys, readConfigText, replaceConfig } = await import("../../src/broker/config/rewrite.js");
const { loadConfig } = await import("../../src/broker/config/load.js");
const { readAccepted, writeAccepted } = await import("../../src/broker/files/sealed.js");
const { openAuditLog } = await import("../../src/broker/audit/log.js");
const { verifyLog } = await import("../../src/broker/audit/verify.js");
const { livenessOf } = await import("../../src/broker/identity/process.js");

type Found = import("../support/cut-lives.js").Found;
type Life = import("../support/cut-lives.js").Life;

const stays = ruleDraft(Date.now() - 2_000, { rule: "Bash(stays)" });
const comes = ruleDraft(Date.now() - 1_000, { rule: "Bash(comes)" });
const open = (path: string) => openRememberedRules(rememberedOptions(path));

/** A home in which one rule is in force. */
const kept: Life = async (path) => void (await open(path).remember(stays));

/** What `look` finds in each of them, with what was promised before. */
async function lookInto<T>(founds: readonly Found[], look: (path: string) => T) {
  const all: { readonly marks: readonly string[]; readonly found: T }[] = [];
  for (const { disk, marks } of founds) {
    all.push({ marks, found: await onDisk(disk.now(), async (path) => look(path)) });
  }
  return all;
}

test("a rule is in force whole or not at all after every cut, once that was told, and no other with it", async () => {
  const remember: Life = async (path) => {
    await open(path).remember(comes);
    mark("kept");
  };
  const cuts = await lookInto(await cutAnywhere(await liveIn(nothing, kept), remember), (path) =>
    open(path).list(),
  );
  expect(cuts.length).toBeGreaterThan(20);
  for (const { marks, found } of cuts) {
    const texts = found.rules.map(({ rule }) => rule);
    expect([found.fault, found.unaccepted]).toEqual([null, []]);
    if (marks.includes("kept")) expect(texts).toEqual(["Bash(stays)", "Bash(comes)"]);
    else expect([["Bash(stays)"], ["Bash(stays)", "Bash(comes)"]]).toContainEqual(texts);
  }
  expect(new Set(cuts.map(({ found }) => found.rules.length))).toEqual(new Set([1, 2]));
}, 300_000);

test("a rule that was taken back is in force after no cut once that was told, and the file is whole", async () => {
  const revoke: Life = async (path) => {
    const [first] = open(path).list().rules;
    if (await open(path).revoke(first?.id ?? "")) mark("revoked");
  };
  const cuts = await lookInto(await cutAnywhere(await liveIn(nothing, kept), revoke), (path) =>
    open(path).list(),
  );
  for (const { marks, found } of cuts) {
    expect(found.fault).toBeNull();
    if (marks.includes("revoked")) expect(found).toMatchObject({ rules: [], unaccepted: [] });
  }
  expect(new Set(cuts.map(({ found }) => found.rules.length))).toEqual(new Set([0, 1]));
}, 300_000);

test("a looser value is in force after no cut without the file that says it, and after every one once that was told", async () => {
  const before = '{"approval":{"bannerDelaySeconds":20}}\n';
  const after = '{"approval":{"bannerDelaySeconds":20,"timeoutSeconds":900}}\n';
  const first: Life = async (path) => replaceConfig(rememberedOptions(path), null, before);
  const set: Life = async (path) => {
    const place = rememberedOptions(path);
    await replaceConfig(place, before, after);
    await acceptKeys(place, { "approval.timeoutSeconds": 900 }, place.keys);
    mark("set");
  };
  const founds = await cutAnywhere(await liveIn(await liveIn(nothing, kept), first), set);
  const cuts = await lookInto(founds, (path) => {
    const { settings, fault } = loadConfig(path, rememberedOptions(path).keys);
    return { text: readConfigText(path), wait: settings.approval.timeoutSeconds, fault };
  });
  for (const { marks, found } of cuts) {
    expect([found.fault, [before, after].includes(found.text ?? "")]).toEqual([null, true]);
    if (found.wait !== 600) expect([found.wait, found.text]).toEqual([900, after]);
    if (marks.includes("set")) expect(found.wait).toBe(900);
  }
  const seen = new Set(cuts.map(({ found }) => `${found.text === after} ${found.wait}`));
  expect(seen).toEqual(new Set(["false 600", "true 600", "true 900"]));
}, 300_000);

test("a seal is the one before or this one after every cut, and this one once that was told", async () => {
  const seal =
    (text: string): Life =>
    async (path) => {
      const place = rememberedOptions(path);
      await writeAccepted(place, "policy.json", text, place.keys);
      mark(text);
    };
  const cuts = await lookInto(await cutAnywhere(await liveIn(nothing, seal("old")), seal("new")), (path) =>
    readAccepted(path, "policy.json", rememberedOptions(path).keys),
  );
  for (const { marks, found } of cuts) {
    expect(found).toMatchObject({ kind: "accepted", value: expect.stringMatching(/^(old|new)$/) });
    if (marks.includes("new")) expect(found).toMatchObject({ value: "new" });
  }
  expect(new Set(cuts.map(({ found }) => found.kind === "accepted" && found.value))).toEqual(
    new Set(["old", "new"]),
  );
}, 300_000);

/**
 * Writes so many records, each told when it is on disk; a file is put aside once it is longer than a few of them, while the
 * head is signed for what was written before.
 */
const writing =
  (count: number): Life =>
  async (path) => {
    const { keys, clock, own } = rememberedOptions(path);
    const log = openAuditLog({
      home: () => path,
      clock,
      session: "s",
      keys,
      identity: () => own,
      liveness: livenessOf,
      rotation: () => ({ rotateBytes: 1_000, keep: 1 }),
      headDelayMs: 0,
    });
    const append = async (): Promise<void> => {
      const details = { rule: "k7q2mx9d", why: "person" } as const;
      await log.append([{ kind: "rule.revoked", call: null, details }], "durable");
      mark("written");
    };
    for (let number = 0; number < count; number += 1) await append();
    await log.close();
  };

test("the log verifies after every cut, also while a file is put aside and another is dropped", async () => {
  const before = await liveIn(nothing, writing(6));
  const told = await onDisk(before.disk.now(), async (path) => verifyLog(path, rememberedOptions(path).keys));
  expect(told).toMatchObject({ ok: true });
  const founds = await cutAnywhere({ ...before, marks: [] }, writing(6));
  const cuts = await lookInto(founds, (path) => verifyLog(path, rememberedOptions(path).keys));
  expect(cuts.length).toBeGreaterThan(50);
  for (const { found } of cuts) expect(found).toMatchObject({ ok: true, fault: null });
}, 300_000);

test("the model renames whole or not at all, and what a name leads to is the old file or the new one", () => {
  const disk = Disk.of(new Map([["a", Buffer.from("old")]]));
  disk.apply({ kind: "create", path: "t" });
  disk.apply({ kind: "write", path: "t", bytes: Buffer.from("new") });
  disk.apply({ kind: "sync", path: "t" });
  disk.apply({ kind: "rename", from: "t", path: "a" });
  const texts = () =>
    disk.cuts().map((tree) => [...tree].map(([path, content]) => `${path}=${content ?? ""}`).join(" "));
  expect(texts().sort()).toEqual(["a=new", "a=old"]);
  disk.apply({ kind: "sync", path: "" });
  expect(texts()).toEqual(["a=new"]);
  disk.apply({ kind: "rename", from: "a", path: "b" });
  expect(texts().sort()).toEqual(["a=new", "b=new"]);
});
