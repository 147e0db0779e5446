import { beforeEach, expect, it } from "vitest";
import { type ThrownCode, WispError } from "../../../src/broker/request/errors.js";
import { calm } from "../../support/asking.js";
import { FactScene, factAsk } from "../../support/fact-scene.js";

let scene: FactScene;
beforeEach(() => {
  scene = new FactScene();
});

/** A keeper whose requests cannot be filed for this reason. */
function unfiled(code: ThrownCode) {
  const file = (): never => {
    throw new WispError(code, "It cannot be filed.");
  };
  return scene.keeper({ channel: { ...scene.channel, file } }).ask(factAsk());
}

it.each(["channel_unavailable", "channel_unsafe"] as const)(
  "an ask fails for %s, and is filed once that is mended",
  async (code) => {
    expect(await unfiled(code)).toEqual({ kind: "failed", why: `${code}: It cannot be filed` });
    expect(await scene.keeper().ask(factAsk())).toMatchObject({ kind: "waits", isJoined: false });
  },
);

it("an ask that makes too large a request is a mistake of whoever asks, and is thrown on", async () => {
  await expect(unfiled("request_too_large")).rejects.toMatchObject({ code: "request_too_large" });
  expect(await scene.keeper().ask(factAsk())).toMatchObject({ kind: "waits" });
});

/** An ask whose request is answered while the log still takes that it was made. */
async function decidedWhileWritten() {
  const keeper = scene.keeper();
  scene.audit.holding = "plain";
  const asking = keeper.ask(factAsk());
  await calm();
  const [request] = scene.waiting;
  if (request === undefined) throw new Error("Nothing was filed.");
  scene.answer(request);
  return { keeper, asking, request };
}

it("of what is decided while its asking is written down nobody is told that it waits", async () => {
  const { keeper, asking, request } = await decidedWhileWritten();
  scene.audit.release();
  expect(await asking).toMatchObject({ kind: "waits" });
  await expect.poll(() => scene.shelf.kept.size).toBe(1);
  expect(scene.notices.heard).not.toContain(`${request.id} waits`);
  expect(keeper.standings()).toMatchObject([{ standing: "kept" }]);
});

it("what is decided while its asking cannot be written down stays decided", async () => {
  const { asking } = await decidedWhileWritten();
  scene.audit.failing = "plain";
  scene.audit.release();
  expect(await asking).toMatchObject({ kind: "failed" });
  scene.audit.failing = "none";
  await expect.poll(() => scene.place.receipts.size).toBe(1);
  expect([...scene.place.receipts.values()]).toMatchObject([{ decision: "keep" }]);
});
