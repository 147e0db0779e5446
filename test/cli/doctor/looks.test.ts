/** What doctor makes of clients, clocks, keys, rules and dialogs. */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recentDialogs } from "../../../src/broker/audit/dialogs.js";
import { measureSkew } from "../../../src/broker/channel/clock-skew.js";
import { defaultSettings } from "../../../src/broker/config/settings.js";
import { rootSecretOf } from "../../../src/broker/identity/root-secret.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { checkClients } from "../../../src/cli/doctor/clients.js";
import { checkClock } from "../../../src/cli/doctor/clock.js";
import { checkDialogs } from "../../../src/cli/doctor/dialogs.js";
import { checkKeys } from "../../../src/cli/doctor/keys.js";
import { checkAccepted, checkPolicy } from "../../../src/cli/doctor/policy.js";
import type { FoundFile } from "../../../src/cli/wiring/clients.js";
import { madeHome } from "../../support/temp-home.js";

const codex: FoundFile = {
  client: "Codex",
  mcpName: "codex-mcp-client",
  path: "/h/.codex/config.toml",
  entries: [{ name: "wisp\u001b", argv: ["wisp", "mcp"], timeoutSeconds: null }],
  gated: [],
  strays: [],
  bare: [],
  addresses: [],
};
const withTimeout = (timeoutSeconds: number, argv: readonly string[]): FoundFile => ({
  ...codex,
  entries: [{ name: "wisp", argv, timeoutSeconds }],
});

describe("a client's configuration", () => {
  it.each<[string, FoundFile, string, string]>([
    ["that starts wisp mcp", codex, "ok", "Codex: /h/.codex/config.toml starts wisp mcp as wisp\\u{1b}"],
    ["that does not", { ...codex, entries: [] }, "ok", "does not start wisp mcp (inline tables"],
    [
      "that has gates",
      { ...codex, entries: [], gated: ["files", "a\u001b", "files"] },
      "ok",
      "config.toml has a gate before files, a\\u{1b}",
    ],
    [
      "that has a gate and starts wisp mcp",
      { ...codex, gated: ["files"] },
      "ok",
      "has a gate before files, and starts wisp mcp as",
    ],
    [
      "that has servers without one",
      { ...codex, entries: [], bare: ["a", "b"] },
      "ok",
      "does not start wisp mcp; no gate stands before a, b (inline",
    ],
    [
      "that has servers with one and without",
      { ...codex, entries: [], gated: ["files"], bare: ["gh", "b\u001b"], addresses: ["linear"] },
      "ok",
      "has a gate before files and none before gh, b\\u{1b}, linear",
    ],
    [
      "that starts wisp mcp and has servers without one",
      { ...codex, bare: ["gh"] },
      "ok",
      "starts wisp mcp as wisp\\u{1b}; no gate stands before gh",
    ],
    [
      "that starts a program which is gone",
      {
        ...codex,
        ...{ entries: [], gated: ["files"], bare: ["gh"] },
        strays: [{ name: "gone", path: "/old/\u001b.cjs", isMissing: true }],
      },
      "warn",
      "has a gate before files and none before gh; gone starts /old/\\u{1b}.cjs, which does not exist",
    ],
    [
      "that starts another one",
      { ...codex, strays: [{ name: "two", path: "/x/wisp.cjs", isMissing: false }] },
      "warn",
      "two starts /x/wisp.cjs, which is not known to be this program",
    ],
    [
      "that is no such file",
      { ...codex, entries: null },
      "warn",
      "could not be read as its client writes it",
    ],
    [
      "with a limit below its known hold",
      withTimeout(60, ["wisp", "mcp"]),
      "warn",
      "gives up a call after 60 s",
    ],
    ["with a limit above it", withTimeout(300, ["wisp", "mcp"]), "ok", "starts wisp mcp as wisp"],
    [
      "with a hold below its limit",
      withTimeout(60, ["wisp", "mcp", "--hold", "50"]),
      "ok",
      "holds a call for 50 s",
    ],
  ])("%s is told", (_what, file, status, detail) => {
    const [check, ...more] = checkClients([file], defaultSettings);
    expect([check?.status, more]).toEqual([status, []]);
    expect(check?.detail).toContain(detail);
  });

  it("that is too short names a hold that fits into it", () => {
    const [check] = checkClients([withTimeout(60, ["wisp", "mcp"])], defaultSettings);
    expect(check?.fix).toBe("Start it there as: wisp mcp --hold 53");
    expect(checkClients([withTimeout(60, ["wisp", "mcp", "--hold", "53"])], defaultSettings)[0]?.status).toBe(
      "ok",
    );
  });
});

describe("an entry that looks like a gate", () => {
  it("and leads nowhere names what puts it right", () => {
    const of = (isMissing: boolean) =>
      checkClients(
        [{ ...codex, strays: [{ name: "a b", path: "/x/wisp.cjs", isMissing }] }],
        defaultSettings,
      )[0]?.fix;
    const anew = "wisp gate uninstall 'a b', then wisp gate install 'a b'";
    expect(of(true)).toBe(anew);
    expect(of(false)).toBe(`Look at what that is; where it is another wisp: ${anew}`);
  });
});

