/** What counts where nobody can say any more what was accepted: the stricter of what can still be trusted, and it is said. */
import { chmodSync, copyFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sealedPath, writeAccepted } from "../../../src/broker/files/sealed.js";
import { sealedNamesPath } from "../../../src/broker/files/sealed-names.js";
import { rootSecretOf } from "../../../src/broker/identity/root-secret.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { acceptedHome, type PolicyHome, policyHome } from "../../support/policy-home.js";
import { ruleInForce } from "../../support/remembered.js";

const base = { deny: ["Bash(bad *)"], ask: ["Bash(odd *)"], allow: ["Bash(ls *)"] };
const sealOf = ({ path }: PolicyHome): string => sealedPath(path, "policy.json");

describe("an accepted copy of the rules", () => {
  it.each<[what: string, spoil: (home: PolicyHome, other: PolicyHome) => void, why: string]>([
    ["taken away", (home) => rmSync(sealOf(home)), "it is gone"],
    ["edited", (home) => writeFileSync(sealOf(home), "{}"), "not as wisp writes it"],
    ["open to others", (home) => chmodSync(sealOf(home), 0o644), "open to others"],
    [
      "that of another home",
      (home, other) => copyFileSync(sealOf(other), sealOf(home)),
      "its seal is not ours",
    ],
  ])(
    "that is %s counts for nothing: all that is not denied asks, once, until it is accepted anew",
    async (_what, spoil, why) => {
      const home = await acceptedHome(base, { settings: { threshold: "dangerous" } });
      expect(home.line("cat x")).toMatchObject({ name: "allow" });
      const other = await acceptedHome({ ...base, allow: ["Bash"] });
      // Who takes a denying rule out of the file and spoils the copy must not be rid of it.
      home.write({ ask: base.ask, allow: base.allow });
      spoil(home, other);
      for (const line of ["ls x", "cat x", "bad x", "odd x"]) {
        expect(home.line(line), line).toMatchObject({
          name: "ask",
          maxScope: "once",
          offers: [],
          isFaulty: true,
          notices: [
            `the accepted copy of policy.json counts for nothing: ${why}; see: wisp accept`,
            "policy.json: 1 looser rule waits for: wisp accept",
          ],
        });
      }
      expect(home.line("ls x").reasons).toContain("nobody can say which rules were accepted");
      expect(home.policy.standing().files[0]?.waits).toBe("1 looser rule and its accepted copy");
      home.write(base);
      expect(home.line("bad x")).toMatchObject({ name: "deny" });
      await home.accept();
      expect(home.line("ls x")).toMatchObject({ name: "allow", notices: [] });
      expect(home.policy.standing().files[0]?.waits).toBeNull();
    },
  );
});

it("an accepted copy that could not be trusted is read anew once it is good again, without any other sign of it", async () => {
  // Long after all was written: what is kept of a file is not looked into any more.
  const clock = { ...systemClock, now: () => Number.MAX_SAFE_INTEGER };
  const home = await acceptedHome(base, { clock });
  const names = sealedNamesPath(home.path);
  for (const path of [sealOf(home), names]) renameSync(path, `${path}.away`);
  renameSync(`${names}.away`, names);
  expect(home.line("cat x")).toMatchObject({ name: "ask", isFaulty: true });
  rmSync(names);
  expect(home.line("cat x")).toMatchObject({ name: "ask", isFaulty: false });
  await home.accept();
  expect(home.line("ls x")).toMatchObject({ name: "allow", notices: [] });
});

it("an accepted rule that left the file has no line any more", async () => {
  const home = await acceptedHome(base);
  expect(home.line("bad x")).toMatchObject({ name: "deny", rule: { line: expect.any(Number) } });
  home.write({ ...base, deny: ["Bash(other *)"] });
  expect(home.line("bad x")).toMatchObject({ name: "deny", rule: { text: "Bash(bad *)", line: null } });
  await home.accept();
  expect(home.line("other x")).toMatchObject({ name: "deny", rule: { line: expect.any(Number) } });
});

it("an accepted copy under a good seal that is no text counts for nothing", async () => {
  const home = await acceptedHome(base);
  expect(home.line("ls x")).toMatchObject({ name: "allow" });
  const place = { path: home.path, ensureHome: () => home.path, clock: systemClock };
  await writeAccepted(place, "policy.json", { permissions: { allow: ["Bash"] } }, rootSecretOf(place));
  expect(home.line("ls x")).toMatchObject({ name: "ask", maxScope: "once", isFaulty: true });
  expect(home.line("ls x").notices[0]).toContain("counts for nothing: not as wisp writes it");
  await home.accept();
  expect(home.line("ls x")).toMatchObject({ name: "allow", isFaulty: false });
});

it("where the secret of the home cannot be used nothing is known to be accepted", async () => {
  const { path } = policyHome();
  const keys = rootSecretOf({ path, ensureHome: () => path, clock: systemClock });
  let isUsable = false;
  const existingKey = (label: string) => {
    if (!isUsable) throw new WispError("channel_unavailable", "The secret is open to others.");
    return keys.existingKey(label);
  };
  const home = policyHome({ home: path, keys: { existingKey } });
  writeFileSync(join(path, "policy.json"), JSON.stringify({ permissions: base }), { mode: 0o600 });
  const place = { path, ensureHome: () => path, clock: systemClock };
  await writeAccepted(place, "policy.json", JSON.stringify({ permissions: base }), keys);
  expect(home.line("ls x")).toMatchObject({ name: "ask", isFaulty: true, maxScope: "once" });
  expect(home.line("ls x").notices.join()).toContain("counts for nothing: its seal is not ours");
  isUsable = true;
  expect(home.line("ls x")).toMatchObject({ name: "allow", isFaulty: false });
});

describe("a remembered.json that cannot be used", () => {
  it("makes everything ask, is said, and gives no rule", async () => {
    const fault = { now: null as string | null };
    const list = () => ({
      rules: [],
      over: [ruleInForce()],
      unaccepted: [],
      fault: fault.now,
      distrust: null,
    });
    const home = await acceptedHome(base, { remembered: { list } });
    expect(home.line("ls x")).toMatchObject({ name: "allow", isFaulty: false });
    fault.now = "open to others";
    expect(home.line("ls x")).toMatchObject({
      ...{ name: "ask", maxScope: "once", isFaulty: true },
      notices: ["remembered.json cannot be used: open to others"],
    });
    expect(home.policy.standing().files[1]).toMatchObject({
      ...{ kind: "remembered", isThere: true, rules: 0 },
      fault: { code: "policy_invalid", message: "remembered.json cannot be used: open to others" },
    });
    fault.now = null;
    expect(home.policy.standing().files[1]).toMatchObject({ fault: null });
    expect(home.line("ls x")).toMatchObject({ name: "allow" });
  });
});
