import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Home, homeAt } from "../../../src/broker/channel/home.js";
import { startedAtOf } from "../../../src/broker/identity/process.js";
import { requestFileName } from "../../../src/broker/request/request.js";
import { checkNode } from "../../../src/cli/doctor/checks.js";
import { fileByDeadServer } from "../../support/answering.js";
import { approvalDraft } from "../../support/builders.js";
import { writeAcceptedConfig, writeConfig } from "../../support/config-files.js";
import { ptyMissing, startInPty } from "../../support/pty.js";
import { minutesAgo, plantJunk, runDoctor as run } from "../../support/run-doctor.js";
import { madeHome, openAsker, tempDirectory, tempHome } from "../../support/temp-home.js";

interface CheckJson {
  readonly name: string;
  readonly status: string;
  readonly detail: string;
  readonly fix?: string;
}

async function checks(home: Home): Promise<{ exit: number; ok: boolean; checks: Record<string, CheckJson> }> {
  const { exit, out } = await run({ json: true }, { home, canAnswer: false, isTerminal: false });
  const told = JSON.parse(out) as { schemaVersion: number; ok: boolean; checks: CheckJson[] };
  expect(told.schemaVersion).toBe(1);
  return { exit, ok: told.ok, checks: Object.fromEntries(told.checks.map((check) => [check.name, check])) };
}

function replaceByDirectory(path: string): void {
  rmSync(path);
  mkdirSync(path);
}

function replaceByDevice(path: string): void {
  rmSync(path);
  symlinkSync("/dev/null", path);
}