describe("clocks", () => {
  const still = {
    skewMs: 10,
    first: { wall: 1_000_000, monotonic: 50 },
    last: { wall: 1_000_400, monotonic: 450 },
    requests: [{ id: "k7q2mx9d", createdAt: 1_000_000 }],
  };

  it.each([
    ["jumped by 60.0 s", { last: { wall: 1_060_400, monotonic: 450 } }],
    ["jumped by 60.0 s", { last: { wall: 940_400, monotonic: 450 }, requests: [] }],
    ["dated 5.0 s behind", { skewMs: -5_000 }],
    ["dated 5.0 s ahead", { skewMs: 5_000 }],
    ["filed in the future: k7q2mx9d", { requests: [{ id: "k7q2mx9d", createdAt: 1_003_000 }] }],
  ])("that disagree are told: %s", (text, over) => {
    expect(checkClock(still).status).toBe("ok");
    const check = checkClock({ ...still, ...over });
    expect(check.status).toBe("warn");
    expect(check.detail).toContain(text);
  });

  it("of files and of this process are compared by a file that is gone again", () => {
    const home = madeHome();
    const ahead = { ...systemClock, now: () => systemClock.now() - 3_600_000 };
    expect(measureSkew(home.pending, ahead)).toBeGreaterThan(3_500_000);
    expect(Math.abs(measureSkew(home.pending, systemClock))).toBeLessThan(60_000);
  });
});

describe("keys", () => {
  it("are missing, there, open to others or lost, and doctor makes none", async () => {
    const home = madeHome();
    const place = { path: home.path, ensureHome: () => home.path, clock: systemClock };
    const look = () => checkKeys(home, rootSecretOf(place));
    expect(look()).toMatchObject({ status: "ok", detail: "none is made yet" });
    await rootSecretOf(place).derivedKey("x");
    expect(look().detail).toBe("the secret of this home is there, and ours alone");
    const root = join(home.path, "keys", "root");
    const audit = join(home.path, "keys", "audit");
    writeFileSync(audit, "x", { mode: 0o600 });
    chmodSync(audit, 0o640);
    expect(look()).toMatchObject({ status: "fail", fix: `chmod 600 ${audit}` });
    chmodSync(audit, 0o600);
    chmodSync(root, 0o644);
    expect(look()).toMatchObject({ status: "fail" });
    chmodSync(root, 0o600);
    expect(look().status).toBe("ok");
    rmSync(root);
    expect(look()).toMatchObject({ status: "warn" });
  });
});

describe("rules", () => {
  const file = { kind: "policy", path: "/h/policy.json", name: "policy.json", isThere: true } as const;
  const good = { ...file, fault: null, rules: 3, looser: 0, tighter: 0, waits: null };
  const where = { environment: { WISP_HOME: "/h" } };

  it("that are good are counted, and where there are none everything asks", () => {
    expect(checkPolicy({ files: [good], notices: [] }, where)).toMatchObject([
      { status: "ok", detail: "policy.json: 3 rules" },
    ]);
    const none = checkPolicy({ files: [{ ...good, isThere: false }], notices: [] }, where);
    expect(none).toMatchObject([{ status: "ok", detail: "no rules" }]);
  });

  it("that wait to be accepted name the command, and say how many", () => {
    const notices = ["policy.json: 2 looser rules wait for: wisp accept"];
    const [check] = checkPolicy({ files: [{ ...good, waits: "2 looser rules" }], notices }, where);
    expect(check).toMatchObject({ status: "warn", fix: "WISP_HOME=/h wisp accept" });
    expect(check?.detail).toBe(
      "policy.json: 3 rules; policy.json: 2 looser rules wait for: WISP_HOME=/h wisp accept",
    );
  });

  it("that wait because their file is gone name the command, too", () => {
    const notices = ["policy.json: 1 looser rule waits for: wisp accept"];
    const [check] = checkPolicy(
      { files: [{ ...good, isThere: false, waits: "1 looser rule" }], notices },
      where,
    );
    expect(check).toMatchObject({ status: "warn", fix: "WISP_HOME=/h wisp accept" });
  });

  it("of the configuration are the strictest where its accepted copy counts for nothing, which accept makes whole", () => {
    const waiting = [{ key: "approval.ancestry", accepted: "always", file: "known" }] as const;
    const found = checkAccepted({ waiting, distrust: "its seal is not ours" }, where);
    expect(found).toMatchObject({ status: "warn", fix: "WISP_HOME=/h wisp accept" });
    expect(found.detail).toContain("counts for nothing: its seal is not ours; the strictest settings hold");
    expect(found.detail).toContain('approval.ancestry (in force: "always")');
    expect(checkAccepted({ waiting: [], distrust: null }, where).status).toBe("ok");
  });

  it("that cannot be used fail, beside the others", () => {
    const fault = new WispError("policy_invalid", "line 3: \u001b", { fix: "Correct it." });
    const checks = checkPolicy({ files: [{ ...good, fault }, good], notices: [] }, where);
    expect(checks.map(({ status }) => status)).toEqual(["fail", "ok"]);
    expect(checks[0]?.detail).toBe("policy.json: line 3: \\u{1b}");
    expect(checks[0]?.fix).toBe("Correct it.");
  });
});

describe("dialogs", () => {
  it("that nobody can have seen are counted in the end of the log, whatever else stands there", () => {
    const home = madeHome();
    expect(checkDialogs(recentDialogs(home.path)).status).toBe("ok");
    const line = (unseen: unknown) => `${JSON.stringify({ kind: "dialog.ended", details: { unseen } })}\n`;
    const text = `junk\nnull\n${line(true)}${line(false)}${line("true")}{"kind":"dialog.ended","details":null}\n`;
    mkdirSync(join(home.path, "audit"), { mode: 0o700 });
    writeFileSync(join(home.path, "audit", "log.jsonl"), text, { mode: 0o600 });
    expect(recentDialogs(home.path)).toEqual({ ended: 4, unseen: 1 });
    expect(checkDialogs(recentDialogs(home.path))).toMatchObject({
      status: "warn",
      detail: expect.stringContaining("1 of 4"),
    });
  });
});
