import { chmodSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { doctor, type Machine } from "../../../src/cli/commands/doctor.js";
import type { Check } from "../../../src/cli/doctor/check.js";
import { fakeTerminal } from "../../support/fake-terminal.js";
import { letThrough } from "../../support/pins-contract.js";
import { PinsHome } from "../../support/pins-home.js";
import { startOn } from "../../support/run-verb.js";
import { madeHome } from "../../support/temp-home.js";

/** Nothing is found on it, and nothing of it is started. */
const machine: Machine = { desktop: "freedesktop", nodeNotifier: () => "", createNotifiers: () => [] };

describe("wisp doctor, of what gates know of their servers,", () => {
  it("names those of which it can be trusted, and warns of every other until a call of it is approved", async () => {
    const home = madeHome();
    writeFileSync(join(home.path, "format"), "wisp-broker 1\n", { mode: 0o600 });
    const gates = [
      new PinsHome(home.path, "fs"),
      new PinsHome(home.path, "git"),
      new PinsHome(home.path, "mem"),
    ];
    const told = async (fix = false): Promise<Check | undefined> => {
      const { out } = await startOn(fakeTerminal({ home }), (on) => doctor({ json: true, fix }, on, machine))
        .ended;
      return (JSON.parse(out) as { checks: readonly Check[] }).checks.find(({ name }) => name === "gates");
    };
    expect(await told()).toMatchObject({ status: "ok", detail: "nothing was let through one yet" });
    for (const gate of gates) await gate.open().pin(letThrough());
    expect(await told()).toMatchObject({ status: "ok", detail: "known: fs, git, mem" });
    const [fs, git, mem] = gates as [PinsHome, PinsHome, PinsHome];
    fs.write("{");
    unlinkSync(git.file);
    chmodSync(mem.file, 0o644);
    expect(await told()).toMatchObject({
      status: "warn",
      detail: expect.stringContaining("fs (not JSON), git (it is gone), mem (open to others)"),
    });
    // What is only open is closed, and was ours all the time.
    expect(await told(true)).toMatchObject({
      detail: expect.stringMatching(/: fs \(not JSON\), git \(it is gone\);/),
    });
    expect(statSync(mem.file).mode & 0o777).toBe(0o600);
    for (const gate of [fs, git]) await gate.open().pin(letThrough());
    expect(await told()).toMatchObject({ status: "ok" });
  });
});
