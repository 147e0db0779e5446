import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../src/broker/system/clock.js";
import { answerTo, approvalRequest, testServer } from "../../support/builders.js";
import { boundTo, yesTo } from "../../support/grants.js";
import { expectGoodOneWorks, expectUsedOnce, GrantsHome, left } from "../../support/grants-home.js";
import { everyDraft } from "../../support/request-kinds.js";
import { tempDirectory } from "../../support/temp-home.js";

const hour = 3_600_000;

describe("an approval that outlives its process", () => {
  it("is used once by the next one, and lies whole and private in its file", async () => {
    const { home, approval, path } = await left();
    const { v, kind, mac, ...rest } = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    expect([v, kind, rest]).toEqual([1, "unspent", JSON.parse(JSON.stringify(approval))]);
    expect(mac).toMatch(/^[0-9a-f]{64}$/);
    await expectUsedOnce(home, approval.id);
    expect(readdirSync(home.grants)).toEqual([]);
    expect(readdirSync(home.spent)).toEqual([`${approval.id}.json`]);
  });

  it.each(Object.entries(everyDraft()).filter(([, draft]) => draft.kind === "approval"))(
    "may be of %s",
    async (_what, draft) => {
      const request = approvalRequest(draft as Parameters<typeof approvalRequest>[0]);
      const { home, approval } = await left({ request, answer: answerTo(request) });
      expect(home.open().find(boundTo())).toEqual(approval);
    },
  );

  it("expires by the uptime while the machine runs, and by both bounds of the wall clock after another start", async () => {
    const { home } = await left();
    home.clock.jumpWallClock(-3_600_000);
    expect(home.open().find(boundTo())).not.toBeNull();
    home.reboot();
    expect(home.open().find(boundTo())).toBeNull();
    home.clock.jumpWallClock(3_600_000);
    expect(home.open().find(boundTo())).not.toBeNull();
    home.clock.advance(300_000);
    expect(home.open().find(boundTo())).not.toBeNull();
    home.clock.advance(1);
    expect(home.open().find(boundTo())).toBeNull();
  });

  it("ends when it would have, also after it was given back and the wall clock was set back", async () => {
    const home = new GrantsHome(join(tempDirectory(), "home"));
    // Where the system tells no boots, the wall clock is all there is for a process that starts.
    home.boot = "";
    const [yes, grants] = [yesTo(), home.open()];
    home.record.answered(yes);
    await grants.keep(yes);
    expect(await grants.claim(yes.request.id)).toBe(true);
    home.clock.advance(200_000);
    home.clock.jumpWallClock(-200_000);
    const again = await grants.release(yes.request.id);
    home.clock.advance(100_000);
    expect(grants.find(boundTo())).toEqual(again);
    home.clock.advance(1);
    expect(grants.find(boundTo())).toBeNull();
    expect(await grants.claim(again?.id ?? "")).toBe(false);
  });

  it("that began before this boot is not brought back by a clock that is an hour behind", async () => {
    const { home } = await left({});
    home.reboot();
    home.clock.advance(3_600_000 + 60_000);
    home.clock.jumpWallClock(-3_600_000);
    expect(home.open().find(boundTo())).toBeNull();
  });
});

describe("keeping an approval", () => {
  it("is refused for a request that is not as it was filed", async () => {
    const { home } = await left({ bound: boundTo({ server: "other" }) });
    const { request, ...rest } = yesTo();
    const altered = { ...rest, request: { ...request, says: "harmless" } };
    await expect(home.open().keep(altered)).rejects.toThrow(TypeError);
    expect(await home.open().keep({ ...rest, request })).not.toBeNull();
  });

  it("fails aloud where something else stands under its name, which stays", async () => {
    const { home } = await left();
    const yes = yesTo();
    home.record.answered(yes);
    const path = join(home.grants, `${yes.request.id}.json`);
    mkdirSync(path);
    await expect(home.open().keep(yes)).rejects.toMatchObject({
      code: "channel_unavailable",
      details: { path },
    });
    expect(existsSync(path)).toBe(true);
    rmSync(path, { recursive: true });
    expect(await home.open().keep(yes)).not.toBeNull();
  });

  it("keeps nothing that another process kept and spent meanwhile", async () => {
    const { home } = await left({ bound: boundTo({ server: "other" }) });
    const yes = yesTo();
    home.record.answered(yes);
    const spent = join(home.spent, `${yes.request.id}.json`);
    // Drawn when the name was looked at already.
    const randomBytes = (size: number) => {
      write(spent, "");
      return systemClock.randomBytes(size);
    };
    expect(await home.open({ clock: { ...systemClock, randomBytes } }).keep(yes)).toBeNull();
    expect(home.open().find(boundTo())).toBeNull();
    await expectGoodOneWorks(home);
  });

  it("makes nothing before, and only private directories then", async () => {
    const home = new GrantsHome(join(tempDirectory(), "home"));
    const grants = home.open();
    expect([grants.find(boundTo()), grants.list().unspent, grants.expire()]).toEqual([null, [], []]);
    expect([await grants.claim("k7q2mx9d"), await grants.revoke("k7q2mx9d")]).toEqual([false, false]);
    expect(readdirSync(home.path)).toEqual([]);
    await expectGoodOneWorks(home);
  });
});

