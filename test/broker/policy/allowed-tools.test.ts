/** Rules that let tools pass come in force alone, and only over what was shown. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sealedPath } from "../../../src/broker/files/sealed.js";
import { rootSecretOf } from "../../../src/broker/identity/root-secret.js";
import {
  type AllowedTools,
  acceptAllowed,
  digestsOf,
  policyTexts,
} from "../../../src/broker/policy/allowed-tools.js";
import { sha256Hex } from "../../../src/broker/request/long-text.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { type PolicyHome, policyHome } from "../../support/policy-home.js";

const own = '{ "permissions": { "ask": ["mcp__fs__put"] } }';
const rules = ["mcp__fs__read"];
const added = '{ "permissions": { "ask": ["mcp__fs__put"], "allow": ["mcp__fs__read"] } }';
const alone = '{ "permissions": { "allow": ["mcp__fs__read"] } }';

function optionsOf({ path, homeDirectory }: PolicyHome) {
  const place = { path, ensureHome: () => path, clock: systemClock };
  return { place, keys: rootSecretOf(place), homeDirectory };
}

const onlyFile: AllowedTools = {
  before: { file: own, accepted: null },
  after: { file: added, accepted: alone },
  rules,
};

describe("tools that a person lets pass", () => {
  it("pass once file and copy say so, and nothing else of the file is accepted with them", async () => {
    const home = policyHome();
    home.write(own);
    const options = optionsOf(home);
    expect(policyTexts(options)).toEqual(onlyFile.before);
    await acceptAllowed(onlyFile, options);
    expect(policyTexts(options)).toEqual(onlyFile.after);
    expect([home.tool("mcp__fs__read").name, home.tool("mcp__fs__put").name]).toEqual(["allow", "ask"]);
    expect(digestsOf(onlyFile)).toEqual({ before: null, after: sha256Hex(alone) });
  });

  it.each<[what: string, tools: AllowedTools]>([
    ["the file is another one by now", { ...onlyFile, before: { file: alone, accepted: null } }],
    ["another copy was accepted", { ...onlyFile, before: { file: own, accepted: alone } }],
    ["more is added than was shown", { ...onlyFile, rules: ["mcp__fs__other"] }],
    ["a rule would be gone", { ...onlyFile, after: { file: alone, accepted: alone } }],
    [
      "more stands beside a rule than its text",
      {
        ...onlyFile,
        after: {
          file: added.replace('["mcp__fs__read"]', '[{ "rule": "mcp__fs__read", "readOnly": true }]'),
          accepted: alone,
        },
      },
    ],
    ["the text would be none", { ...onlyFile, after: { file: `${added}}`, accepted: alone } }],
  ])("do not where %s: nothing is written", async (_, tools) => {
    const home = policyHome();
    home.write(own);
    const options = optionsOf(home);
    await expect(acceptAllowed(tools, options)).rejects.toMatchObject({ code: "not_accepted" });
    expect(policyTexts(options)).toEqual(onlyFile.before);
    await acceptAllowed(onlyFile, options);
    expect(home.tool("mcp__fs__read").name).toBe("allow");
  });

  it("cannot where the file, or the copy, cannot be used: it says why", async () => {
    const home = policyHome();
    home.write("{");
    const options = optionsOf(home);
    expect(policyTexts(options)).toContain("policy.json cannot be used");
    home.write(own);
    await home.accept("{");
    expect(policyTexts(options)).toContain("cannot be read any more");
    await home.accept();
    const sealed = sealedPath(home.path, "policy.json");
    const text = readFileSync(sealed, "utf8");
    writeFileSync(sealed, text.replace(/"acceptedAt":\d/, '"acceptedAt":9'));
    expect(policyTexts(options)).toContain("counts for nothing");
    writeFileSync(sealed, text);
    expect(policyTexts(options)).toEqual({ file: own, accepted: own });
    expect(readFileSync(join(home.path, "policy.json"), "utf8")).toBe(own);
  });
});
