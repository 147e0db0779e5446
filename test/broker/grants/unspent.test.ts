import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { UnspentApproval, Yes } from "../../../src/broker/approval/grants.js";
import { canonicalJson } from "../../../src/broker/request/binding.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { systemClock } from "../../../src/broker/system/clock.js";
import { answerTo, approvalRequest, testServer } from "../../support/builders.js";
import { boundTo, yesTo } from "../../support/grants.js";
import { GrantsHome } from "../../support/grants-home.js";
import { everyDraft } from "../../support/request-kinds.js";
import { tempDirectory } from "../../support/temp-home.js";

/** A home in which a process that is gone kept one approval. */
async function left(overrides: Partial<Yes> = {}) {
  const home = new GrantsHome(join(tempDirectory(), "home"));
  const yes = yesTo(overrides);
  home.record.answered(yes);
  const approval = await home.open().keep(yes);
  if (approval === null) throw new Error("it was not kept");
  return { home, yes, approval, path: join(home.grants, `${approval.id}.json`) };
}

async function expectUsedOnce(home: GrantsHome, id: string): Promise<void> {
  expect(home.open().find(boundTo())?.id).toBe(id);
  expect(await home.open().claim(id)).toBe(true);
  expect(await home.open().claim(id)).toBe(false);
  expect(home.open().find(boundTo())).toBeNull();
}

/** An approval that nothing is wrong with still works beside what was refused. */
async function expectGoodOneWorks(home: GrantsHome): Promise<void> {
  const yes = yesTo();
  home.record.answered(yes);
  await home.open().keep(yes);
  await expectUsedOnce(home, yes.request.id);
}

