import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LateRequest } from "../../src/broker/grants/grant-store.js";
import type { Testimony } from "../../src/broker/request/assurance.js";
import type { LateBox } from "../../src/face/late-box.js";
import { openLateBox } from "../../src/face/open-late-box.js";
import { fakeTerminal } from "../support/fake-terminal.js";
import { boundTo } from "../support/grants.js";
import { type KeptHome, keptHome } from "../support/kept-home.js";
import { tempHome } from "../support/temp-home.js";
import { atTerminal } from "../support/witnesses.js";

const yes = { decision: "approve", scope: "once", note: null } as const;
const no = { decision: "deny", scope: null, note: null } as const;

function boxOf({ home }: Pick<KeptHome, "home">, sees: Testimony = atTerminal): LateBox {
  return openLateBox(fakeTerminal({ home }), home, "tui", () => sees);
}

function only(box: LateBox): LateRequest {
  const [first, ...others] = box.list();
  if (first === undefined || others.length > 0) throw new Error("Not one waits.");
  return first;
}

function kindsIn({ home }: KeptHome): readonly unknown[] {
  const lines = readFileSync(join(home.path, "audit", "log.jsonl"), "utf8")
    .trim()
    .split("\n");
  return lines
    .map((line) => JSON.parse(line))
    .map(({ kind, session, details }) => [kind, session, details.via]);
}

test("what may still be answered is listed, the oldest first, and nothing where there is no home", async () => {
  expect(boxOf({ home: tempHome() }).list()).toEqual([]);
  const kept = keptHome();
  const younger = await kept.ends({ agoMs: 1_000 });
  const older = await kept.ends({ agoMs: 60_000 });
  await kept.ends({ lateSeconds: 0 });
  expect(
    boxOf(kept)
      .list()
      .map(({ request }) => request.id),
  ).toEqual([older.id, younger.id]);
});

test("a yes is kept for the next identical call, says until when, and is written down as this face's", async () => {
  const kept = keptHome();
  const request = await kept.ends({ draft: { client: { name: "a\u001b[2Jb", version: "1" } } });
  const box = boxOf(kept);
  const ending = await box.answer(only(box), { ...yes, note: "go on" });
  expect(ending).toMatchObject({ kind: "kept", verified: atTerminal.verified });
  expect("effect" in ending && ending.effect).toMatch(
    /^the next identical call of a\\u\{1b\}\[2Jb in .* runs once, until /,
  );
  expect(kept.grants.find(boundTo())?.answer).toMatchObject({ via: "tui", note: "go on", scope: "once" });
  expect(kindsIn(kept)).toEqual([
    ["approval.answered", "tui", "tui"],
    ["grant.kept", "tui", undefined],
  ]);
  expect([box.list(), kept.late.read(request.id)]).toEqual([[], null]);
});

test("a no takes it away without a look at this process", async () => {
  const kept = keptHome();
  await kept.ends();
  const box = openLateBox(fakeTerminal({ home: kept.home }), kept.home, "chat", () => {
    throw new Error("It was looked at.");
  });
  const late = only(box);
  expect(await box.answer(late, no)).toEqual({ kind: "denied" });
  expect(await box.answer(late, no)).toEqual({ kind: "gone" });
  expect(kindsIn(kept)).toEqual([["approval.answered", "chat", "chat"]]);
});

test("a process that falls short says no yes, and one at a terminal says it afterwards", async () => {
  const kept = keptHome();
  await kept.ends();
  const box = boxOf(kept, { ...atTerminal, shortfall: "within_client" });
  expect(await box.answer(only(box), yes)).toEqual({ kind: "insufficient", shortfall: "within_client" });
  expect([kept.grants.find(boundTo()), kindsIn(kept)]).toEqual([
    null,
    [["answer.refused", "tui", undefined]],
  ]);
  expect((await boxOf(kept).answer(only(box), yes)).kind).toBe("kept");
});

test("by itself it looks at this very process, which is at no terminal here", async () => {
  const kept = keptHome();
  await kept.ends();
  const box = openLateBox(fakeTerminal({ home: kept.home }), kept.home, "tui");
  expect((await box.answer(only(box), yes)).kind).toBe("insufficient");
  expect(kept.grants.find(boundTo())).toBeNull();
  expect(await box.answer(only(box), no)).toEqual({ kind: "denied" });
});

test("of two that say yes at once one is kept, and what was taken away meanwhile is gone", async () => {
  const kept = keptHome();
  await kept.ends();
  const late = only(boxOf(kept));
  const both = await Promise.all([boxOf(kept).answer(late, yes), boxOf(kept).answer(late, yes)]);
  expect(both.map(({ kind }) => kind).sort()).toEqual(["kept", "kept before"]);
  await kept.ends({ id: "zzzzzzzz" });
  const other = boxOf(kept)
    .list()
    .find(({ request }) => request.id === "zzzzzzzz");
  if (other === undefined) throw new Error("It is not there.");
  kept.late.remove("zzzzzzzz");
  expect(await boxOf(kept).answer(other, yes)).toEqual({ kind: "gone" });
});

test("what is dangerous, or would hold for longer than one call, takes no late yes", async () => {
  const kept = keptHome();
  await kept.ends({ draft: { level: "dangerous", scopes: ["once"] } });
  const box = boxOf(kept);
  await expect(box.answer(only(box), yes)).rejects.toThrow(TypeError);
  expect(await box.answer(only(box), no)).toEqual({ kind: "denied" });
  await kept.ends({ draft: { scopes: ["once", "session"] } });
  await expect(box.answer(only(box), { ...yes, scope: "session" })).rejects.toThrow(TypeError);
  expect((await box.answer(only(box), yes)).kind).toBe("kept");
});

test("nothing is listed or kept in a home that others can open, and all is there once it is closed", async () => {
  const kept = keptHome();
  await kept.ends();
  const box = boxOf(kept);
  const late = only(box);
  chmodSync(kept.home.path, 0o755);
  expect(() => box.list()).toThrow(expect.objectContaining({ code: "channel_unsafe" }));
  await expect(box.answer(late, yes)).rejects.toThrow(expect.objectContaining({ code: "channel_unsafe" }));
  await expect(box.answer(late, no)).rejects.toThrow(expect.objectContaining({ code: "channel_unsafe" }));
  chmodSync(kept.home.path, 0o700);
  expect((await box.answer(only(box), yes)).kind).toBe("kept");
});
