/** What a script or an agent's shell can do, with the built command: read everything, answer nothing. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Home } from "../../src/broker/channel/home.js";
import { type Request, requestFileName } from "../../src/broker/request/request.js";
import { settleAnswers } from "../support/answering.js";
import { answerTo, approvalDraft } from "../support/builders.js";
import { runBare, wispOn } from "../support/built.js";
import { ptyMissing } from "../support/pty.js";
import { madeHome, openAsker, openFace, tempDirectory, tempHome } from "../support/temp-home.js";

function filed(home: Home = tempHome()): { readonly home: Home; readonly request: Request } {
  const { channel } = openAsker(home);
  const request = channel.file(approvalDraft({ thread: "git" }), []);
  settleAnswers(channel);
  return { home, request };
}

const ownFile = fileURLToPath(import.meta.url);

/** The command as one line for a shell. */
const lineOf = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(" ");

describe("a working directory that was deleted", () => {
  it.each(["approvals pending", "doctor", "mcp"])(
    "is told by %s in words, without a stack",
    async (words) => {
      const { home } = filed();
      const lost = tempDirectory();
      const line = `cd "$1" && rmdir "$1" && exec ${lineOf(wispOn(home, ...words.split(" ")))} </dev/null`;
      const { exit, out, err } = await runBare(["sh", "-c", line, "sh", lost]);
      expect(exit).toBe(1);
      expect(out + err).not.toMatch(/^ +at /m);
      expect(out + err).toContain("working directory");
      expect((await runBare(wispOn(home, "approvals", "pending"))).exit).toBe(0);
    },
  );
});

describe("answering without a terminal", () => {
  const inputs: readonly (readonly [string, (line: string) => string])[] = [
    ["/dev/null", (line) => `${line} </dev/null`],
    ["a pipe", (line) => `printf 'y\\ny\\n' | ${line}`],
    ["a here-document", (line) => `${line} <<END\ny\nEND`],
    ["a closed descriptor", (line) => `${line} <&-`],
    ["a file", (line) => `${line} <"$0"`],
  ];

  it.each(inputs)("%s as input ends with 4, and the request still waits", async (_input, redirect) => {
    const { home, request } = filed();
    for (const verb of ["approve", "deny"]) {
      const line = redirect(lineOf(wispOn(home, "approvals", verb, request.id)));
      const { exit, out, err } = await runBare(["sh", "-c", line, ownFile]);
      expect({ exit, out }).toEqual({ exit: 4, out: "" });
      expect(err).toContain("standard input is not a terminal");
      expect(err).toContain(`: WISP_HOME=${home.path} wisp approvals ${verb} ${request.id}\n`);
    }
    expect(openFace(home).slot(request.id).kind).toBe("free");
    openFace(home).answer(answerTo(request));
    expect((await runBare(wispOn(home, "approvals", "wait", request.id))).exit).toBe(0);
  });

  it("an output that is a terminal does not help, and neither does repairing", async () => {
    const { home } = filed();
    expect((await runBare(wispOn(home, "doctor", "--fix"))).exit).toBe(4);
  });
});

