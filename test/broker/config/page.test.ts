/** docs/configuration.md lists the keys that there are, with the defaults that they have. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../../src/broker/config/load.js";
import { configKeys } from "../../../src/broker/config/schema.js";
import { defaultSettings } from "../../../src/broker/config/settings.js";
import { writeConfig } from "../../support/config-files.js";
import { tempDirectory } from "../../support/temp-home.js";

const page = readFileSync(new URL("../../../docs/configuration.md", import.meta.url), "utf8");
const rows = [...page.matchAll(/^\| `([\w.]+)` \| (.+?) \|/gm)].map(([, key = "", value = ""]) => ({
  key,
  value,
}));

/** Places that hold keys are no keys of their own. */
const keys = configKeys().filter((key) => !configKeys().some((other) => other.startsWith(`${key}.`)));

function defaultOf(key: string): unknown {
  return key
    .split(".")
    .reduce<unknown>((value, part) => (value as Readonly<Record<string, unknown>>)?.[part], defaultSettings);
}

describe("the page", () => {
  test("lists every key and no other", () => {
    expect(rows.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
  });

  test("says the default of each", () => {
    const withDefault = rows.filter(({ key }) => !key.includes("NAME"));
    expect(withDefault.length).toBeGreaterThan(8);
    for (const { key, value } of withDefault) expect(value).toBe(`\`${JSON.stringify(defaultOf(key))}\``);
  });

  test("has an example that is taken", () => {
    const home = tempDirectory();
    writeConfig(home, /echo '([^']+)'/.exec(page)?.[1]);
    const { settings, fault } = readConfig(home);
    expect([settings.approval.timeoutSeconds, fault]).toEqual([90, null]);
  });
});
