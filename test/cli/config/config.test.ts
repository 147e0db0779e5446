/** What `get`, `list` and `path` tell of the configuration. */
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ConfigVerb } from "../../../src/cli/config/main.js";
import { sealConfig, writeConfig } from "../../support/config-files.js";
import { set, start } from "../../support/configuring.js";
import { madeHome, tempHome } from "../../support/temp-home.js";

const get = (key: string, isJson = false): ConfigVerb => ({ verb: "get", key, isJson });

describe("wisp config get", () => {
  it.each<[key: string, out: string]>([
    ["approval.timeoutSeconds", "900\n"],
    ["approval.holdSeconds", "auto\n"],
    ["notify.command", "null\n"],
    ["approval.require", '{"low":"dialog","moderate":"dialog","high":"dialog","dangerous":"dialog"}\n'],
    ["questions", '{"holdSeconds":60,"keepSeconds":600}\n'],
  ])("prints what is in force of %s", async (key, out) => {
    const home = tempHome();
    await set(home, "approval.timeoutSeconds", "900");
    expect(await start(get(key), home, { canAnswer: false }).ended).toEqual({ exit: 0, out, err: "" });
  });

  it("says with --json where it comes from, and what waits", async () => {
    const home = tempHome();
    writeConfig(home.path, { approval: { timeoutSeconds: 900, ttlSeconds: 5 } });
    const read = async (key: string) => JSON.parse((await start(get(key, true), home).ended).out);
    expect(await read("approval.timeoutSeconds")).toEqual({
      schemaVersion: 1,
      key: "approval.timeoutSeconds",
      value: 600,
      source: "accepted",
      waits: 900,
    });
    expect(await read("approval.ttlSeconds")).toMatchObject({ value: 5, source: "config.json" });
    expect(await read("facts.keepDays")).toMatchObject({ value: 7, source: "default" });
  });

  it("names the nearest key, and what is not set", async () => {
    const home = tempHome();
    const wrong = await start(get("approval.timeoutSecond"), home).ended;
    expect([wrong.exit, wrong.err]).toEqual([2, expect.stringContaining("approval.timeoutSeconds")]);
    expect((await start(get("approval.clients.x.shell"), home).ended).exit).toBe(2);
    expect((await start(get("facts.keepDays"), home).ended).out).toBe("7\n");
  });

  it("prints the strictest, and ends with 78, where the file cannot be used", async () => {
    const home = tempHome();
    chmodSync(writeConfig(home.path, {}), 0o644);
    const { exit, out, err } = await start(get("approval.require.low"), home).ended;
    expect([exit, out]).toEqual([78, "terminal\n"]);
    expect(err).toContain("chmod 600");
  });
});

describe("wisp config list", () => {
  it("prints each key in columns for programs, with where it comes from", async () => {
    const home = tempHome();
    writeConfig(home.path, { approval: { ancestry: "never", ttlSeconds: 5 } });
    sealConfig(home.path, { "approval.clients": { "a\u001b b": { shell: true } } });
    const options = { isTerminal: false, canAnswer: false };
    const { exit, out } = await start({ verb: "list", isJson: false }, home, options).ended;
    expect(exit).toBe(0);
    expect(out.split("\n")).toEqual(
      expect.arrayContaining([
        "approval.timeoutSeconds\t600\tdefault",
        "approval.ttlSeconds\t5\tconfig.json",
        `approval.ancestry\t"known"\taccepted; "never" waits for: WISP_HOME=${home.path} wisp accept`,
        `approval.clients."a\\u001b b".shell\ttrue\taccepted; null waits for: WISP_HOME=${home.path} wisp accept`,
      ]),
    );
    const json = await start({ verb: "list", isJson: true }, home).ended;
    const { schemaVersion, fault, keys } = JSON.parse(json.out);
    expect([schemaVersion, fault, keys.length]).toEqual([1, null, out.split("\n").length - 1]);
  });

  it("says of a broken file what is in force instead", async () => {
    const home = tempHome();
    writeConfig(home.path, "{");
    const { exit, out, err } = await start({ verb: "list", isJson: false }, home).ended;
    expect(exit).toBe(78);
    expect(out).toMatch(/^approval\.ancestry +"always" +strictest$/m);
    expect(err).toContain("not JSON");
  });
});

it.each<ConfigVerb>([
  { verb: "get", key: "approval.threshold", isJson: false },
  { verb: "list", isJson: false },
  { verb: "path", isJson: false },
  { verb: "change", change: { typed: "approval.threshold", value: "low" } },
])("of a home that is open to others nothing is read: $verb", async (what) => {
  const home = madeHome();
  chmodSync(home.path, 0o755);
  expect(await start(what, home).ended).toMatchObject({ exit: 8, out: "" });
  chmodSync(home.path, 0o700);
  expect((await start(what, home).ended).exit).toBe(0);
});

it("wisp config path --json prints one object", async () => {
  const home = tempHome();
  const { exit, out } = await start({ verb: "path", isJson: true }, home).ended;
  expect([exit, JSON.parse(out)]).toEqual([0, { schemaVersion: 1, path: join(home.path, "config.json") }]);
});

it("wisp config path prints where the file is, and makes nothing", async () => {
  const home = tempHome();
  const { exit, out } = await start({ verb: "path", isJson: false }, home).ended;
  expect([exit, out]).toEqual([0, `${join(home.path, "config.json")}\n`]);
  expect(existsSync(join(home.path, "config.json"))).toBe(false);
});
