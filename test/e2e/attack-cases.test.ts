/** Given cases of attacks, with the built programs; what is not promised is held to what is true of it. */

import { spawnSync } from "node:child_process";
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect } from "vitest";
import { startedAtOf } from "../../src/broker/identity/process.js";
import type { AnsweredBy } from "../../src/broker/request/answer.js";
import { bindingOf } from "../../src/broker/request/binding.js";
import { type ApprovalRequest, requestFileName } from "../../src/broker/request/request.js";
import { type Agent, namesIn, needs, startAgent } from "../support/agent.js";
import { attackCase, named } from "../support/attack-cases.js";
import { answerTo } from "../support/builders.js";
import { wispProgram } from "../support/built.js";
import { openFace } from "../support/face.js";
import { long } from "../support/filed.js";
import { textOf } from "../support/mcp-server.js";
import { startAnswerer, test } from "../support/person.js";
import { startInPty } from "../support/pty.js";
import { asks, ownPlaces, serve } from "../support/served.js";

describe("a request or an answer on disk", () => {
  test(`${named("case-051")} is answered by no face; bound anew and answered it ends, and nothing runs`, async ({
    person,
  }) => {
    const served = await serve(ownPlaces());
    const { server, face, home, work } = served;
    const call = await asks(served, { argv: ["touch", "ran"] });
    const request = face.only();
    const file = join(home, "pending", requestFileName(request));
    const altered = readFileSync(file, "utf8").replaceAll("touch", "ls");
    writeFileSync(file, altered);
    await expect(person.approves(home, request)).rejects.toThrow("was changed after it was filed");
    expect(server.client.hasResponseTo(call)).toBe(false);
    const { binding: _old, ...bound } = JSON.parse(altered);
    writeFileSync(file, JSON.stringify({ ...bound, binding: bindingOf(bound) }));
    await expect(person.approves(home, request)).rejects.toThrow("was changed after it was filed");
    const result = await server.client.resultOf(call);
    expect(result.structuredContent).toMatchObject({ outcome: "failed" });
    expect(textOf(result)).toContain("its request file was altered");
    expect(face.receiptOf(request.id)).toMatchObject({ outcome: "failed", ran: false });
    expect(readdirSync(work)).toEqual([]);
    const good = await asks(served);
    await person.approves(home, face.only());
    expect((await server.client.resultOf(good)).structuredContent).toMatchObject({ stdout: "once" });
  });

  test(`${named("case-054")} of an answer that counted decides nothing more: one yes, one run`, async ({
    person,
  }) => {
    const served = await serve(ownPlaces());
    const { server, face, home, work } = served;
    const noting = { line: "echo ran >>effects" };
    const effects = (): string => readFileSync(join(work, "effects"), "utf8");
    const answerer = await startAnswerer(home);
    const first = await asks(served, noting);
    const { id } = face.only();
    // It is saved before its server can take it; the process that gave it lives on, so that nothing but what it says
    // can be wanting.
    server.child.kill("SIGSTOP");
    const given = answerer.gives(face.only(), answerTo(face.only()));
    const slot = join(home, "pending", `${id}.answer.json`);
    await expect.poll(() => readdirSync(join(home, "pending")), long).toContain(`${id}.answer.json`);
    const saved = readFileSync(slot, "utf8");
    server.child.kill("SIGCONT");
    expect(await given).toMatchObject({ kind: "won", receipt: { decision: "approve" } });
    expect((await server.client.resultOf(first)).structuredContent).toMatchObject({ outcome: "approved" });
    const second = await asks(served, noting);
    const request = face.only();
    expect(request.subject).toEqual(expect.objectContaining({ line: noting.line }));
    const refusals = (): readonly unknown[] =>
      face.audit().flatMap(({ kind, details }) => (kind === "answer.refused" ? [details.reason] : []));
    const reasons = ["its id is not its name", "it is bound to something else than what was filed"];
    for (const [index, replayed] of [saved, saved.replace(id, request.id)].entries()) {
      placeByHand(home, request, replayed);
      await expect.poll(refusals, long).toEqual(reasons.slice(0, index + 1));
    }
    expect(face.only()).toEqual(request);
    expect(effects()).toBe("ran\n");
    await person.approves(home, request);
    expect((await server.client.resultOf(second)).structuredContent).toMatchObject({ outcome: "approved" });
    expect(effects()).toBe("ran\nran\n");
  });

  test(`${named("case-055")} leaves nothing under the name nor beside it, and nothing runs`, async ({
    person: _person,
    skip,
  }) => {
    const space = ["unshare", "-rm", "sh", "-c"];
    const mount = "mount -t tmpfs -o size=256k,mode=700 tmpfs";
    const canMount = spawnSync(space[0] ?? "", [...space.slice(1), `${mount} /mnt`]).status === 0;
    skip(!canMount, "mounts of one's own are not allowed here");
    const places = ownPlaces();
    const disk = join(places.root, "disk");
    mkdirSync(disk);
    const home = join(disk, "home");
    const { server } = await serve({ ...places, home }, [...space, `${mount} ${disk}; exec "$@"`, "sh"]);
    const inside = join("/proc", String(server.child.pid), "root", disk);
    const served = { ...places, home, server, face: openFace(join(inside, "home")) };
    const abandoned = await asks(served);
    server.client.notify("notifications/cancelled", { requestId: abandoned });
    await expect.poll(() => served.face.waiting(), long).toEqual([]);
    const filler = join(inside, "filler");
    expect(spawnSync("sh", ["-c", `cat /dev/zero >${filler}`], { encoding: "utf8" }).stderr).toContain(
      "space",
    );
    const result = await server.client.resultOf(server.client.call("run_command", { line: "touch ran" }));
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("no person could be asked and nothing ran: ");
    // Whichever finds it first: the log, which has room for a part of a line, or the channel.
    expect(textOf(result)).toMatch(/channel_unavailable.*ENOSPC|audit_unavailable.*only a part of a line/);
    expect(readdirSync(join(inside, "home", "pending"))).toEqual([]);
    expect(readdirSync(places.work)).toEqual([]);
    rmSync(filler);
    const good = await asks(served);
    const enter = ["nsenter", "-t", String(server.child.pid), "-U", "-m", "--preserve-credentials"];
    const approve = ["env", `WISP_HOME=${home}`, process.execPath, wispProgram, "approvals", "approve"];
    const pty = startInPty([...enter, ...approve, served.face.only().id], { isApart: true });
    expect(await pty.ended, pty.output()).toBe(0);
    expect((await server.client.resultOf(good)).structuredContent).toMatchObject({ stdout: "once" });
  });
});

