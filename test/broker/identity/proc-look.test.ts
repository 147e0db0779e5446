import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readlinkSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type LookLimits, lookAtProc } from "../../../src/broker/identity/proc-look.js";
import { startedAtOf } from "../../../src/broker/identity/process.js";
import type { Master, ProcessFacts, ProcessLook } from "../../../src/broker/identity/source.js";
import { ownAncestors } from "../../../src/broker/identity/system-look.js";
import { failsWith, rightBefore, whileGiven } from "../../support/between-steps.js";
import { amongOtherTerminals, otherTerminalsMissing } from "../../support/other-terminals.js";
import { ptyMissing, startInPty } from "../../support/pty.js";
import { tempDirectory } from "../../support/temp-home.js";

const isLinux = process.platform === "linux";

function read(look: ProcessLook, pid: number): ProcessFacts {
  const one = look.read(pid);
  if (one === null || one === "hidden") throw new Error(`No process ${pid} shows.`);
  return one;
}

describe.skipIf(!isLinux)("a look at /proc", () => {
  it("finds this process, its parent and nothing under a number that cannot be", () => {
    const look = lookAtProc();
    expect(read(look, process.pid)).toMatchObject({ parent: process.ppid, isZombie: false });
    expect(look.all().map(({ pid }) => pid)).toEqual(expect.arrayContaining([process.pid, process.ppid]));
    expect(look.read(2 ** 22 + 1)).toBeNull();
    expect(look.masters(2 ** 22 + 1)).toEqual([]);
    expect(ownAncestors()?.processes[0]).toEqual(read(look, process.ppid));
  });

  it("finds no process under the number of a thread", () => {
    const look = lookAtProc();
    const threads = readdirSync(`/proc/${process.pid}/task`).map(Number);
    expect(threads.length).toBeGreaterThan(1);
    expect(threads.filter((thread) => existsSync(`/proc/${thread}/stat`))).toEqual(threads);
    expect(threads.filter((thread) => look.read(thread) !== null)).toEqual([process.pid]);
  });

  it("throws where there are more processes than it reads", () => {
    const limits = { processes: 1, files: 1_000, paths: 1_000 };
    expect(() => lookAtProc(limits).all()).toThrow("More than 1 processes run here.");
    expect(lookAtProc({ ...limits, processes: 100_000 }).all()).not.toEqual([]);
  });

  it("reads so many open files, and then says that it does not", () => {
    const limits = { processes: 100_000, files: 10_000, paths: 10_000 };
    const masters = (fewer: Partial<LookLimits>) => {
      const look = lookAtProc({ ...limits, ...fewer });
      return [look.masters(process.pid), look.masters(process.pid)];
    };
    const handles = Array.from({ length: 20 }, () => openSync("/dev/null", "r"));
    onTestFinished(() => handles.forEach(closeSync));
    expect(masters({ files: 20 })).toEqual(["spent", "spent"]);
    expect(masters({ paths: 19 })).toEqual(["spent", "spent"]);
    expect(masters({}).map(Array.isArray)).toEqual([true, true]);
    const open = readdirSync("/proc/self/fd").length;
    expect(masters({ files: open + 10 }).map(Array.isArray)).toEqual([true, false]);
  });

  it("spends nothing on open files that have no path", () => {
    const children = Array.from({ length: 10 }, () => spawn("cat", { stdio: ["pipe", "pipe", "pipe"] }));
    onTestFinished(() => children.forEach((child) => void child.kill()));
    const handles = Array.from({ length: 3 }, () => openSync("/dev/null", "r"));
    onTestFinished(() => handles.forEach(closeSync));
    const paths = pathsOpen();
    const limits = { processes: 1, files: 10_000 };
    expect(lookAtProc({ ...limits, paths }).masters(process.pid)).not.toBe("spent");
    expect(lookAtProc({ ...limits, paths: paths - 1 }).masters(process.pid)).toBe("spent");
  });

  it("tells a process of an inner container by its number there: here each has only one", () => {
    const look = lookAtProc();
    const { startedAt } = read(look, process.pid);
    expect(look.isWithinOther(process.pid, startedAt)).toBe(true);
    expect(look.isWithinOther(process.pid, "never")).toBe(false);
    expect(look.isWithinOther(2 ** 22 + 1, startedAt)).toBe(false);
  });

  it("does not see what a process of somebody else reads and holds, and says so", () => {
    const look = lookAtProc();
    asNobody(() => {
      expect(look.masters(1)).toBeNull();
      expect(look.input(read(look, 1))).toEqual({ kind: "unseen" });
      expect(look.isWithinOther(2 ** 22 + 1, read(look, 1).startedAt)).toBe(false);
    });
  });
});