describe("reading", () => {
  it("lists among every kind of junk at once, counts it and leaves it where it is", async () => {
    const { home, request } = filed(madeHome());
    const plant = (name: string): string => join(home.pending, `${name}.request.json`);
    const junk = [
      "fifofifo",
      "linklink",
      "looploop",
      "direcdir",
      "hugehuge",
      "badjson2",
      "openopen",
      "socksock",
    ];
    execFileSync("mkfifo", ["-m", "600", plant("fifofifo")]);
    symlinkSync("/etc/hostname", plant("linklink"));
    symlinkSync(plant("looploop"), plant("looploop"));
    mkdirSync(plant("direcdir"));
    closeSync(openSync(plant("hugehuge"), "wx", 0o600));
    truncateSync(plant("hugehuge"), 2 ** 30);
    writeFileSync(plant("badjson2"), '{"id":"badjson2","id":"badjson2"}', { mode: 0o600 });
    writeFileSync(plant("openopen"), readFileSync(join(home.pending, requestFileName(request))), {
      mode: 0o600,
    });
    chmodSync(plant("openopen"), 0o644);
    const socket = createServer().listen(plant("socksock"));
    onTestFinished(() => void socket.close());
    if (process.geteuid?.() === 0 && madeDevice(plant("devicdev"))) junk.push("devicdev");

    const { exit, out, err } = await runBare(wispOn(home, "approvals", "pending"));
    expect(exit).toBe(0);
    expect(out).toBe(
      `${request.id}\tmoderate\t${out.split("\t")[2]}\ttest-client/git\t/home/p/api\tgit push origin main\n`,
    );
    expect(err).toContain(`${junk.length} files here are not requests: `);
    for (const name of junk) expect(err).toContain(`${name}.request.json (`);
    const { exit: again } = await runBare(wispOn(home, "approvals", "show", request.id, "--json"));
    expect(again).toBe(0);
  });

  it("tells of an altered request, and answers other requests as before", async () => {
    const { home, request } = filed();
    const file = join(home.pending, requestFileName(request));
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("git push", "git evil"));
    const { exit, out } = await runBare(wispOn(home, "approvals", "show", request.id, "--json"));
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ answerable: false });
  });

  it("ends with 8 for a directory that others can open, and works when it is repaired as told", async () => {
    const home = tempHome();
    // Its server looks at nothing meanwhile: one that did would end its requests.
    const request = openAsker(home).channel.file(approvalDraft(), []);
    chmodSync(home.pending, 0o755);
    for (const words of [["pending"], ["show", request.id], ["wait", request.id]]) {
      const { exit, out, err } = await runBare(wispOn(home, "approvals", ...words));
      expect({ exit, out }).toEqual({ exit: 8, out: "" });
      expect(err).toContain(`\n  chmod 700 ${home.pending}\n`);
    }
    expect((await runBare(wispOn(home, "doctor"))).exit).toBe(8);
    execFileSync("chmod", ["700", home.pending]);
    expect((await runBare(wispOn(home, "approvals", "show", request.id))).exit).toBe(0);
  });

  it("ends with 3 for what was never filed, 2 for what is no id, and 5 for what has ended", async () => {
    const { home, request } = filed();
    expect((await runBare(wispOn(home, "approvals", "show", "zzzzzzzz"))).exit).toBe(3);
    expect((await runBare(wispOn(home, "approvals", "show", "../x"))).exit).toBe(2);
    openFace(home).answer(answerTo(request));
    expect((await runBare(wispOn(home, "approvals", "wait", request.id))).exit).toBe(0);
    expect((await runBare(wispOn(home, "approvals", "show", request.id))).exit).toBe(5);
  });

  it("ends quietly when nobody reads on, and with 1 when the output cannot be written", async () => {
    const home = tempHome();
    const { channel } = openAsker(home);
    for (let index = 0; index < 200; index += 1) channel.file(approvalDraft({ says: "x".repeat(2_000) }), []);
    const words = lineOf(wispOn(home, "approvals", "pending", "--json"));
    const cut = await runBare(["sh", "-c", `{ ${words}; echo "exit $?" >&2; } | head -c 10`]);
    expect(cut).toMatchObject({ out: '{"schemaVe', err: "exit 0\n" });
    const full = await runBare(["sh", "-c", `${words} >/dev/full`]);
    expect(full.exit).toBe(1);
    expect(full.err).toContain("ENOSPC");
  });

  it.skipIf(ptyMissing !== null)(
    "writes all of it when the reader is slow and does not let it wait",
    async () => {
      const home = tempHome();
      const { channel } = openAsker(home);
      for (let index = 0; index < 300; index += 1)
        channel.file(approvalDraft({ says: "x".repeat(2_000) }), []);
      const words = lineOf(wispOn(home, "approvals", "pending", "--json"));
      const line = `python3 -c "$1" ${words} | python3 -c "$2"`;
      const { out } = await runBare(["sh", "-c", line, "sh", unblocked, readingLate]);
      expect(out).toBe("300\n");
    },
  );

  it("loads neither the command tree nor a server for a verb of the table", async () => {
    const { home } = filed();
    const loaded = join(tempDirectory(), "loaded");
    const preload = join(tempDirectory(), "preload.cjs");
    const list = `require("node:fs").writeFileSync(${JSON.stringify(loaded)}, Object.keys(require.cache).join("\\n"))`;
    writeFileSync(preload, `process.on("exit", () => ${list});`);
    const [env = "", variable = "", node = "", ...rest] = wispOn(home, "approvals", "pending");
    expect((await runBare([env, variable, node, "--require", preload, ...rest])).exit).toBe(0);
    const names = readFileSync(loaded, "utf8")
      .split("\n")
      .map((path) => path.split("/").at(-1));
    expect(names.sort()).toEqual(["preload.cjs", "wisp-verbs.cjs", "wisp.cjs"]);
  });

  it.each(["000", "777"])("makes files for this person alone, whatever the mask: %s", async (mask) => {
    const home = tempHome();
    const preload = join(tempDirectory(), "preload.cjs");
    // Read at the end: whatever this process made, and programs it started, went by this mask.
    writeFileSync(preload, 'process.on("exit", () => console.log(process.umask().toString(8)));');
    for (const words of [["approvals", "pending"], ["doctor"], ["--version"], ["aprovals"]]) {
      const [env = "", variable = "", node = "", ...rest] = wispOn(home, ...words);
      const line = lineOf([env, variable, node, "--require", preload, ...rest]);
      const { out } = await runBare(["sh", "-c", `umask ${mask}; ${line}`]);
      expect(out.trimEnd().split("\n").at(-1), words.join(" ")).toBe("77");
    }
  });

  it("makes no home, whatever is asked of it", async () => {
    const home = tempHome();
    for (const words of [
      ["approvals", "pending"],
      ["approvals", "show", "zzzzzzzz"],
      ["doctor"],
      ["--help"],
    ]) {
      await runBare(wispOn(home, ...words));
    }
    expect(() => readFileSync(home.path)).toThrow(/ENOENT/);
  });

  it("ends with 2 for a command that there is not", async () => {
    const { exit, err } = await runBare(wispOn(tempHome(), "aprovals", "pending"));
    expect(exit).toBe(2);
    expect(err).toContain("Did you mean approvals?");
  });
});

/** Starts its words with an output that refuses instead of making them wait. */
const unblocked = "import os, sys; os.set_blocking(1, False); os.execvp(sys.argv[1], sys.argv[1:])";

/** Reads nothing until the pipe is full, then counts the requests. */
const readingLate = `
import fcntl, json, struct, sys, termios, time
while struct.unpack("i", fcntl.ioctl(0, termios.FIONREAD, bytes(4)))[0] < 65536:
    time.sleep(0.01)
print(len(json.load(sys.stdin)["requests"]))
`;

/** A device under a request's name; false where even root may make none. */
function madeDevice(path: string): boolean {
  try {
    execFileSync("mknod", ["-m", "600", path, "c", "1", "5"], { stdio: "ignore" });
    return true;
  } catch {
    // A container without the right: the other kinds remain.
    return false;
  }
}
