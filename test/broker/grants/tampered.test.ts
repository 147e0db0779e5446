import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openConsumedStates } from "../../../src/broker/grants/consumed.js";
import type { GrantStore, UnspentApproval } from "../../../src/broker/grants/grant-store.js";
import { canonicalJson } from "../../../src/broker/request/binding.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { answerTo, testServer } from "../../support/builders.js";
import { boundTo, yesTo } from "../../support/grants.js";
import { expectGoodOneWorks, expectUsedOnce, GrantsHome, left } from "../../support/grants-home.js";
import { tempDirectory } from "../../support/temp-home.js";

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

  it("is not used again when all of the home but keys/ is put back as it was before", async () => {
    const { home, approval } = await left();
    const nonce = "n".repeat(32);
    const before = join(tempDirectory(), "before");
    cpSync(home.path, before, { recursive: true });
    await expectUsedOnce(home, approval.id);
    expect(await openConsumedStates(home.options()).consume(nonce, 60_000)).toBe(true);
    rmSync(join(before, "keys"), { recursive: true });
    for (const name of readdirSync(home.path).filter((one) => one !== "keys"))
      rmSync(join(home.path, name), { recursive: true });
    cpSync(before, home.path, { recursive: true });
    // The log of before holds the yes and no effect of it.
    expect(home.record.of(approval.request.id)?.hasEffect).toBe(false);
    expect(home.open().find(boundTo())).toBeNull();
    expect(await home.open().claim(approval.id)).toBe(false);
    expect(await openConsumedStates(home.options()).consume(nonce, 60_000)).toBe(false);
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
    const spent = join(home.path, "away");
    renameSync(home.spent, spent);
    expect([home.open().find(boundTo()), await home.open().claim(approval.id)]).toEqual([null, false]);
    const drifted = boundTo({ state: "other" });
    expect(home.open().drifted(drifted)).toEqual([]);
    expect(home.open().list().unspent).toMatchObject([{ fault: "what was spent is gone" }]);
    renameSync(spent, home.spent);
    await expectUsedOnce(home, approval.id);
  });

  it("is not used either by the process that kept it: another one may have taken it back", async () => {
    const home = new GrantsHome(join(tempDirectory(), "home"));
    const [yes, grants] = [yesTo(), home.open()];
    home.record.answered(yes);
    await grants.keep(yes);
    rmSync(home.spent, { recursive: true });
    expect([grants.find(boundTo()), await grants.claim(yes.request.id)]).toEqual([null, false]);
    await expectGoodOneWorks(home);
    expect(await grants.claim(yes.request.id)).toBe(false);
    expect(grants.find(boundTo())).toBeNull();
  });

  it("goes before all that was spent is made anew, also by a rule, so that nothing is used once more", async () => {
    const { home, approval, path } = await left();
    const text = readFileSync(path, "utf8");
    await expectUsedOnce(home, approval.id);
    const rule = { rule: "Bash(ls)", client: "c", directory: null, request: "k7q2mx9d", server: testServer };
    const keep: readonly ((grants: GrantStore) => unknown)[] = [
      (grants) => grants.keep(yesTo({ bound: boundTo({ server: "other" }) })),
      (grants) => grants.keepRule(rule, 60_000, 60_000),
    ];
    for (const one of keep) {
      write(path, text);
      rmSync(home.spent, { recursive: true });
      await one(home.open());
      expect([existsSync(path), existsSync(home.spent), home.open().find(boundTo())]).toEqual([
        false,
        true,
        null,
      ]);
    }
    await expectGoodOneWorks(home);
  });

  it("is taken back alone where all that was spent is gone, and stays so for whoever took it back", async () => {
    const { home, approval, path } = await left();
    const other = yesTo({ bound: boundTo({ server: "other" }) });
    home.record.answered(other);
    await home.open().keep(other);
    const text = readFileSync(path, "utf8");
    rmSync(home.spent, { recursive: true });
    const grants = home.open();
    expect([await grants.revoke(approval.id), await grants.revoke(approval.id)]).toEqual([true, false]);
    expect(readdirSync(home.grants)).toEqual([`${other.request.id}.json`]);
    mkdirSync(home.spent, { mode: 0o700 });
    write(path, text);
    expect([grants.find(boundTo()), await grants.claim(approval.id)]).toEqual([null, false]);
    rmSync(path);
    await expectGoodOneWorks(home);
  });

  it("that cannot be removed keeps what was spent from being made anew", async () => {
    const { home, path } = await left();
    rmSync(home.spent, { recursive: true });
    execFileSync("chmod", ["755", home.grants]);
    await expect(home.open().keep(yesTo())).rejects.toMatchObject({ code: "channel_unsafe" });
    expect([existsSync(path), existsSync(home.spent)]).toEqual([true, false]);
    execFileSync("chmod", ["700", home.grants]);
    await expectGoodOneWorks(home);
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
