import { closeSync, openSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { lookAtProc } from "../../../src/broker/identity/proc-look.js";
import type { ProcessFacts, ProcessLook } from "../../../src/broker/identity/source.js";
import { ownAncestors } from "../../../src/broker/identity/system-look.js";
import { ptyMissing, startInPty } from "../../support/pty.js";

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
    expect(ownAncestors()?.[0]).toEqual(read(look, process.ppid));
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
      const holder = look.masters(one.parent) ?? [];
      expect(holder.map(({ terminal }) => terminal)).toEqual([one.terminal]);
      expect(look.masters(one.pid)).toEqual([]);
      const input = look.input(one);
      const place = input.kind === "controlling" ? input.place : null;
      for (const master of holder) expect([null, place]).toContain(master.place);
    });

    it("gives up on files that are too many, and says so", () => {
      const look = lookAtProc();
      const handles = Array.from({ length: 200 }, () => openSync("/dev/null", "r"));
      onTestFinished(() => handles.forEach(closeSync));
      const looks = Array.from({ length: 100 }, () => look.masters(process.pid));
      expect(looks[0]).not.toBeNull();
      expect(looks.at(-1)).toBeNull();
    });
  },
);