describe.skipIf(!isLinux)("a look at a process of which /proc shows little", () => {
  const pid = process.pid;
  const one = () => read(lookAtProc(), pid);

  it("takes one that went while all were listed for none", async () => {
    const gone = failsWith("ESRCH");
    const all = await rightBefore("readFileSync", `/proc/${pid}/stat`, gone, () => lookAtProc().all());
    expect(all.map((other) => other.pid)).not.toContain(pid);
    expect(
      lookAtProc()
        .all()
        .map((other) => other.pid),
    ).toContain(pid);
  });

  it("tells one that is hidden from one that is gone", async () => {
    const kill = vi.spyOn(process, "kill").mockImplementation(failsWith("EPERM"));
    onTestFinished(() => kill.mockRestore());
    const hidden = () => lookAtProc().read(pid);
    expect(await rightBefore("readFileSync", `/proc/${pid}/stat`, failsWith("ENOENT"), hidden)).toBe(
      "hidden",
    );
    kill.mockRestore();
    expect(await rightBefore("readFileSync", `/proc/${pid}/stat`, failsWith("ENOENT"), hidden)).toBeNull();
    expect(hidden()).toMatchObject({ pid });
  });

  it("throws for a line that is not whole, and for what is neither gone nor hidden", async () => {
    const torn = whileGiven("readFileSync", `/proc/${pid}/stat`, `${pid} (no`, one);
    await expect(torn).rejects.toThrow(`/proc/${pid}/stat is not whole.`);
    await expect(rightBefore("readFileSync", `/proc/${pid}/stat`, failsWith("EIO"), one)).rejects.toThrow(
      "EIO",
    );
    const here = one();
    const input = () => lookAtProc().input(here);
    await expect(rightBefore("statSync", `/proc/${pid}/fd/0`, failsWith("EIO"), input)).rejects.toThrow(
      "EIO",
    );
    expect(input().kind).toBe("other");
  });

  it.each(["", "NSpid:\n", "Name:\tnode\n"])(
    "has no number within another where its status says %j",
    async (status) => {
      const { startedAt } = one();
      const isWithin = () => lookAtProc().isWithinOther(pid, startedAt);
      expect(await whileGiven("readFileSync", `/proc/${pid}/status`, status, isWithin)).toBe(false);
      expect(isWithin()).toBe(true);
    },
  );

  it("does not show when a process started for a reason that is neither: that is thrown", async () => {
    const started = () => startedAtOf(pid);
    const stat = `/proc/${pid}/stat`;
    await expect(rightBefore("readFileSync", stat, failsWith("EIO"), started)).rejects.toThrow("EIO");
    expect(await rightBefore("readFileSync", stat, failsWith("ESRCH"), started)).toBeNull();
    expect(started()).toBe(one().startedAt);
  });
});

/** How many open files of this process have a path. */
function pathsOpen(): number {
  return readdirSync("/proc/self/fd").filter((number) => {
    try {
      return readlinkSync(`/proc/self/fd/${number}`).startsWith("/");
    } catch {
      // The directory that was being read.
      return false;
    }
  }).length;
}

function mastersOf(look: ProcessLook, pid: number): readonly Master[] {
  const masters = look.masters(pid);
  if (masters === null || masters === "spent") throw new Error(`The files of ${pid} do not show.`);
  return masters;
}

/** Runs `look` without the rights of root, which sees everything. */
function asNobody(look: () => void): void {
  const own = process.geteuid?.();
  if (own === 0) process.seteuid?.(65_534);
  try {
    look();
  } finally {
    if (own === 0) process.seteuid?.(0);
  }
}

