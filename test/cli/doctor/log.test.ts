/** What doctor says of a log that is not what was written, and that its line puts an end to it. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ensureHome } from "../../../src/broker/channel/home.js";
import { rootSecretOf } from "../../../src/broker/identity/root-secret.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import type { Check } from "../../../src/cli/doctor/check.js";
import { checkLog } from "../../../src/cli/doctor/log.js";
import { keysOf } from "../../support/audit-logs.js";
import { ProvableLog } from "../../support/provable-log.js";
import { madeHome } from "../../support/temp-home.js";

describe("a log that does not verify any more", () => {
  it("is moved aside whole, with what it was measured by, by the line that doctor prints; also twice", async () => {
    const home = madeHome();
    const place = { path: home.path, ensureHome: () => ensureHome(home, systemClock), clock: systemClock };
    const look = (): Check => checkLog(home, rootSecretOf(place), { environment: { WISP_HOME: home.path } });
    for (const aside of ["audit.old", "audit.old2"]) {
      const log = new ProvableLog(home.path);
      await log.write(3);
      expect(look().status).toBe("ok");
      log.put(log.read().replace("git push 1", "git push 7"));
      const bad = look();
      expect(bad.status).toBe("fail");
      expect(bad.detail).toContain("audit/log.jsonl:2: it is not what was written (hash_mismatch)");
      expect(bad.detail).toContain("audit verify tells more");
      execFileSync("sh", ["-c", bad.fix ?? ""]);
      expect(existsSync(join(home.path, aside, "log.jsonl"))).toBe(true);
      expect(look()).toMatchObject({ status: "ok", fix: null });
    }
  });
});

it("of a log that is too long to be looked at whole its end is, and the rest is left to audit verify", async () => {
  const home = madeHome();
  const log = new ProvableLog(home.path);
  await log.write(3);
  const look = (): Check => checkLog(home, keysOf(home.path), { environment: { WISP_HOME: home.path } }, 100);
  expect(look()).toMatchObject({ status: "ok", fix: null });
  expect(look().detail).toMatch(/its end is good, it is long, and .*wisp audit verify tells of the rest$/);
  const text = log.read();
  log.put(log.lines().slice(0, 2).join(""));
  expect(look()).toMatchObject({
    status: "warn",
    detail: expect.stringContaining("it does not verify: records are missing at its end") as string,
    fix: expect.stringContaining("audit verify") as string,
  });
  log.put(text);
  expect(look().status).toBe("ok");
});