describe("clearing away", () => {
  it("removes the rules of servers that are gone and old temporaries, and nothing that cannot be read as ours", async () => {
    const { home, approval } = await left();
    const isServerGone = ({ instance }: { instance: string }) => instance !== testServer.instance;
    const grants = home.open({ isServerGone });
    const rule = { rule: "Bash(ls)", client: "c", directory: null, request: approval.id };
    const stays = grants.keepRule({ ...rule, server: testServer }, 60_000, 60_000);
    const goes = grants.keepRule(
      { ...rule, server: { ...testServer, instance: "zzzzzzzzzzzzzzzz" } },
      60_000,
      60_000,
    );
    for (const name of ["junk", "zzzzzzzz.json", ".tmp.old", ".tmp.new"])
      write(join(home.grants, name), "{}");
    const now = home.clock.now() / 1_000;
    utimesSync(join(home.grants, ".tmp.old"), now - 61, now - 61);
    utimesSync(join(home.grants, ".tmp.new"), now, now);
    expect(grants.list().unreadable).toBe(2);
    expect(grants.expire()).toEqual([goes]);
    const left_ = [".tmp.new", "junk", `${approval.id}.json`, `${stays}.json`, "zzzzzzzz.json"];
    expect(readdirSync(home.grants).sort()).toEqual(left_.sort());
    expect([grants.isRuleKept(stays), grants.isRuleKept(goes)]).toEqual([true, false]);
  });

  it("never removes what says that something was spent", async () => {
    const { home, approval } = await left();
    expect(await home.open().claim(approval.id)).toBe(true);
    home.clock.advance(10 * 365 * 24 * 3_600_000);
    home.open().expire();
    expect(readdirSync(home.spent)).toEqual([`${approval.id}.json`]);
  });
});

