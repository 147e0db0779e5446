import { realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { gone } from "../../../support/processes.js";
import { type StartedUpstream, startedShell, startedUpstream } from "../../../support/stdio-upstreams.js";
import { tempDirectory } from "../../../support/temp-home.js";

/** As the builder of expectations polls, until it has ended. */
const endOf = (started: StartedUpstream) => expect.poll(() => started.end);
const linesOf = (started: StartedUpstream) => expect.poll(() => started.lines);

describe("an upstream", () => {
  it("runs as it was given, where the gate runs", async () => {
    const directory = realpathSync(tempDirectory());
    const started = startedShell('pwd; printf "%s\\n" "$0" "$@"', { directory });
    await endOf(started).toEqual({ status: 0, why: "the upstream server ended with 0" });
    expect(started.lines).toEqual([`${directory}\n`, "/bin/sh\n"]);
    const words = startedUpstream(["printf", "[%s]\\n", "a  b", "$HOME", "", "*"]);
    await endOf(words).toMatchObject({ status: 0 });
    expect(words.lines).toEqual(["[a  b]\n", "[$HOME]\n", "[]\n", "[*]\n"]);
  });

  it("has the environment of the gate, but for what is between the client and the gate", async () => {
    const environment = { PATH: process.env.PATH, WISP_HOME: "/h", WISP_ANYTHING: "1", WISPY: "stays" };
    const started = startedShell("env", { environment });
    await endOf(started).toMatchObject({ status: 0 });
    expect(started.lines).toContain("WISPY=stays\n");
    expect(started.lines.filter((line) => line.startsWith("WISP_"))).toEqual([]);
  });

  it("leads a group of its own, so that a signal to the gate's group does not reach it", async () => {
    const started = startedUpstream(["bash", "-c", "kill -0 -- -$$ && echo leads"]);
    await endOf(started).toMatchObject({ status: 0 });
    expect(started.lines).toEqual(["leads\n"]);
  });

  it("is sent lines and sends lines, also such as are no messages", async () => {
    const started = startedShell("echo banner; cat");
    expect(started.upstream.send("one\n")).toBe(true);
    expect(started.upstream.send(Buffer.from("two\n"))).toBe(true);
    await linesOf(started).toEqual(["banner\n", "one\n", "two\n"]);
  });

  it("is heard to the end, what stands behind the last newline included", async () => {
    const started = startedShell("head -c 500000 /dev/zero | tr '\\0' 'x'; echo; printf last; exit 4");
    await endOf(started).toMatchObject({ status: 4 });
    expect(started.lines.map((line) => line.length)).toEqual([500_001, 4]);
  });

  it("may send a line that is too long, which is counted, and the next one is read", async () => {
    const started = startedShell("printf '%s\\n' 1234567890 12345", { mostBytes: 8 });
    await endOf(started).toMatchObject({ status: 0 });
    expect([started.tooLong, started.lines]).toEqual([[11], ["12345\n"]]);
  });

  it("is read on standard error whoever takes its messages, to the end", async () => {
    const started = startedShell(
      "head -c 500000 /dev/zero | tr '\\0' 'e' >&2; echo ready; read -r go; printf last >&2",
    );
    await linesOf(started).toEqual(["ready\n"]);
    started.upstream.pause();
    started.upstream.send("go\n");
    started.upstream.resume();
    await endOf(started).toMatchObject({ status: 0 });
    expect([started.complaints().length, started.complaints().slice(-5)]).toEqual([500_004, "elast"]);
  });

  it("that reads nothing takes messages until it ends", async () => {
    const started = startedShell("exec 0<&-; echo closed; exec sleep 300");
    await linesOf(started).toEqual(["closed\n"]);
    started.upstream.send(`${"x".repeat(200_000)}\n`);
    started.upstream.kill();
    await endOf(started).toMatchObject({ status: 137 });
    expect(started.upstream.send("late\n")).toBe(false);
  });
});

describe("the end of an upstream", () => {
  test.each([
    ["exit 3", 3, "the upstream server ended with 3"],
    ["kill -9 $$", 137, "the upstream server was ended by SIGKILL"],
    ["kill -TERM $$", 143, "the upstream server was ended by SIGTERM"],
  ])("%s is status %i, and is told once", async (line, status, why) => {
    const started = startedShell(line);
    await endOf(started).toEqual({ status, why });
    started.upstream.stop();
    started.clock.advance(2_000);
    expect([started.ends, started.clock.timers]).toEqual([1, 0]);
  });

  it("in the middle of a call is told, and nothing more is taken", async () => {
    const started = startedShell("read -r call; exit 5");
    started.upstream.send("call\n");
    await endOf(started).toMatchObject({ status: 5 });
    expect(started.upstream.send("more\n")).toBe(false);
  });

  it("is 127 where no such program is there, with why", async () => {
    // A directory of the PATH that may not be looked into would say so instead.
    const environment = { PATH: "/usr/bin:/bin" };
    const started = startedUpstream(["no-such-program-of-anybody"], { environment });
    await endOf(started).toEqual({
      status: 127,
      why: "no-such-program-of-anybody could not be started (ENOENT): the PATH that this was started with does not lead to it; give its whole path",
    });
    const byPath = startedUpstream(["/no/such/program"], { environment });
    await endOf(byPath).toMatchObject({
      why: expect.stringContaining("(ENOENT): nothing is there, or what"),
    });
    expect(started.upstream.send("x\n")).toBe(false);
    started.upstream.stop();
    expect(started.ends).toBe(1);
  });

  it("is 127 where it may not run, or is below a file, or is no program", async () => {
    const file = join(tempDirectory(), "plain");
    writeFileSync(file, "x");
    for (const [program, code] of [
      [file, "EACCES"],
      [join(file, "below"), "ENOTDIR"],
    ] as const) {
      const started = startedUpstream([program]);
      expect(started.end).toBeNull();
      started.clock.advance(0);
      await endOf(started).toEqual({ status: 127, why: `${program} could not be started (${code})` });
      expect(started.upstream.send("x\n")).toBe(false);
      started.upstream.kill();
    }
  });

  it("waits no longer than 300 ms for what it started and left holding its output", async () => {
    const started = startedShell("sleep 300 & echo $!; read -r go; echo last; exit 3");
    await expect.poll(() => started.lines.length).toBe(1);
    started.upstream.send("go\n");
    await linesOf(started).toContain("last\n");
    // Its end has been seen, and its output is still open.
    await expect.poll(() => started.clock.timers).toBe(1);
    started.clock.advance(299);
    expect(started.end).toBeNull();
    started.clock.advance(1);
    await endOf(started).toMatchObject({ status: 3 });
    await gone(Number(started.lines[0]));
  });
});

describe("an upstream whose client has left", () => {
  it("is told by the end of its input", async () => {
    const started = startedShell("cat; echo ended");
    started.upstream.stop();
    started.upstream.stop();
    expect(started.upstream.send("late\n")).toBe(false);
    await endOf(started).toMatchObject({ status: 0 });
    expect([started.lines, started.clock.timers]).toEqual([["ended\n"], 0]);
  });

  it("is terminated after 300 ms, its group with it", async () => {
    const started = startedShell("sleep 300 & echo $!; exec sleep 300");
    await expect.poll(() => started.lines.length).toBe(1);
    started.upstream.stop();
    started.clock.advance(299);
    expect(started.end).toBeNull();
    started.clock.advance(1);
    await endOf(started).toEqual({ status: 143, why: "the upstream server was ended by SIGTERM" });
    await gone(Number(started.lines[0]));
  });

  it("ends though nobody takes what it says, and what it started with it", async () => {
    const printed: string[] = [];
    const started = startedShell('trap "" TERM; sleep 300 & echo $!; while :; do echo flood; done', {
      lines: {
        line(line) {
          printed.push(line.toString());
          started.upstream.pause();
        },
        tooLong: () => undefined,
      },
    });
    await expect.poll(() => printed.length).toBeGreaterThan(0);
    started.upstream.stop();
    started.clock.advance(1_200);
    await expect
      .poll(() => {
        started.clock.advance(300);
        return started.end;
      })
      .toMatchObject({ status: 137 });
    await gone(Number(printed[0]));
  });

  it("is killed after 1.2 s where that does not end it", async () => {
    const started = startedShell('trap "echo not yet" TERM; echo ready; while :; do sleep 0.01; done');
    await linesOf(started).toContain("ready\n");
    started.upstream.stop();
    started.clock.advance(300);
    await linesOf(started).toContain("not yet\n");
    started.clock.advance(899);
    expect(started.end).toBeNull();
    started.clock.advance(1);
    await endOf(started).toMatchObject({ status: 137 });
  });
});
