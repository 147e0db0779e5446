import { beforeEach, describe, expect, it } from "vitest";
import {
  approveLate,
  denyLate,
  type LateParts,
  lateObjection,
} from "../../../src/broker/approval/answer-late.js";
import type { LateRequest } from "../../../src/broker/grants/grant-store.js";
import { answerHash } from "../../../src/broker/request/binding.js";
import { answerTo, approvalRequest, commandSubject, denialOf } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { boundTo, Record } from "../../support/grants.js";
import { MemoryAuditLog } from "../../support/memory-audit-log.js";
import { memoryGrants, Shelf } from "../../support/memory-grants.js";
import { type LateShelf, memoryLateRequests } from "../../support/memory-late.js";
import { toolSubject } from "../../support/request-kinds.js";
import { atTerminal, finds } from "../../support/witnesses.js";

const lateSeconds = 86_400;

class Scene implements LateParts {
  readonly audit = new MemoryAuditLog();
  readonly clock = new FakeClock();
  readonly shelf = new Shelf();
  readonly lateShelf: LateShelf = new Map();
  readonly record = new Record();
  readonly grants = memoryGrants(this.shelf, this.record, this.clock);
  readonly late = memoryLateRequests(this.lateShelf, this.clock, lateSeconds);

  async ends(request = approvalRequest()): Promise<LateRequest> {
    await this.late.file({ bound: boundTo(), request, toldMsAgo: 0, how: "timed_out" }, true);
    const late = this.late.read(request.id);
    if (late === null) throw new Error("It is not kept.");
    return late;
  }
}

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});

describe("a late yes", () => {
  it("is kept for the next identical call for as long as the request could be answered, and the request goes", async () => {
    const late = await scene.ends();
    scene.clock.advance(60_000);
    const answer = answerTo(late.request);
    const ending = await approveLate(late, answer, atTerminal, scene);
    expect(ending).toMatchObject({ kind: "kept", approval: { bound: late.bound, answer, life: late.life } });
    expect(scene.late.read(late.request.id)).toBeNull();
    expect(scene.grants.find(late.bound)?.id).toBe(late.request.id);
    scene.clock.advance(lateSeconds * 1_000 - 60_000);
    expect(scene.grants.find(late.bound)).not.toBeNull();
    scene.clock.advance(1);
    expect(scene.grants.find(late.bound)).toBeNull();
  });

  it("is on disk in the log before it is kept, with what was seen of who gave it", async () => {
    const late = await scene.ends();
    scene.audit.holding = "durable";
    const answer = answerTo(late.request, { note: "go on" });
    const ending = approveLate(late, answer, atTerminal, scene);
    await Promise.resolve();
    expect(scene.shelf.unspent.size).toBe(0);
    scene.audit.release();
    expect((await ending).kind).toBe("kept");
    expect(
      scene.audit.appended.map(({ durability, events }) => [durability, events.map(({ kind }) => kind)]),
    ).toEqual([
      ["durable", ["approval.answered"]],
      ["plain", ["grant.kept"]],
    ]);
    expect(scene.audit.events[0]).toMatchObject({
      call: late.request.id,
      verified: atTerminal.seen,
      details: { decision: "approve", scope: "once", answer: answerHash(answer), assurance: "terminal" },
    });
    expect(JSON.stringify(scene.audit.events)).not.toContain("go on");
  });

  it("is not kept where it cannot be written down, and may be given again", async () => {
    const late = await scene.ends();
    scene.audit.failing = "durable";
    const yes = () => approveLate(late, answerTo(late.request), atTerminal, scene);
    await expect(yes()).rejects.toMatchObject({ code: "audit_unavailable" });
    expect([scene.shelf.unspent.size, scene.late.read(late.request.id)]).toEqual([0, late]);
    scene.audit.failing = "none";
    expect((await yes()).kind).toBe("kept");
  });

  it("is not kept where nothing can be written, and may be given again", async () => {
    const late = await scene.ends();
    scene.shelf.isBroken = true;
    const yes = () => approveLate(late, answerTo(late.request), atTerminal, scene);
    await expect(yes()).rejects.toMatchObject({ code: "channel_unavailable" });
    expect(scene.late.read(late.request.id)).toEqual(late);
    scene.shelf.isBroken = false;
    expect((await yes()).kind).toBe("kept");
  });

  it("of two at the same moment lets one call through", async () => {
    const late = await scene.ends();
    const endings = await Promise.all(
      [1, 2].map(() => approveLate(late, answerTo(late.request), atTerminal, scene)),
    );
    expect(endings.map(({ kind }) => kind).sort()).toEqual(["kept", "kept before"]);
    expect(await scene.grants.claim(late.request.id)).toBe(true);
    expect((await approveLate(late, answerTo(late.request), atTerminal, scene)).kind).toBe("kept before");
    expect(scene.grants.find(late.bound)).toBeNull();
  });

  it("lets nothing through where the request was denied, or asked again, after it was shown", async () => {
    const late = await scene.ends();
    scene.late.remove(late.request.id);
    expect(await approveLate(late, answerTo(late.request), atTerminal, scene)).toEqual({ kind: "gone" });
    expect(scene.grants.find(late.bound)).toBeNull();
    expect(scene.audit.kinds).toEqual(["approval.answered", "grant.revoked"]);
    const other = await scene.ends();
    expect((await approveLate(other, answerTo(other.request), atTerminal, scene)).kind).toBe("kept");
  });

  it("that was kept stands whether or not that can be written down as well", async () => {
    const late = await scene.ends();
    scene.audit.failing = "plain";
    expect((await approveLate(late, answerTo(late.request), atTerminal, scene)).kind).toBe("kept");
  });

  it("is a programmer's error where the process that gives it falls short, or for more than one call", async () => {
    const late = await scene.ends(approvalRequest({ scopes: ["once", "session"] }));
    const answer = answerTo(late.request);
    const short = finds("within_client")(answer, late.request);
    await expect(approveLate(late, answer, short, scene)).rejects.toThrow(TypeError);
    const session = answerTo(late.request, { scope: "session" });
    await expect(approveLate(late, session, atTerminal, scene)).rejects.toThrow(TypeError);
    expect([scene.shelf.unspent.size, scene.audit.events]).toEqual([0, []]);
    expect((await approveLate(late, answer, atTerminal, scene)).kind).toBe("kept");
  });
});