describe("the handle of a rule", () => {
  it("that was taken away does not count when it comes back", async () => {
    const home = new GrantsHome(join(tempDirectory(), "home"));
    const grants = home.open();
    const rule = { rule: "Bash(ls)", client: "c", directory: null, request: "k7q2mx9d", server: testServer };
    const [away, revoked] = [grants.keepRule(rule, 60_000, 60_000), grants.keepRule(rule, 60_000, 60_000)];
    const path = join(home.grants, `${away}.json`);
    renameSync(path, `${path}.away`);
    expect(grants.isRuleKept(away)).toBe(false);
    renameSync(`${path}.away`, path);
    expect(grants.isRuleKept(away)).toBe(false);
    const text = readFileSync(join(home.grants, `${revoked}.json`), "utf8");
    expect(await home.open().revoke(revoked)).toBe(true);
    write(join(home.grants, `${revoked}.json`), text);
    expect(grants.isRuleKept(revoked)).toBe(false);
    const listed = grants.list().sessions.map(({ rule: { id }, fault }) => [id, fault]);
    expect(new Map(listed as [string, string | null][])).toEqual(
      new Map([
        [away, null],
        [revoked, "it is spent"],
      ]),
    );
    expect(grants.isRuleKept(grants.keepRule(rule, 60_000, 60_000))).toBe(true);
  });

  it("does not count where all that was spent is gone, and can be taken away", async () => {
    const home = new GrantsHome(join(tempDirectory(), "home"));
    const grants = home.open();
    const rule = { rule: "Bash(ls)", client: "c", directory: null, request: "k7q2mx9d", server: testServer };
    const id = grants.keepRule(rule, 60_000, 60_000);
    rmSync(home.spent, { recursive: true });
    expect(grants.list().sessions).toMatchObject([{ rule: { id }, fault: "what was spent is gone" }]);
    expect(grants.isRuleKept(id)).toBe(false);
    expect(await home.open().revoke(id)).toBe(true);
    expect(grants.list().sessions).toEqual([]);
    expect(grants.isRuleKept(grants.keepRule(rule, 60_000, 60_000))).toBe(true);
  });

  it("ends unused while the machine sleeps, and by no setting of the wall clock", () => {
    const home = new GrantsHome(join(tempDirectory(), "home"));
    const grants = home.open();
    const rule = { rule: "Bash(ls)", client: "c", directory: null, request: "k7q2mx9d", server: testServer };
    const id = grants.keepRule(rule, 12 * hour, 2 * hour);
    for (const [index, by] of [3 * hour, -24 * hour].entries()) {
      home.clock.jumpWallClock(by);
      home.upSinceMs += hour;
      expect([grants.isRuleKept(id), home.open().expire()]).toEqual([true, []]);
      grants.noteRuleUsed(id);
      const [{ fault = "gone", rule: { life, idle } = expect.fail("It is gone.") } = {}] = home
        .open()
        .list().sessions;
      expect([fault, idle.from.uptimeMs - life.from.uptimeMs]).toEqual([null, (index + 1) * hour]);
    }
    home.upSinceMs += 2 * hour;
    expect([grants.isRuleKept(id), home.open().list().sessions[0]?.fault]).toEqual([true, null]);
    grants.noteRuleUsed(id);
    home.upSinceMs += 2 * hour + 1;
    expect(home.open().list().sessions).toMatchObject([{ fault: "it has expired" }]);
    expect([grants.isRuleKept(id), home.open().expire()]).toEqual([false, [id]]);
    expect(grants.isRuleKept(grants.keepRule(rule, 12 * hour, 2 * hour))).toBe(true);
  });

  it("says nothing by the time of another file that stands under its name", () => {
    const home = new GrantsHome(join(tempDirectory(), "home"));
    const grants = home.open();
    const rule = { rule: "Bash(ls)", client: "c", directory: null, request: "k7q2mx9d", server: testServer };
    const path = join(home.grants, `${grants.keepRule(rule, hour, hour)}.json`);
    const other = join(home.path, "other");
    write(other, "");
    const before = statSync(other).mtimeMs;
    rmSync(path);
    symlinkSync(other, path);
    grants.noteRuleUsed(basename(path, ".json"));
    expect(statSync(other).mtimeMs).toBe(before);
    expect(grants.isRuleKept(basename(path, ".json"))).toBe(false);
    expect(grants.isRuleKept(grants.keepRule(rule, hour, hour))).toBe(true);
  });

  it("gets a name of its own, and is taken away only by whoever put it there", () => {
    const home = new GrantsHome(join(tempDirectory(), "home"));
    const rule = { rule: "Bash(ls)", client: "c", directory: null, request: "k7q2mx9d", server: testServer };
    // Each name is drawn twice.
    let drawn = 0;
    const randomBytes = (size: number) =>
      new Uint8Array(size).fill(size > 12 ? Math.floor(drawn++ / 2) : drawn);
    const grants = home.open({ clock: { ...systemClock, randomBytes } });
    const ids = [1, 2, 3].map(() => grants.keepRule(rule, 60_000, 60_000));
    expect(new Set(ids).size).toBe(3);
    home.open().endRule(ids[0] ?? "");
    expect(ids.map((id) => grants.isRuleKept(id))).toEqual([true, true, true]);
  });

  it("allows nothing to a process that did not set it up", () => {
    const home = new GrantsHome(join(tempDirectory(), "home"));
    const id = home
      .open()
      .keepRule(
        { rule: "Bash(*)", client: "c", directory: null, request: "k7q2mx9d", server: testServer },
        60_000,
        60_000,
      );
    expect(home.open().isRuleKept(id)).toBe(false);
    expect(home.open().find(boundTo())).toBeNull();
  });
});

function write(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
}
