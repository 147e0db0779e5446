import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { requestFileName } from "../../../src/broker/request/request.js";
import { pending } from "../../../src/cli/commands/pending.js";
import { fileByDeadServer } from "../../support/answering.js";
import { answerTo, approvalDraft } from "../../support/builders.js";
import { openFace as openLog } from "../../support/face.js";
import { FakeClock } from "../../support/fake-clock.js";
import { factDraft, questionDraft } from "../../support/request-kinds.js";
import { startVerb } from "../../support/run-verb.js";
import { madeHome, openAsker, openFace, tempHome } from "../../support/temp-home.js";

const piped = { canAnswer: false, isTerminal: false };

describe("wisp approvals pending", () => {
  it("says that nothing waits where there is no home, and makes none", async () => {
    const home = tempHome();
    const { ended } = startVerb(pending, [], { home, ...piped });
    expect(await ended).toEqual({ exit: 0, out: "", err: "Nothing waits.\n" });
    expect(existsSync(home.path)).toBe(false);
  });

  it("lists oldest first, piped, as JSON and on a terminal", async () => {
    const home = tempHome();
    const clock = new FakeClock();
    const { channel } = openAsker(home, { clock });
    const first = channel.file(approvalDraft({ thread: "one" }), []);
    clock.advance(5_000);
    const second = channel.file(factDraft(), []);
    const options = { home, clock };
    const lines = await startVerb(pending, [], { ...options, ...piped }).ended;
    expect(lines).toEqual({
      exit: 0,
      out: [
        `${first.id}\tmoderate\t5\ttest-client/one\t/home/p/api\tgit push origin main`,
        `${second.id}\tfact\t0\ttest-client/setup\t/home/p/api\tapi · test command: npm test`,
        "",
      ].join("\n"),
      err: "",
    });
    const json = await startVerb(pending, ["--json"], options).ended;
    const { requests } = JSON.parse(json.out) as { requests: { id: string }[] };
    expect(requests.map(({ id }) => id)).toEqual([first.id, second.id]);
    const table = await startVerb(pending, [], { ...options, columns: 100 }).ended;
    expect(table.out.split("\n").map((line) => line.split(" ")[0])).toEqual(["id", first.id, second.id, ""]);
    expect(table.err).toContain("wisp approvals approve ID");
  });

  it("says on a terminal how each kind that waits is answered, and names no other", async () => {
    const environment = { NO_COLOR: "1" };
    const lines = {
      approval: "Answer: wisp approvals approve ID, or deny ID; show ID shows all of it.\n",
      fact: "Facts: wisp facts keep ID, which shows all of it first, or drop ID.\n",
      question: "Questions: wisp questions answer ID, which shows all of it first, or decline ID.\n",
    };
    for (const drafts of [
      [questionDraft()],
      [factDraft(), questionDraft()],
      [questionDraft(), approvalDraft(), factDraft()],
    ]) {
      const home = tempHome();
      const { channel } = openAsker(home);
      for (const draft of drafts) channel.file(draft, []);
      const { err } = await startVerb(pending, [], { home, environment }).ended;
      const told = Object.entries(lines).filter(([kind]) => drafts.some((draft) => draft.kind === kind));
      expect(err.replaceAll(`WISP_HOME=${home.path} `, "")).toBe(told.map(([, line]) => line).join(""));
    }
  });

  it("marks on a terminal what was changed, and says what that means", async () => {
    const home = tempHome();
    const { channel } = openAsker(home);
    const [good, changed] = [channel.file(approvalDraft(), []), channel.file(approvalDraft(), [])];
    const file = join(home.pending, requestFileName(changed));
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("git push", "git evil"));
    const { out, err } = await startVerb(pending, [], { home, columns: 100, environment: { NO_COLOR: "1" } })
      .ended;
    const levels = new Map(
      out
        .split("\n")
        .map((row) => row.split(/ +/))
        .map(([id, level]) => [id, level]),
    );
    expect(levels.get(good.id)).toBe("moderate");
    expect(levels.get(changed.id)).toBe("altered");
    expect(err).toContain("1 request was changed after it was filed and cannot be answered (see ");
    expect(err).toContain(`wisp doctor): ${changed.id}\n`);
  });

  it("says on a terminal what is answered and not read yet, and not of an answer to something else", async () => {
    const home = tempHome();
    const { channel } = openAsker(home);
    const [first, second] = [channel.file(approvalDraft(), []), channel.file(approvalDraft(), [])];
    const face = openFace(home);
    face.answer(answerTo(first));
    face.answer(answerTo(second, { binding: first.binding }));
    const { err } = await startVerb(pending, [], { home }).ended;
    expect(err).toContain(
      `1 request is answered, not read yet: its server is stopped or busy: ${first.id}\n`,
    );
  });

  it("says whose agent stopped waiting, on a terminal and as JSON", async () => {
    const home = tempHome();
    const { channel } = openAsker(home);
    const [first, second] = [channel.file(approvalDraft(), []), channel.file(approvalDraft(), [])];
    const question = channel.file(questionDraft(), []);
    channel.detached(second.id, true);
    channel.detached(question.id, true);
    const { err } = await startVerb(pending, [], { home }).ended;
    expect(err).toContain(
      `1 question has an agent that went on; your answer is kept for it (10 min unless configured otherwise): ${question.id}\n`,
    );
    expect(err).toContain(
      `1 request has an agent that stopped waiting; a yes now is kept for its next identical call (5 min unless configured otherwise): ${second.id}\n`,
    );
    const { out } = await startVerb(pending, ["--json"], { home, ...piped }).ended;
    const { requests } = JSON.parse(out) as { requests: { id: string; detached: boolean }[] };
    expect(new Map(requests.map(({ id, detached }) => [id, detached]))).toEqual(
      new Map([
        [first.id, false],
        [second.id, true],
        [question.id, true],
      ]),
    );
  });

  it("counts what is no request, with the reason, and lists the rest", async () => {
    const home = madeHome();
    const { channel } = openAsker(home);
    const request = channel.file(approvalDraft(), []);
    const plant = (name: string): string => join(home.pending, name);
    writeFileSync(plant("badbadba.request.json"), '{"a":1,"a":2}', { mode: 0o600 });
    symlinkSync("/etc/hostname", plant("linklink.request.json"));
    mkdirSync(plant("direcdir.fact.json"));
    writeFileSync(plant("evil\u001b[2J.request.json"), "{}", { mode: 0o600 });
    writeFileSync(plant("newernew.request.json"), '{"v":2,"id":"newernew"}', { mode: 0o600 });
    const { exit, out, err } = await startVerb(pending, [], { home, ...piped }).ended;
    expect(exit).toBe(0);
    expect(out).toBe(`${request.id}\tmoderate\t0\ttest-client\t/home/p/api\tgit push origin main\n`);
    expect(err).toContain("1 request was filed by a newer wisp and cannot be answered here: newernew\n");
    expect(err).toContain("4 files here are not requests: ");
    for (const reason of [
      "badbadba.request.json (duplicate key)",
      "linklink.request.json (symbolic link)",
      "direcdir.fact.json (not a regular file)",
      "evil\\u{1b}[2J.request.json (bad id)",
    ]) {
      expect(err).toContain(reason);
    }
    expect(readdirSync(home.pending)).toHaveLength(6);
  });

  it("names no more files than fit on a screen", async () => {
    const home = madeHome();
    for (let index = 0; index < 40; index += 1) {
      writeFileSync(join(home.pending, `junkjunk${index}.request.json`), "junk", { mode: 0o644 });
    }
    chmodSync(home.pending, 0o700);
    writeFileSync(join(home.path, "format"), "wisp-broker 1\n", { mode: 0o600 });
    const { err } = await startVerb(pending, [], { home, ...piped }).ended;
    expect(err).toMatch(/40 files here are not requests: .* and 30 more\n$/);
  });

  it("sweeps what a dead server left, says so once, and writes it down", async () => {
    const home = tempHome();
    const stale = fileByDeadServer(home);
    const first = await startVerb(pending, [], { home, ...piped }).ended;
    expect(first.out).toBe("");
    expect(first.err).toBe(`Nothing waits.\n1 request was swept: its server is gone: ${stale.id}\n`);
    // It is written after the list is there.
    const written = { kind: "request.swept", session: "cli", call: stale.id, verified: { what: "stale" } };
    await expect.poll(() => openLog(home.path).audit()).toMatchObject([written]);
    expect((await startVerb(pending, [], { home, ...piped }).ended).err).toBe("Nothing waits.\n");
  });

  it("a sweep that cannot be written down changes nothing else", async () => {
    const home = tempHome();
    const stale = fileByDeadServer(home);
    writeFileSync(join(home.path, "audit"), "in the way");
    const { exit, err } = await startVerb(pending, [], { home, ...piped }).ended;
    expect(exit).toBe(0);
    expect(err).toContain(stale.id);
  });

  it("a sweep that fails hides nothing", async () => {
    const home = tempHome();
    const stale = fileByDeadServer(home);
    mkdirSync(home.settled);
    chmodSync(home.settled, 0o755);
    const { exit, out } = await startVerb(pending, [], { home, ...piped }).ended;
    expect(exit).toBe(0);
    expect(out.split("\t")[0]).toBe(stale.id);
    chmodSync(home.settled, 0o700);
    expect((await startVerb(pending, [], { home, ...piped }).ended).out).toBe("");
  });

  it("leaves out a request that has ended and was not cleared away yet", async () => {
    const home = tempHome();
    const { channel } = openAsker(home);
    const request = channel.file(approvalDraft(), []);
    const file = join(home.pending, requestFileName(request));
    const filed = readFileSync(file);
    channel.settle(request.id, { outcome: "timed_out", taken: null, ran: false });
    writeFileSync(file, filed, { mode: 0o600 });
    expect((await startVerb(pending, [], { home, ...piped }).ended).err).toBe("Nothing waits.\n");
  });

  it("a receipt that its server did not write hides nothing", async () => {
    const home = madeHome();
    const { channel } = openAsker(home);
    const [real, waiting] = [channel.file(approvalDraft(), []), channel.file(approvalDraft(), [])];
    const ending = { outcome: "timed_out", taken: null, ran: false } as const;
    const receipt = channel.settle(real.id, ending);
    const forged = { ...receipt, id: waiting.id };
    writeFileSync(join(home.settled, `${waiting.id}.json`), JSON.stringify(forged), { mode: 0o600 });
    const { out } = await startVerb(pending, [], { home, ...piped }).ended;
    expect(out.split("\t")[0]).toBe(waiting.id);
  });

  it("refuses a directory that others can open, and lists again once it is repaired", async () => {
    const home = tempHome();
    const { channel } = openAsker(home);
    const request = channel.file(approvalDraft(), []);
    chmodSync(home.pending, 0o755);
    const { exit, out, err } = await startVerb(pending, [], { home, ...piped }).ended;
    expect({ exit, out }).toEqual({ exit: 8, out: "" });
    expect(err.split("\n")).toEqual([
      `wisp: ${home.pending} is open to other users (mode 0755).`,
      "  Somebody else could read or replace what waits there, so nothing is asked through it.",
      `  chmod 700 ${home.pending}`,
      "",
    ]);
    chmodSync(home.pending, 0o700);
    expect((await startVerb(pending, [], { home, ...piped }).ended).out).toContain(request.id);
  });

  it("refuses a home that is not named whole", async () => {
    const { exit, err } = await startVerb(pending, [], { environment: { WISP_HOME: "wisp" } }).ended;
    expect(exit).toBe(8);
    expect(err).toContain("WISP_HOME=wisp is not an absolute path");
  });

  it("refuses the flag of a later version", async () => {
    const { exit, err } = await startVerb(pending, ["--since"], {}).ended;
    expect(exit).toBe(2);
    expect(err).toBe(
      "wisp: There is no flag --since.\n  Usage: wisp approvals pending [--late] [--json]\n  wisp approvals pending --help\n",
    );
  });

  it("prints its usage", async () => {
    const { exit, out } = await startVerb(pending, ["--help"], {}).ended;
    expect(exit).toBe(0);
    expect(out).toBe(
      [
        "Usage: wisp approvals pending [--late] [--json]",
        "",
        "list what waits for a person, oldest first",
        "",
        "  --late          list what ended unanswered and may still be answered",
        "  --json          print one JSON object",
        "",
      ].join("\n"),
    );
  });
});