/** Writes `text` beside the slot and links it there, as a program does that is none of ours. */
function placeByHand(home: string, request: ApprovalRequest, text: string): void {
  const temporary = join(home, "by-hand");
  rmSync(temporary, { force: true });
  writeFileSync(temporary, text, { mode: 0o600 });
  linkSync(temporary, join(home, "pending", `${request.id}.answer.json`));
}

const notEnough = 10;
const unseen = 4;

/** The line that the case has the agent's shell run, with a `wisp` that it can find and the request that waits. */
function lineOf(id: string, agent: Agent): string {
  const bin = join(agent.root, "bin");
  mkdirSync(bin);
  const program = `#!/bin/sh\nWISP_HOME='${agent.home}' exec '${process.execPath}' '${wispProgram}' "$@"\n`;
  writeFileSync(join(bin, "wisp"), program, { mode: 0o755 });
  return `PATH="${bin}:$PATH"; ${String(attackCase(id).input).replace("ID", agent.request.id)}`;
}

describe("an answer from an agent's own shell", () => {
  test.for([
    [named("case-057"), "case-057", []],
    [named("case-058"), "case-058", ["script"]],
  ] as const)("%s is refused, and a person's counts", async ([_named, id, programs], { person, skip }) => {
    needs(programs, { skip });
    const agent = await startAgent("claude-code");
    const line = lineOf(id, agent);
    // Its shell reads what a command shows, so that a person would see nothing of it: there the command ends by itself.
    if (id === "case-057") expect(await agent.runs(line)).toMatchObject({ exit: unseen });
    const seen = id === "case-057" ? `${line} 2>/dev/tty` : line;
    expect(await agent.runs(seen)).toMatchObject({ exit: notEnough });
    expect(agent.answers("answer.refused").map(({ details }) => details.reason)).toEqual([
      "assurance_insufficient: within_client",
    ]);
    expect(agent.face.only()).toEqual(agent.request);
    await person.approves(agent.home, agent.request);
    expect((await agent.result).structuredContent).toMatchObject({ outcome: "approved", stdout: "once" });
  });

  test(`${named("case-059")} that leaves its client behind, terminal and all, is taken for a person: this is not promised`, async ({
    person: _person,
    skip,
  }) => {
    needs(["script", "setsid"], { skip });
    const agent = await startAgent("claude-code");
    await agent.runs(lineOf("case-059", agent));
    expect((await agent.result).structuredContent).toMatchObject({ outcome: "approved" });
    const [answered] = agent.answers("approval.answered");
    // Nothing names the client, but the log says what stood there instead of a person's shell.
    expect(answered?.verified).toMatchObject({ within: null, masterHolder: null });
    expect(namesIn(answered?.verified.ancestors)).toContain("script");
  });

  test(`${named("case-060")} counts where it names a living process of the person's: this is not promised`, async ({
    person: _person,
  }) => {
    const agent = await startAgent("claude-code");
    const shell = await startPersonsShell();
    const file = readFileSync(join(agent.home, "pending", requestFileName(agent.request)), "utf8");
    const { binding: _binding, ...bound } = JSON.parse(file);
    const { id } = agent.request;
    const forge = (by: Partial<AnsweredBy>): void => {
      const answer = answerTo({ id, binding: bindingOf(bound) }, { by: { ...shell, ...by } });
      placeByHand(agent.home, agent.request, JSON.stringify(answer));
    };
    // Whoever is named is looked at: nobody, and the agent's own client, at its terminal.
    const client = Number((await agent.runs("echo $PPID")).out.split("\n")[0]);
    const wrong: readonly Partial<AnsweredBy>[] = [
      { pid: spawnSync("true").pid },
      { pid: client, startedAt: startedAtOf(client) ?? "" },
    ];
    for (const [index, by] of wrong.entries()) {
      forge(by);
      await expect.poll(() => agent.answers("answer.refused"), long).toHaveLength(index + 1);
    }
    expect(agent.answers("answer.refused").map(({ details }) => details.reason)).toEqual([
      "assurance_insufficient: process_gone",
      "assurance_insufficient: within_client",
    ]);
    forge({});
    expect((await agent.result).structuredContent).toMatchObject({
      outcome: "approved",
      assurance: "terminal",
    });
    const [answered] = agent.answers("approval.answered");
    expect(answered?.verified).toMatchObject({ within: null, masterHolder: null });
    const security = readFileSync(fileURLToPath(new URL("../../SECURITY.md", import.meta.url)), "utf8");
    expect(security).toContain("a file written by hand that names a living process of yours");
  });
});

/** A shell in which a person does something else: as an answer names the process that gave it. */
async function startPersonsShell(): Promise<AnsweredBy> {
  const pty = startInPty(["sh", "-c", "tty; echo process $$.; exec sleep 600"], { isApart: true });
  await pty.seen(".");
  const [, tty = "", number = ""] = /^(.*)\nprocess (\d+)\.$/m.exec(pty.output()) ?? [];
  const pid = Number(number);
  return { pid, startedAt: startedAtOf(pid) ?? "", tty, version: "0.1.0" };
}