describe("an approval that outlives its process", () => {
  it("is used once by the next one, and lies whole and private in its file", async () => {
    const { home, approval, path } = await left();
    const { v, kind, mac, ...rest } = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    expect([v, kind, rest]).toEqual([1, "unspent", JSON.parse(JSON.stringify(approval))]);
    expect(mac).toMatch(/^[0-9a-f]{64}$/);
    await expectUsedOnce(home, approval.id);
    expect(readdirSync(home.grants).sort()).toEqual(["spent"]);
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

  it("is not spent when it expires while the disk makes its claim wait", async () => {
    const { home, approval } = await left();
    const grants = home.open();
    const claim = grants.claim(approval.id);
    home.clock.advance(300_001);
    expect(await claim).toBe(false);
    expect(readdirSync(home.spent)).toEqual([]);
    await expectGoodOneWorks(home);
  });

  it("that began before this boot is not brought back by a clock that is an hour behind", async () => {
    const { home } = await left({});
    home.reboot();
    home.clock.advance(3_600_000 + 60_000);
    home.clock.jumpWallClock(-3_600_000);
    expect(home.open().find(boundTo())).toBeNull();
  });
});

describe("an approval that was tampered with", () => {
  const hostile: Readonly<Record<string, (path: string, approval: UnspentApproval) => void>> = {
    "half written": (path) => truncateSync(path, 700),
    empty: (path) => truncateSync(path, 0),
    huge: (path) => truncateSync(path, 600 * 1024),
    "a link": (path) => {
      renameSync(path, `${path}.away`);
      symlinkSync(`${path}.away`, path);
    },
    "a FIFO": (path) => {
      rmSync(path);
      execFileSync("mkfifo", ["-m", "600", path]);
    },
    "a directory": (path) => {
      rmSync(path);
      mkdirSync(path);
    },
    "open to others": (path) => execFileSync("chmod", ["644", path]),
    "under a key twice": (path) => write(path, readFileSync(path, "utf8").replace("{", '{"v":1,')),
    "with a key more": (path) => edit(path, (file) => ({ ...file, more: 1 })),
    "of a newer version": (path) => edit(path, (file) => ({ ...file, v: 2 })),
    "sealed by nobody": (path) => edit(path, (file) => ({ ...file, mac: "0".repeat(64) })),
    "without its seal": (path) => edit(path, ({ mac: _mac, ...file }) => file),
  };

  it.each(Object.entries(hostile))("is not used when it is %s, and hides no other", async (_what, tamper) => {
    const { home, approval, path } = await left();
    tamper(path, approval);
    expect(home.open().find(boundTo())).toBeNull();
    expect(await home.open().claim(approval.id)).toBe(false);
    await expectGoodOneWorks(home);
  });

  it("is not used when any value in it was changed", async () => {
    const { home, approval, path } = await left();
    const whole = JSON.parse(readFileSync(path, "utf8")) as object;
    const places = leaves(whole).filter(([first]) => first !== "v" && first !== "kind");
    expect(places.length).toBeGreaterThan(30);
    fc.assert(
      fc.property(fc.constantFrom(...places), (place) => {
        write(path, JSON.stringify(changedAt(whole, place)));
        expect(home.open().find(boundTo())).toBeNull();
        const rest = home
          .open()
          .list()
          .unspent.filter(({ fault }) => fault === null);
        expect(rest).toEqual([]);
      }),
      { numRuns: 200 },
    );
    write(path, JSON.stringify(whole));
    await expectUsedOnce(home, approval.id);
  });

  it("is one approval, however many copies of it lie there, under whatever names", async () => {
    const { home, approval, path } = await left();
    copyFileSync(path, join(home.grants, "zzzzzzzz.json"));
    copyFileSync(path, join(home.grants, "copy.json"));
    linkSync(path, join(home.grants, "yyyyyyyy.json"));
    edit(join(home.grants, "zzzzzzzz.json"), (file) => ({ ...file, id: "zzzzzzzz" }));
    await expectUsedOnce(home, approval.id);
    for (const id of ["zzzzzzzz", "yyyyyyyy", "copy"]) expect(await home.open().claim(id)).toBe(false);
    expect(home.open().list()).toMatchObject({ unspent: [{ fault: "its seal is not ours" }], unreadable: 2 });
  });

  it("is not used again when it is restored after it was spent", async () => {
    const { home, approval, path } = await left();
    const text = readFileSync(path, "utf8");
    await expectUsedOnce(home, approval.id);
    write(path, text);
    expect(home.open().find(boundTo())).toBeNull();
    expect(await home.open().claim(approval.id)).toBe(false);
    expect(home.open().list().unspent).toMatchObject([{ fault: "it is spent" }]);
    expect(home.open().expire()).toEqual([approval.id]);
    await expectGoodOneWorks(home);
  });

  it("is not used again, even when all that was spent is made to be forgotten", async () => {
    const { home, yes, approval, path } = await left();
    const text = readFileSync(path, "utf8");
    const grants = home.open();
    expect(await grants.claim(approval.id)).toBe(true);
    rmSync(home.spent, { recursive: true });
    write(path, text);
    expect(grants.find(boundTo())).toBeNull();
    expect(await grants.claim(approval.id)).toBe(false);
    mkdirSync(home.spent, { mode: 0o700 });
    expect(await grants.claim(approval.id)).toBe(false);
    // Another process has only the log to go by.
    home.record.started(yes);
    expect(await home.open().claim(approval.id)).toBe(false);
    await expectGoodOneWorks(home);
  });

  it("is not used where all that was spent is gone: nobody can say whether it was", async () => {
    const { home, approval } = await left();
    rmSync(home.spent, { recursive: true });
    await expect(home.open().claim(approval.id)).rejects.toMatchObject({
      code: "channel_unavailable",
      message: "The approval cannot be marked as spent, so nothing runs.",
      why: `${home.spent} does not exist. It is not spent.`,
    });
    mkdirSync(home.spent, { mode: 0o700 });
    await expectUsedOnce(home, approval.id);
  });

  it("is not used under the seal of another home", async () => {
    const { home } = await left();
    const other = await left();
    copyFileSync(other.path, join(home.grants, `${other.approval.id}.json`));
    home.record.answered(other.yes);
    expect(
      home
        .open()
        .list()
        .unspent.filter(({ fault }) => fault === null),
    ).toHaveLength(1);
    expect(await home.open().claim(other.approval.id)).toBe(false);
    expect(await other.home.open().claim(other.approval.id)).toBe(true);
  });

  it("is not used, and no secret is made, where the secret is gone or wrong", async () => {
    const { home, approval } = await left();
    const secret = join(home.path, "keys", "root");
    const right = readFileSync(secret);
    rmSync(secret);
    expect(home.open().find(boundTo())).toBeNull();
    expect(existsSync(secret)).toBe(false);
    write(secret, "short");
    expect(home.open().find(boundTo())).toBeNull();
    await expect(home.open().keep(yesTo())).rejects.toMatchObject({ code: "channel_unsafe" });
    writeFileSync(secret, right);
    await expectUsedOnce(home, approval.id);
  });

  it("is not used when the audit log cannot be read, holds no yes, or another one", async () => {
    const { home, yes, approval } = await left();
    expect(home.open({ recorded: () => null }).find(boundTo())).toBeNull();
    expect(home.open({ recorded: () => ({ approvals: [], hasEffect: false }) }).find(boundTo())).toBeNull();
    home.record.answered({ ...yes, answer: answerTo(yes.request, { answeredAt: 1 }) });
    expect(home.open().list().unspent).toMatchObject([{ fault: "the audit log does not hold its yes" }]);
    home.record.answered(yes);
    await expectUsedOnce(home, approval.id);
  });

  it("is not taken from a directory that is a link", async () => {
    const { home, approval } = await left();
    renameSync(home.grants, `${home.grants}.away`);
    symlinkSync(`${home.grants}.away`, home.grants);
    expect(home.open().find(boundTo())).toBeNull();
    await expect(home.open().claim(approval.id)).rejects.toMatchObject({ code: "channel_unsafe" });
    expect(() => home.open().list()).toThrow(WispError);
    rmSync(home.grants);
    renameSync(`${home.grants}.away`, home.grants);
    await expectUsedOnce(home, approval.id);
  });
});

describe("keeping an approval", () => {
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
    const stays = grants.keepRule({ ...rule, server: testServer }, 60_000);
    const goes = grants.keepRule(
      { ...rule, server: { ...testServer, instance: "zzzzzzzzzzzzzzzz" } },
      60_000,
    );
    for (const name of ["junk", "zzzzzzzz.json", ".tmp.old", ".tmp.new"])
      write(join(home.grants, name), "{}");
    const now = home.clock.now() / 1_000;
    utimesSync(join(home.grants, ".tmp.old"), now - 61, now - 61);
    utimesSync(join(home.grants, ".tmp.new"), now, now);
    expect(grants.list().unreadable).toBe(2);
    expect(grants.expire()).toEqual([goes]);
    const left_ = [".tmp.new", "junk", `${approval.id}.json`, `${stays}.json`, "spent", "zzzzzzzz.json"];
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
    const [away, revoked] = [grants.keepRule(rule, 60_000), grants.keepRule(rule, 60_000)];
    const path = join(home.grants, `${away}.json`);
    renameSync(path, `${path}.away`);
    expect(grants.isRuleKept(away)).toBe(false);
    renameSync(`${path}.away`, path);
    expect(grants.isRuleKept(away)).toBe(false);
    const text = readFileSync(join(home.grants, `${revoked}.json`), "utf8");
    expect(await home.open().revoke(revoked)).toBe(true);
    write(join(home.grants, `${revoked}.json`), text);
    expect(grants.isRuleKept(revoked)).toBe(false);
    expect(grants.list().sessions.map(({ id }) => id)).toEqual([away]);
    expect(grants.isRuleKept(grants.keepRule(rule, 60_000))).toBe(true);
  });

  it("allows nothing to a process that did not set it up", () => {
    const home = new GrantsHome(join(tempDirectory(), "home"));
    const id = home
      .open()
      .keepRule(
        { rule: "Bash(*)", client: "c", directory: null, request: "k7q2mx9d", server: testServer },
        60_000,
      );
    expect(home.open().isRuleKept(id)).toBe(false);
    expect(home.open().find(boundTo())).toBeNull();
  });
});

function write(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
}

type File = Readonly<Record<string, unknown>>;

function edit(path: string, change: (file: File) => File): void {
  write(path, JSON.stringify(change(JSON.parse(readFileSync(path, "utf8")) as File)));
}

type Place = readonly string[];

/** Where every text, number and null stands. */
function leaves(value: unknown): readonly Place[] {
  if (typeof value !== "object" || value === null) return [[]];
  return Object.entries(value).flatMap(([key, one]) => leaves(one).map((place) => [key, ...place]));
}

/** The same with one leaf changed into something else of its kind. */
function changedAt(value: unknown, [key, ...rest]: Place): unknown {
  if (key === undefined) return otherThan(value);
  if (Array.isArray(value)) return value.map((one, at) => (String(at) === key ? changedAt(one, rest) : one));
  const object = value as File;
  return { ...object, [key]: changedAt(object[key], rest) };
}

function otherThan(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (value === null) return "k7q2mx9d";
  const text = String(value);
  // Hashes, ids and words of the format stay what they are in shape.
  const changed = text.replace(/[0-9a-f]/, (digit) => (digit === "0" ? "1" : "0"));
  return canonicalJson(changed) === canonicalJson(text) ? `${text}x` : changed;
}
