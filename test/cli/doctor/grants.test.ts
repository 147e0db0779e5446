import { chmodSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Home } from "../../../src/broker/channel/home.js";
import { type DoctorOptions, doctor, type Machine } from "../../../src/cli/commands/doctor.js";
import type { Check } from "../../../src/cli/doctor/check.js";
import { fakeTerminal } from "../../support/fake-terminal.js";
import { keptHome } from "../../support/kept-home.js";
import { type Ran, startOn } from "../../support/run-verb.js";

/** Nothing is found on it, and nothing of it is started. */
const machine: Machine = { desktop: "freedesktop", nodeNotifier: () => "", createNotifiers: () => [] };

const run = (options: DoctorOptions, home: Home): Promise<Ran> =>
  startOn(fakeTerminal({ home }), (on) => doctor(options, on, machine)).ended;

async function checks(home: Home) {
  const { exit, out } = await run({ json: true }, home);
  const told = JSON.parse(out) as { ok: boolean; checks: readonly Check[] };
  return { exit, ok: told.ok, checks: Object.fromEntries(told.checks.map((check) => [check.name, check])) };
}

describe("wisp doctor, of what yeses left behind,", () => {
  it("warns where it is not known what of the grants was used, and names them and the repair", async () => {
    const kept = keptHome();
    const id = await kept.keeps();
    expect((await checks(kept.home)).checks.grants).toMatchObject({ status: "ok" });
    rmSync(join(kept.home.path, "keys", "spent"), { recursive: true });
    const told = await checks(kept.home);
    expect(told).toMatchObject({ exit: 0, ok: true });
    expect(told.checks.grants).toMatchObject({
      status: "warn",
      detail: expect.stringContaining(`nobody can say what was used, and nothing is: ${id};`),
      fix: `WISP_HOME=${kept.home.path} wisp doctor --fix`,
    });
  });

  it.each(["grants", join("keys", "spent")])(
    "fails with 8 where %s is a file or open to others",
    async (name) => {
      const kept = keptHome();
      await kept.keeps();
      const path = join(kept.home.path, name);
      chmodSync(path, 0o755);
      expect(await checks(kept.home)).toMatchObject({ exit: 8, ok: false });
      rmSync(path, { recursive: true });
      writeFileSync(path, "", { mode: 0o600 });
      expect((await checks(kept.home)).checks.home).toMatchObject({
        status: "fail",
        fix: `mv ${path} ${path}.old`,
      });
      rmSync(path);
      expect(await checks(kept.home)).toMatchObject({ exit: 0, ok: true });
    },
  );

  it("removes what nobody can say of whether it was used, and nothing else", async () => {
    const kept = keptHome();
    const id = await kept.keeps();
    const grants = join(kept.home.path, "grants");
    expect((await run({ fix: true }, kept.home)).err).toBe("");
    expect(readdirSync(grants).sort()).toEqual([`${id}.json`]);
    rmSync(join(kept.home.path, "keys", "spent"), { recursive: true });
    writeFileSync(join(grants, "note"), "", { mode: 0o600 });
    const { exit, out, err } = await run({ fix: true }, kept.home);
    expect(exit).toBe(0);
    expect(err).toBe(`removed, since nobody can say whether it was used: grants/${id}.json\n`);
    expect(out).toContain("ok    grants");
    expect(readdirSync(grants)).toEqual(["note"]);
    const next = await kept.keeps();
    expect([await kept.grants.claim(id), await kept.grants.claim(next)]).toEqual([false, true]);
  });
});