describe.skipIf(!isLinux || ptyMissing !== null)(
  `a look at a terminal${ptyMissing === null ? "" : ` (skipped: ${ptyMissing})`}`,
  () => {
    it.each([
      ["the terminal itself", "", "controlling"],
      ["/dev/tty", "</dev/tty", "controlling"],
      ["a file", "</dev/null", "other"],
      ["nothing", "<&-", "other"],
    ])("finds what stands at the standard input: %s", async (_what, redirection, kind) => {
      const pty = startInPty([
        "sh",
        "-c",
        `exec sh -c 'echo pid:$$.; exec tail -f /dev/null' ${redirection}`,
      ]);
      await pty.seen(".");
      const look = lookAtProc();
      const one = read(look, Number(/pid:(\d+)/.exec(pty.output())?.[1]));
      expect(one).toMatchObject({
        isSessionLeader: true,
        terminal: expect.stringMatching(/^\/dev\/pts\/\d+$/),
      });
      expect(look.input(one).kind).toBe(kind);
    });

    it("finds another terminal at the standard input to be another", async () => {
      const outer = startInPty(["sh", "-c", "echo tty:$(tty).; exec tail -f /dev/null"]);
      await outer.seen(".");
      const other = /tty:(\S+)\./.exec(outer.output())?.[1];
      const pty = startInPty(["sh", "-c", `exec sh -c 'echo pid:$$.; exec tail -f /dev/null' <${other}`]);
      await pty.seen(".");
      const look = lookAtProc();
      expect(look.input(read(look, Number(/pid:(\d+)/.exec(pty.output())?.[1]))).kind).toBe("other");
    });

    it("finds who holds its other end, however that was opened", async () => {
      const pty = startInPty(["sh", "-c", "echo pid:$$.; exec tail -f /dev/null"]);
      await pty.seen(".");
      const look = lookAtProc();
      const one = read(look, Number(/pid:(\d+)/.exec(pty.output())?.[1]));
      const holder = mastersOf(look, one.parent);
      expect(holder.map(({ terminal }) => terminal)).toEqual([one.terminal]);
      expect(look.masters(one.pid)).toEqual([]);
      const input = look.input(one);
      const place = input.kind === "controlling" ? input.place : null;
      for (const master of holder) expect([null, place]).toContain(master.place);
    });
  },
);

const missing = ptyMissing ?? otherTerminalsMissing;

describe.skipIf(!isLinux || missing !== null)(
  `a look at terminals of one number${missing === null ? "" : ` (skipped: ${missing})`}`,
  () => {
    async function among(program: string): Promise<ProcessFacts> {
      const pty = amongOtherTerminals(tempDirectory(), program);
      await pty.seen(".");
      return read(lookAtProc(), Number(/pid:(\d+)/.exec(pty.output())?.[1]));
    }

    it("does not take another for the controlling one", async () => {
      const look = lookAtProc();
      const other = await among(
        'master("pts/ptmx"); os.dup2(os.open(f"pts/{own}", os.O_RDWR | os.O_NOCTTY), 0)',
      );
      expect(look.input(other)).toEqual({ kind: "other" });
      const own = await among('master("pts/ptmx")');
      expect(look.input(own).kind).toBe("controlling");
    });

    it("takes one that there is nowhere else for what it is", async () => {
      const look = lookAtProc();
      const inside = await among(`
own = max(int(name) for name in os.listdir("/dev/pts") if name.isdigit()) + 50
master("pts/ptmx")
os.setsid() if os.fork() == 0 else time.sleep(600)
slave = os.open(f"pts/{own}", os.O_RDWR)
fcntl.ioctl(slave, 0x540E, 0)
os.dup2(slave, 0)`);
      expect(existsSync(inside.terminal ?? "")).toBe(false);
      expect(look.input(inside).kind).toBe("controlling");
    });

    it.each(["pts/ptmx", "name"])("finds a master whatever it is called: %s", async (path) => {
      const look = lookAtProc();
      const one = await among(`kept = master("${path}")`);
      const masters = look.masters(one.pid);
      expect(masters).toMatchObject([{ terminal: one.terminal }]);
      expect(look.masters(process.pid)).not.toContainEqual(
        expect.objectContaining({ terminal: one.terminal }),
      );
    });
  },
);
