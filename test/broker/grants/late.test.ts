import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lateNameOf, mostLate } from "../../../src/broker/grants/late-names.js";
import { answerTo, approvalRequest } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { boundTo } from "../../support/grants.js";
import { GrantsHome } from "../../support/grants-home.js";
import { describeLateRequests, lateRequest } from "../../support/late-contract.js";
import { type LateShelf, memoryLateRequests } from "../../support/memory-late.js";
import { tempDirectory } from "../../support/temp-home.js";

describeLateRequests("in memory", () => {
  const shelf: LateShelf = new Map();
  const clock = new FakeClock();
  return { open: (seconds) => memoryLateRequests(shelf, clock, seconds), clock, close: () => {} };
});

describeLateRequests("in a directory", () => {
  const directory = mkdtempSync(join(tmpdir(), "wisp-test-"));
  const home = new GrantsHome(join(directory, "home"));
  return {
    open: (seconds) => home.openLate(seconds),
    clock: home.clock,
    close: () => rmSync(directory, { recursive: true }),
  };
});

type File = { readonly bound: object; readonly request: object; readonly life: { readonly forMs: number } };

describe("a late request in a file", () => {
  async function filed() {
    const home = new GrantsHome(join(tempDirectory(), "home"));
    const one = lateRequest();
    await home.openLate().file(one, true);
    const directory = join(home.path, "late");
    return { home, one, directory, path: join(directory, lateNameOf(one.request.id, one.bound)) };
  }

  const tampered: Readonly<Record<string, (file: File) => object>> = {
    "is bound to something else than what is shown": (file) => ({
      ...file,
      bound: { ...file.bound, subject: "rm -rf /" },
    }),
    "may be answered for longer": (file) => ({ ...file, life: { ...file.life, forMs: 10 ** 12 } }),
    "holds another request": (file) => ({ ...file, request: approvalRequest() }),
    "holds an altered request": (file) => ({ ...file, request: { ...file.request, says: "harmless" } }),
    "was told of later": (file) => ({ ...file, toldMsAgo: 1 }),
    "ended with a no": (file) => ({ ...file, how: "denied" }),
    "has a key more": (file) => ({ ...file, more: 1 }),
    "has another seal": (file) => ({ ...file, mac: "0".repeat(64) }),
  };

  it.each(Object.entries(tampered))("that %s cannot be answered, and is counted", async (_what, tamper) => {
    const { home, one, path } = await filed();
    const text = readFileSync(path, "utf8");
    writeFileSync(path, JSON.stringify(tamper(JSON.parse(text) as File)));
    const late = home.openLate();
    expect([late.read(one.request.id), late.alike(one.bound).ids]).toEqual([null, []]);
    expect(late.list()).toEqual({ requests: [], unreadable: 1 });
    writeFileSync(path, text);
    expect(home.openLate().read(one.request.id)).not.toBeNull();
  });

  it("is one request, whatever names its copies have", async () => {
    const { home, one, directory, path } = await filed();
    const copies = [
      "zzzzzzzz.json",
      lateNameOf("zzzzzzzz", one.bound),
      lateNameOf(one.request.id, boundTo({ server: "other" })),
    ];
    for (const name of copies) copyFileSync(path, join(directory, name));
    const late = home.openLate();
    expect(late.read("zzzzzzzz")).toBeNull();
    expect(late.list()).toMatchObject({ requests: [{ request: one.request }], unreadable: copies.length });
    expect(late.alike(one.bound).ids).toEqual([one.request.id]);
    expect(late.read(one.request.id)).not.toBeNull();
  });

  it("is not taken from a directory that others can reach, or that is a link", async () => {
    const { home, one, directory } = await filed();
    const late = home.openLate();
    const unsafe = expect.objectContaining({ code: "channel_unsafe" });
    chmodSync(directory, 0o755);
    expect(() => late.list()).toThrow(unsafe);
    expect(() => late.read(one.request.id)).toThrow(unsafe);
    expect(late.alike(one.bound)).toEqual({ ids: [], toldMsAgo: null });
    await expect(late.file(lateRequest(), true)).rejects.toEqual(unsafe);
    chmodSync(directory, 0o700);
    renameSync(directory, `${directory}.away`);
    symlinkSync(`${directory}.away`, directory);
    expect(() => late.list()).toThrow(unsafe);
    rmSync(directory);
    renameSync(`${directory}.away`, directory);
    expect(late.read(one.request.id)).not.toBeNull();
  });

  it("becomes one approval, however many answer it at once, and lives as long as it would have", async () => {
    const { home, one, path } = await filed();
    home.clock.advance(3_600_000);
    const late = home.openLate().read(one.request.id);
    if (late === null) throw new Error("it cannot be answered");
    const yes = { ...late, answer: answerTo(late.request) };
    home.record.answered(yes);
    const all = await Promise.all([1, 2, 3].map(() => home.open().keep(yes)));
    const [approval] = all.filter((one) => one !== null);
    expect(all.filter((one) => one === null)).toHaveLength(2);
    home.clock.advance(23 * 3_600_000);
    expect(home.open().find(boundTo())).toEqual(approval);
    expect(await home.open().claim(one.request.id)).toBe(true);
    expect(await home.open().keep(yes)).toBeNull();
    expect(readFileSync(path, "utf8")).not.toBe("");
    expect(home.open().find(boundTo())).toBeNull();
  });

  it("is swept with old temporaries beside it; nothing that cannot be read as ours is", async () => {
    const { home, one, directory, path } = await filed();
    for (const name of [".tmp.old", "junk"]) writeFileSync(join(directory, name), "", { mode: 0o600 });
    mkdirSync(join(directory, "zzzzzzzz.json"));
    const old = home.clock.now() / 1_000 - 61;
    utimesSync(join(directory, ".tmp.old"), old, old);
    expect(home.openLate().list()).toMatchObject({ requests: [{ request: one.request }], unreadable: 2 });
    home.clock.advance(86_400_001);
    expect(home.openLate().sweep()).toEqual([one.request.id]);
    expect(() => readFileSync(path)).toThrow("ENOENT");
    expect(home.openLate().list()).toEqual({ requests: [], unreadable: 2 });
  });

  it("is cleared away by a second sweep where there are very many: none keeps a server from its client for long", async () => {
    const home = new GrantsHome(join(tempDirectory(), "home"));
    const late = home.openLate();
    for (let filed = 0; filed < 130; filed += 1) await late.file(lateRequest(), false);
    home.clock.advance(600_001);
    const other = home.openLate();
    expect([other.sweep().length, other.sweep().length, other.sweep().length]).toEqual([100, 30, 0]);
  });

  it("is kept among the newest thousand, and those that go are the oldest", async () => {
    const { home, directory, path } = await filed();
    const old = home.clock.now() / 1_000;
    utimesSync(path, old, old);
    const others = Array.from({ length: mostLate }, (_, index) =>
      lateNameOf(`aaaa${1_000 + index}`, boundTo()),
    );
    for (const [index, name] of others.entries()) {
      writeFileSync(join(directory, name), "{}", { mode: 0o600 });
      utimesSync(join(directory, name), old + 1 + index, old + 1 + index);
    }
    for (const name of ["junk", "zzzzzzzz.json"]) writeFileSync(join(directory, name), "", { mode: 0o600 });
    const one = lateRequest();
    const late = home.openLate();
    await late.file(one, true);
    expect(readdirSync(directory).sort()).toEqual(
      [...others.slice(-899), lateNameOf(one.request.id, one.bound), "junk", "zzzzzzzz.json"].sort(),
    );
    expect(late.read(one.request.id)).not.toBeNull();
  });

  it("is not cleared away because a clock was set back after another start", async () => {
    const { home, one } = await filed();
    home.reboot();
    home.clock.jumpWallClock(-3_600_000);
    expect([home.openLate().sweep(), home.openLate().read(one.request.id)]).toEqual([[], null]);
    home.clock.jumpWallClock(3_600_000);
    expect(home.openLate().read(one.request.id)).not.toBeNull();
  });
});