describe("what takes no late yes", () => {
  const bound = { bound: [{ target: "HEAD", fingerprint: "1" }] };

  it.each([
    [
      "what is dangerous",
      { level: "dangerous" },
      "it is dangerous, and is approved only while its call waits",
    ],
    [
      "what is high and bound to no state",
      { level: "high" },
      "its level is high, and nothing would tell whether what it changes is still the same",
    ],
    [
      "what must be signed",
      { assurance: "signed" },
      "it takes only an answer that is signed by an enrolled key",
    ],
    [
      "what is not offered for one call",
      { scopes: ["session"] },
      "it does not offer a yes for one call alone",
    ],
  ] as const)("is %s", async (_what, draft, objection) => {
    const late = await scene.ends(approvalRequest(draft as Parameters<typeof approvalRequest>[0]));
    expect(lateObjection(late.request)).toBe(objection);
    const answer = answerTo(late.request);
    await expect(approveLate(late, answer, atTerminal, scene)).rejects.toThrow(TypeError);
    expect([scene.shelf.unspent.size, scene.audit.events]).toEqual([0, []]);
  });

  it.each([
    ["low", { level: "low" }],
    ["moderate", { level: "moderate" }],
    ["high, of a command that binds a state", { level: "high", subject: commandSubject({ state: bound }) }],
    ["high, of a tool that binds a state", { level: "high", subject: toolSubject({ state: bound }) }],
  ] as const)("is nothing of level %s", (_level, draft) => {
    expect(lateObjection(approvalRequest(draft as Parameters<typeof approvalRequest>[0]))).toBeNull();
  });
});

describe("a late no", () => {
  it("takes the request away, and is written down", async () => {
    const late = await scene.ends();
    const answer = denialOf(late.request);
    expect(await denyLate(late, answer, scene)).toEqual({ kind: "denied" });
    expect(scene.late.read(late.request.id)).toBeNull();
    expect(scene.audit.appended).toMatchObject([
      { durability: "durable", events: [{ kind: "approval.answered", details: { decision: "deny" } }] },
    ]);
  });

  it("takes back a yes that was kept in the same moment by a process that died then", async () => {
    const late = await scene.ends();
    scene.record.answered({ request: late.request, answer: answerTo(late.request) });
    await scene.grants.keep({ ...late, answer: answerTo(late.request) });
    expect((await denyLate(late, denialOf(late.request), scene)).kind).toBe("denied");
    expect(scene.grants.find(late.bound)).toBeNull();
    expect(scene.audit.kinds).toEqual(["approval.answered", "grant.revoked"]);
  });

  it("counts although it cannot be written down, and says so", async () => {
    const late = await scene.ends();
    scene.audit.failing = "all";
    await expect(denyLate(late, denialOf(late.request), scene)).rejects.toMatchObject({
      code: "audit_unavailable",
    });
    expect(scene.late.read(late.request.id)).toBeNull();
  });

  it("of what is not there any more decides nothing", async () => {
    const late = await scene.ends();
    expect((await approveLate(late, answerTo(late.request), atTerminal, scene)).kind).toBe("kept");
    expect(await denyLate(late, denialOf(late.request), scene)).toEqual({ kind: "gone" });
    expect(scene.grants.find(late.bound)).not.toBeNull();
  });

  it("and a yes at the same moment end with one of the two, whatever comes first", async () => {
    for (const [first, second] of [
      ["yes", "no"],
      ["no", "yes"],
    ]) {
      const late = await scene.ends();
      const give = async (what = ""): Promise<string> =>
        what === "yes"
          ? (await approveLate(late, answerTo(late.request), atTerminal, scene)).kind
          : (await denyLate(late, denialOf(late.request), scene)).kind;
      const endings = await Promise.all([give(first), give(second)]);
      const isDenied = endings.includes("denied");
      expect(scene.grants.find(late.bound) === null).toBe(isDenied);
      expect(endings.includes("kept")).toBe(!isDenied);
      for (const id of [...scene.shelf.unspent.keys()]) await scene.grants.claim(id);
    }
  });
});