describe("wisp doctor", () => {
  it("finds nothing wrong where there is no home yet, and makes none", async () => {
    const home = tempHome();
    const told = await checks(home);
    expect(told).toMatchObject({ exit: 0, ok: true });
    expect(Object.keys(told.checks)).toEqual(["node", "home", "shell", "clients", "banners"]);
    expect(existsSync(home.path)).toBe(false);
  });

  it("warns of live servers that use another home, with it, where there is a home and where there is none", async () => {
    const elsewhere = async () => [
      { pid: 42, path: "/home/p/other" },
      { pid: 43, path: "/x\u001b" },
    ];
    const ways = { canAnswer: false, isTerminal: false };
    for (const home of [tempHome(), madeHome()]) {
      const { exit, out } = await run({}, { home, ...ways }, { elsewhere });
      expect([exit, out]).toEqual([
        0,
        expect.stringContaining(
          `warn  elsewhere 2 live servers use another home than ${home.path}, so nothing of theirs shows here: process 42: /home/p/other, process 43: /x\\u{1b}\n                fix: WISP_HOME=/home/p/other wisp doctor\n`,
        ),
      ]);
      expect((await run({}, { home, ...ways }, { elsewhere: async () => [] })).out).not.toContain(
        "elsewhere",
      );
    }
  });

  it("breaks what it found at blanks, below itself, and no repair", async () => {
    const home = tempHome();
    openAsker(home).channel.file(approvalDraft(), []);
    const { out } = await run({}, { home, columns: 60 });
    const rows = out.split("\n").filter((row) => !row.includes("fix: "));
    const found = (await run({}, { home, isTerminal: false })).out.split("\n");
    const whole = found.find((row) => row.includes(" floors ")) ?? "";
    const from = rows.findIndex((row) => row.includes(" floors "));
    const to = rows.findIndex((row, index) => index > from && !row.startsWith(" "));
    expect(to - from).toBeGreaterThan(1);
    expect(
      rows
        .slice(from, to)
        .map((row) => row.slice(16))
        .join(" "),
    ).toBe(whole.slice(16));
    const words = rows.filter((row) => row.trim().includes(" ") && row.length > 60);
    expect(words).toEqual([]);
  });

  it("looks at everything of a home that is in use, and changes nothing in it", async () => {
    const home = tempHome();
    openAsker(home).channel.file(approvalDraft(), []);
    const before = readdirSync(home.path, { recursive: true }).sort();
    const told = await checks(home);
    expect(told).toMatchObject({ exit: 0, ok: true });
    expect(Object.values(told.checks).map(({ name, status }) => [name, status])).toEqual([
      ["node", "ok"],
      ["home", "ok"],
      ["keys", "ok"],
      ["config", "ok"],
      ["accepted", "ok"],
      ["policy", "ok"],
      ["floors", "ok"],
      ["pending", "ok"],
      ["links", "ok"],
      ["watch", "ok"],
      ["clock", "ok"],
      ["requests", "ok"],
      ["servers", "ok"],
      ["shell", "ok"],
      ["answers", "ok"],
      ["grants", "ok"],
      ["gates", "ok"],
      ["facts", "ok"],
      ["clients", "ok"],
      ["dialogs", "ok"],
      ["banners", "warn"],
      ["audit", "ok"],
    ]);
    expect(told.checks.servers?.detail).toContain(`1 live: unnamed client (process ${process.pid})`);
    expect(readdirSync(home.path, { recursive: true }).sort()).toEqual(before);
  });

  it.each<[string, (path: string) => string]>([
    ["its parent does not exist", (path) => join(path, "missing", "home")],
    [
      "its parent is a file",
      (path) => {
        writeFileSync(join(path, "file"), "");
        return join(path, "file", "home");
      },
    ],
    [
      "others can replace it",
      (path) => {
        mkdirSync(join(path, "open"));
        chmodSync(join(path, "open"), 0o777);
        return join(path, "open", "home");
      },
    ],
    ["its name is too long", (path) => join(path, "x".repeat(300))],
    [
      "a link to nowhere stands there",
      (path) => {
        symlinkSync(join(path, "nowhere"), join(path, "home"));
        return join(path, "home");
      },
    ],
  ])("fails where a home cannot be made because %s", async (_what, spoil) => {
    const directory = tempDirectory();
    const told = await checks(homeAt(spoil(directory), false));
    expect(told.ok).toBe(false);
    expect(told.checks.home).toMatchObject({ status: "fail" });
    expect(await checks(homeAt(join(directory, "good"), false))).toMatchObject({ exit: 0, ok: true });
  });

  it.each<[string, (log: string) => void, RegExp]>([
    ["others can read it", (log) => chmodSync(log, 0o644), /^chmod 600 .*log\.jsonl$/],
    ["it is a directory", replaceByDirectory, /^mv /],
    ["it is a link", replaceByDevice, /^mv /],
  ])("fails when no decision can be written down because of the log: %s", async (_what, spoil, fix) => {
    const home = madeHome();
    const log = join(home.path, "audit", "log.jsonl");
    mkdirSync(join(home.path, "audit"), { mode: 0o700 });
    writeFileSync(log, "", { mode: 0o600 });
    expect((await checks(home)).checks.audit).toMatchObject({ status: "ok" });
    spoil(log);
    const told = await checks(home);
    expect(told).toMatchObject({ exit: 1, ok: false });
    expect(told.checks.audit).toMatchObject({ status: "fail" });
    expect(told.checks.audit?.fix).toMatch(fix);
  });

  it.each(["settled", "rejected", "servers", "spool", "audit"])(
    "fails with 8 when %s/ is open to others or a link to nowhere",
    async (name) => {
      const home = madeHome();
      const path = join(home.path, name);
      mkdirSync(path, { recursive: true, mode: 0o700 });
      expect(await checks(home)).toMatchObject({ exit: 0 });
      chmodSync(path, 0o755);
      expect(await checks(home)).toMatchObject({ exit: 8, ok: false });
      rmSync(path, { recursive: true });
      symlinkSync(join(home.path, "nowhere"), path);
      expect(await checks(home)).toMatchObject({ exit: 8, ok: false });
    },
  );

  it("warns of a request that was changed, and the command that it names ends it", async () => {
    const home = tempHome();
    const request = openAsker(home).channel.file(approvalDraft(), []);
    const file = join(home.pending, requestFileName(request));
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("git push", "git evil"));
    const { requests } = (await checks(home)).checks;
    expect(requests).toMatchObject({ status: "warn", fix: `rm ${file}` });
    expect(requests?.detail).toContain(`1 changed after filing, by another program of yours: ${request.id}`);
    unlinkSync(file);
    expect((await checks(home)).checks.requests).toMatchObject({ status: "ok" });
  });

  it("prints a line for each check, and below it the command that repairs", async () => {
    const home = madeHome();
    plantJunk(home, "junkjunk.request.json", minutesAgo(5));
    writeFileSync(join(home.path, "format"), "wisp-broker 1\n", { mode: 0o600 });
    const { exit, out } = await run({}, { home, columns: 400 });
    expect(exit).toBe(0);
    expect(out).toContain(`ok    home      ${home.path} (not the default) is private and ours\n`);
    expect(out).toContain(
      "warn  pending   0 waiting; 1 file is no request (junkjunk.request.json: not JSON)",
    );
    expect(out).toContain(`\n                fix: WISP_HOME=${home.path} wisp doctor --fix\n`);
  });

  it.each<[string, (home: Home) => void, RegExp]>([
    ["others can open pending/", (home) => chmodSync(home.pending, 0o750), /chmod 700 .*pending/],
    ["others can open settled/", (home) => chmodSync(home.settled, 0o755), /chmod 700 .*settled/],
    ["the home is a link", replaceByLink, /^Set WISP_HOME to a directory of your own/],
    [
      "it belongs to another program",
      (home) => writeFileSync(join(home.path, "format"), "other 1\n", { mode: 0o600 }),
      /WISP_HOME/,
    ],
  ])("fails with 8 when %s, and names the repair", async (_what, spoil, fix) => {
    const home = madeHome();
    spoil(home);
    const told = await checks(home);
    expect(told).toMatchObject({ exit: 8, ok: false });
    expect(told.checks.home).toMatchObject({ status: "fail" });
    expect(told.checks.home?.fix).toMatch(fix);
  });

  it("says which keys of config.json are in force, and fails where it cannot be read", async () => {
    const home = madeHome();
    expect((await checks(home)).checks.config).toEqual({ name: "config", status: "ok", detail: "defaults" });
    const path = join(home.path, "config.json");
    const configure = (text: string): void => void writeConfig(home.path, text);
    configure('{"approval": {"timeoutSeconds": 30}}');
    expect((await checks(home)).checks.config).toEqual({
      name: "config",
      status: "ok",
      detail: "approval.timeoutSeconds = 30",
    });
    const clients = '"clients": {"a\\u001b[2J": {"shell": false}}';
    configure(`{"approval": {"outOfBand": false, ${clients}}}`);
    const waiting = await checks(home);
    expect(waiting).toMatchObject({ exit: 0, checks: { config: { status: "ok", detail: "defaults" } } });
    expect(waiting.checks.accepted).toEqual({
      name: "accepted",
      status: "warn",
      detail: "config.json waits: approval.outOfBand (in force: true), approval.clients (in force: {})",
      fix: `WISP_HOME=${home.path} wisp accept`,
    });
    writeAcceptedConfig(home.path, `{"approval": {"outOfBand": false, ${clients}}}`);
    const accepted = await checks(home);
    expect(accepted.checks.accepted).toMatchObject({ status: "ok" });
    expect(accepted.checks.config).toMatchObject({
      status: "warn",
      detail: expect.stringContaining("a client without one is refused"),
      fix: expect.stringContaining("approval.outOfBand"),
    });
    expect(accepted.checks.config?.detail).toContain("approval.clients.a\\u{1b}[2J.shell = false");
    configure('{"approval": {"timeoutSecond": 30}}');
    const broken = await checks(home);
    expect(broken).toMatchObject({ exit: 1, ok: false });
    expect(broken.checks.config).toMatchObject({ status: "fail", fix: expect.stringContaining(path) });
    expect(broken.checks.config?.detail).toMatch(/approval\.timeoutSecond is no key.*everything asks/);
    configure("{}");
    expect(await checks(home)).toMatchObject({ exit: 0, ok: true });
  });

  it("says of each live server what it would make of an answer from here", async () => {
    const home = tempHome();
    openAsker(home).channel.file(approvalDraft(), []);
    const { out } = await run({ json: true }, { home, canAnswer: true });
    const { checks: all } = JSON.parse(out) as { checks: CheckJson[] };
    const server = `by the server of a client without a name \\(process ${process.pid}\\)`;
    expect(all.find(({ name }) => name === "shell")?.detail).toMatch(
      new RegExp(`^an answer from here would be (taken|refused) ${server}`),
    );
  });

  it("warns of stale requests, and leaves them for the sweep that it names", async () => {
    const home = tempHome();
    const request = fileByDeadServer(home);
    const told = await checks(home);
    expect(told.exit).toBe(0);
    expect(told.checks.requests).toMatchObject({
      status: "warn",
      fix: `WISP_HOME=${home.path} wisp approvals pending`,
    });
    expect(told.checks.requests?.detail).toContain(request.id);
    expect(readdirSync(home.pending)).toEqual([`${request.id}.request.json`]);
  });

  it("warns when a live server says that it uses another home", async () => {
    const home = tempHome();
    openAsker(home).channel.file(approvalDraft(), []);
    const [record = ""] = readdirSync(home.servers);
    const path = join(home.servers, record);
    writeFileSync(
      path,
      readFileSync(path, "utf8").replace(JSON.stringify(home.path), '"/elsewhere\\u001b[2J"'),
    );
    const { servers } = (await checks(home)).checks;
    expect(servers?.status).toBe("warn");
    expect(servers?.detail).toContain("says /elsewhere\\u{1b}[2J");
  });

  it.runIf(ptyMissing === null)("passes over a record that names a person's shell as a server", async () => {
    const home = tempHome();
    openAsker(home).channel.file(approvalDraft(), []);
    const [record = ""] = readdirSync(home.servers);
    const instance = "a".repeat(16);
    const shell = startInPty(["sh", "-c", "echo pid:$$.; read _"]);
    await shell.seen(".");
    const pid = Number(/pid:(\d+)/.exec(shell.output())?.[1]);
    const lie = {
      ...(JSON.parse(readFileSync(join(home.servers, record), "utf8")) as object),
      instance,
      pid,
      startedAt: startedAtOf(pid),
      client: { name: "claude-code", version: "1" },
    };
    writeFileSync(join(home.servers, `${instance}.json`), JSON.stringify(lie), { mode: 0o600 });
    const { servers, shell: said } = (await checks(home)).checks;
    expect(servers?.detail).toBe(`1 live: unnamed client (process ${process.pid})`);
    expect(said?.detail).not.toContain("claude-code");
  });

  it("says from the fifth refused answer on that something writes answers", async () => {
    const home = madeHome();
    for (let n = 1; n <= 4; n += 1) writeFileSync(join(home.rejected, `k7q2mx9d.${n}.json`), "junk");
    expect((await checks(home)).checks.answers).toMatchObject({ status: "ok" });
    writeFileSync(join(home.rejected, "p4rv8dxx.1.json"), "junk");
    const { answers } = (await checks(home)).checks;
    expect(answers?.status).toBe("warn");
    expect(answers?.detail).toContain("something is writing answers: 5 not taken");
  });

  it.each([
    ["20.18.3", "fail"],
    ["18.20.0", "fail"],
    ["20.19.0", "ok"],
    ["22.0.0", "ok"],
  ])("judges Node %s: %s", (version, status) => {
    expect(checkNode(version).status).toBe(status);
  });
});

function replaceByLink(home: Home): void {
  const real = `${home.path}.real`;
  mkdirSync(real, { mode: 0o700 });
  rmSync(home.path, { recursive: true });
  symlinkSync(real, home.path);
}
