/** A remembered rule that somebody wrote by hand, and a person accepted: who answered is not what the file said. */
import { describe, expect, it } from "vitest";
import type { RememberedRule } from "../../../src/broker/policy/remembered.js";
import { auditVerb } from "../../support/audit-verbs.js";
import { lessAskedScene, type Scene } from "../../support/less-asked.js";

/** As if a person had said so in the full-screen face of another client. */
const lying = {
  client: "stdio:claude-code",
  request: "k7q2mx9d",
  via: "tui",
  assurance: "terminal",
} as const;
const id = "handmade";
const byAccept = { client: "accept", request: id, via: "accept", assurance: null };

function entriesOf(scene: Scene): readonly RememberedRule[] {
  return JSON.parse(scene.read("remembered.json")).permissions.remembered;
}

/** What `wisp audit show` tells of the last call. */
async function lastShown({ home }: Scene): Promise<unknown> {
  const { out } = await auditVerb(home, ["show", "--json"]);
  return JSON.parse(out).decisions.at(-1);
}

describe("a remembered rule that was written by hand", () => {
  it("stands in the file as given by accept once it is accepted, and nothing waits then", async () => {
    const scene = lessAskedScene();
    const wanted = scene.wanted({ id, ...lying });
    scene.writeRemembered(wanted);
    expect((await scene.accepts("y")).exit).toBe(7);
    expect(entriesOf(scene)).toEqual([wanted]);
    expect((await scene.accepts("accept")).exit).toBe(0);
    expect(entriesOf(scene)).toEqual([{ ...wanted, ...byAccept }]);
    expect(scene.remembered.list()).toMatchObject({ rules: entriesOf(scene), unaccepted: [] });
    expect((await scene.accepts(null)).out).toContain("Nothing to accept");
  });

  it("leaves to those beside it who answered them", async () => {
    const scene = lessAskedScene();
    const good = await scene.remembered.remember(scene.wanted({ ...lying, rule: "Bash(echo *)" }));
    const wanted = scene.wanted({ id, ...lying });
    scene.writeRemembered(good, wanted);
    expect((await scene.accepts("accept")).exit).toBe(0);
    expect(entriesOf(scene)).toEqual([good, { ...wanted, ...byAccept }]);
  });

  it("is no answer of anybody where a call is let through, as audit show tells it; a yes still is", async () => {
    const scene = lessAskedScene();
    const wanted = scene.wanted({ id, ...lying });
    scene.writeRemembered(wanted);
    expect((await scene.accepts("accept")).exit).toBe(0);
    const { request, result } = await scene.call(await scene.serve());
    expect([request, (await result).structuredContent]).toEqual([
      null,
      expect.objectContaining({ outcome: "approved", via: "policy" }),
    ]);
    const shown = { outcome: "approved", remembered: wanted.id, rule: expect.stringContaining(wanted.rule) };
    expect(await lastShown(scene)).toMatchObject({ ...shown, id: null, via: "policy", assurance: null });
    const line = (await auditVerb(scene.home, ["show"])).out.trimEnd().split("\n").at(-1);
    expect(line?.split("\t").slice(6, 9)).toEqual(["policy", "", "project"]);
    expect(line).not.toMatch(/tui|terminal|k7q2mx9d/);

    await scene.remembered.revoke(wanted.id);
    const good = await scene.remembered.remember(scene.wanted(lying));
    expect((await (await scene.call(await scene.serve())).result).structuredContent).toMatchObject({
      outcome: "approved",
    });
    expect(await lastShown(scene)).toMatchObject({ ...shown, remembered: good.id, via: "tui" });
  });
});
